; low: f32 min of array 0 * array 0
; high: f64 max of array 1
; squares: i64 sum of array 3 * array 3
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%warpfold.record = type { float, double, i64 }
@warpfold_inter_warp_buffers = internal addrspace(3) global [32 x [24 x i8]] poison, align 16

; Every lane of the warp that exists calls it, converged, with the same offset and algo.
define void @warpfold_shuffle_and_reduce(ptr %list, i16 %lane, i16 %offset, i16 %algo) alwaysinline convergent mustprogress nounwind {
entry:
  call void @warpfold_shuffle_and_reduce_masked(ptr %list, i32 -1, i16 %lane, i16 %offset, i16 %algo)
  ret void
}

; The lanes of mask call it, converged, with the same mask and algo.
define void @warpfold_shuffle_and_reduce_masked(ptr %list, i32 %mask, i16 %lane, i16 %offset, i16 %algo) alwaysinline convergent mustprogress nounwind {
entry:
  %full = icmp eq i16 %algo, 0
  %contiguous = icmp eq i16 %algo, 1
  %dispersed = icmp eq i16 %algo, 2
  %below = icmp ult i16 %lane, %offset
  %beyond = icmp uge i16 %lane, %offset
  %parity = and i16 %lane, 1
  %even = icmp eq i16 %parity, 0
  %ahead = icmp sgt i16 %offset, 0
  %contiguous.reduces = and i1 %contiguous, %below
  %even.ahead = and i1 %even, %ahead
  %dispersed.reduces = and i1 %dispersed, %even.ahead
  %partial.reduces = or i1 %contiguous.reduces, %dispersed.reduces
  %reduces = or i1 %full, %partial.reduces
  %copies = and i1 %contiguous, %beyond
  %delta = sext i16 %offset to i32
  %low.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %low.private = load ptr, ptr %low.entry, align 8
  %low.own = load float, ptr %low.private, align 4
  %high.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %high.private = load ptr, ptr %high.entry, align 8
  %high.own = load double, ptr %high.private, align 8
  %squares.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %squares.private = load ptr, ptr %squares.entry, align 8
  %squares.own = load i64, ptr %squares.private, align 8
  %word = bitcast float %low.own to i32
  %words = bitcast double %high.own to <2 x i32>
  %word.1 = extractelement <2 x i32> %words, i32 0
  %word.2 = extractelement <2 x i32> %words, i32 1
  %words.1 = bitcast i64 %squares.own to <2 x i32>
  %word.3 = extractelement <2 x i32> %words.1, i32 0
  %word.4 = extractelement <2 x i32> %words.1, i32 1
  %shuffled = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %word, i32 %delta, i32 31)
  %shuffled.1 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %word.1, i32 %delta, i32 31)
  %shuffled.2 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %word.2, i32 %delta, i32 31)
  %shuffled.3 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %word.3, i32 %delta, i32 31)
  %shuffled.4 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %word.4, i32 %delta, i32 31)
  %remote = bitcast i32 %shuffled to float
  %words.2 = call double @llvm.nvvm.lohi.i2d(i32 %shuffled.1, i32 %shuffled.2)
  %words.3 = call double @llvm.nvvm.lohi.i2d(i32 %shuffled.3, i32 %shuffled.4)
  %remote.1 = bitcast double %words.3 to i64
  %low.kept = select i1 %copies, float %remote, float %low.own
  %low.combined = call float @llvm.minimumnum.f32(float %low.own, float %remote)
  %low.next = select i1 %reduces, float %low.combined, float %low.kept
  store float %low.next, ptr %low.private, align 4
  %high.kept = select i1 %copies, double %words.2, double %high.own
  %high.combined = call double @llvm.maximumnum.f64(double %high.own, double %words.2)
  %high.next = select i1 %reduces, double %high.combined, double %high.kept
  store double %high.next, ptr %high.private, align 8
  %squares.kept = select i1 %copies, i64 %remote.1, i64 %squares.own
  %squares.combined = add i64 %squares.own, %remote.1
  %squares.next = select i1 %reduces, i64 %squares.combined, i64 %squares.kept
  store i64 %squares.next, ptr %squares.private, align 8
  ret void
}

; Every lane of the warp that exists calls it, converged, with the same offset and size.
define void @warpfold_swap_and_reduce(ptr %list, i16 %offset, i16 %size) alwaysinline convergent mustprogress nounwind {
entry:
  %tid.x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %tid.y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %tid.z = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %ntid.x = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ntid.y = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %planes = mul i32 %ntid.y, %tid.z
  %row = add i32 %tid.y, %planes
  %rows = mul i32 %ntid.x, %row
  %thread = add i32 %tid.x, %rows
  %lane = and i32 %thread, 31
  %delta = zext i16 %offset to i32
  %lanes = zext i16 %size to i32
  %partner = add i32 %lane, %delta
  %reduces = icmp ult i32 %partner, %lanes
  %low.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %low.private = load ptr, ptr %low.entry, align 8
  %low.own = load float, ptr %low.private, align 4
  %high.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %high.private = load ptr, ptr %high.entry, align 8
  %high.own = load double, ptr %high.private, align 8
  %squares.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %squares.private = load ptr, ptr %squares.entry, align 8
  %squares.own = load i64, ptr %squares.private, align 8
  %word = bitcast float %low.own to i32
  %words = bitcast double %high.own to <2 x i32>
  %word.1 = extractelement <2 x i32> %words, i32 0
  %word.2 = extractelement <2 x i32> %words, i32 1
  %words.1 = bitcast i64 %squares.own to <2 x i32>
  %word.3 = extractelement <2 x i32> %words.1, i32 0
  %word.4 = extractelement <2 x i32> %words.1, i32 1
  %shuffled = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %word, i32 %delta, i32 31)
  %shuffled.1 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %word.1, i32 %delta, i32 31)
  %shuffled.2 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %word.2, i32 %delta, i32 31)
  %shuffled.3 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %word.3, i32 %delta, i32 31)
  %shuffled.4 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %word.4, i32 %delta, i32 31)
  %remote = bitcast i32 %shuffled to float
  %words.2 = call double @llvm.nvvm.lohi.i2d(i32 %shuffled.1, i32 %shuffled.2)
  %words.3 = call double @llvm.nvvm.lohi.i2d(i32 %shuffled.3, i32 %shuffled.4)
  %remote.1 = bitcast double %words.3 to i64
  %low.combined = call float @llvm.minimumnum.f32(float %low.own, float %remote)
  %low.next = select i1 %reduces, float %low.combined, float %low.own
  store float %low.next, ptr %low.private, align 4
  %high.combined = call double @llvm.maximumnum.f64(double %high.own, double %words.2)
  %high.next = select i1 %reduces, double %high.combined, double %high.own
  store double %high.next, ptr %high.private, align 8
  %squares.combined = add i64 %squares.own, %remote.1
  %squares.next = select i1 %reduces, i64 %squares.combined, i64 %squares.own
  store i64 %squares.next, ptr %squares.private, align 8
  ret void
}

; Every thread of the block calls it, converged, with the same num_warps <= 32.
; The first barrier orders the stores of each warp's lane 0 before the loads; the second orders the
; loads before the next stores to the buffers, such as those of the following call.
define void @warpfold_inter_warp_copy(ptr %list, i32 %num_warps) alwaysinline convergent mustprogress nounwind {
entry:
  %tid.x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %tid.y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %tid.z = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %ntid.x = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ntid.y = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %planes = mul i32 %ntid.y, %tid.z
  %row = add i32 %tid.y, %planes
  %rows = mul i32 %ntid.x, %row
  %thread = add i32 %tid.x, %rows
  %lane = and i32 %thread, 31
  %leads = icmp eq i32 %lane, 0
  %warp = lshr i32 %thread, 5
  %receives = icmp ult i32 %thread, %num_warps
  br i1 %leads, label %publish, label %published

publish:
  %warp.buffer = getelementptr inbounds [24 x i8], ptr addrspace(3) @warpfold_inter_warp_buffers, i32 %warp
  %low.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %low.private = load ptr, ptr %low.entry, align 8
  %low.moved = load float, ptr %low.private, align 4
  store float %low.moved, ptr addrspace(3) %warp.buffer, align 4
  %high.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %high.private = load ptr, ptr %high.entry, align 8
  %high.shared = getelementptr inbounds i8, ptr addrspace(3) %warp.buffer, i64 8
  %high.moved = load double, ptr %high.private, align 8
  store double %high.moved, ptr addrspace(3) %high.shared, align 8
  %squares.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %squares.private = load ptr, ptr %squares.entry, align 8
  %squares.shared = getelementptr inbounds i8, ptr addrspace(3) %warp.buffer, i64 16
  %squares.moved = load i64, ptr %squares.private, align 8
  store i64 %squares.moved, ptr addrspace(3) %squares.shared, align 8
  br label %published

published:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %receives, label %collect, label %collected

collect:
  %warp.buffer.1 = getelementptr inbounds [24 x i8], ptr addrspace(3) @warpfold_inter_warp_buffers, i32 %thread
  %low.entry.1 = getelementptr inbounds ptr, ptr %list, i64 0
  %low.private.1 = load ptr, ptr %low.entry.1, align 8
  %low.moved.1 = load float, ptr addrspace(3) %warp.buffer.1, align 4
  store float %low.moved.1, ptr %low.private.1, align 4
  %high.entry.1 = getelementptr inbounds ptr, ptr %list, i64 1
  %high.private.1 = load ptr, ptr %high.entry.1, align 8
  %high.shared.1 = getelementptr inbounds i8, ptr addrspace(3) %warp.buffer.1, i64 8
  %high.moved.1 = load double, ptr addrspace(3) %high.shared.1, align 8
  store double %high.moved.1, ptr %high.private.1, align 8
  %squares.entry.1 = getelementptr inbounds ptr, ptr %list, i64 2
  %squares.private.1 = load ptr, ptr %squares.entry.1, align 8
  %squares.shared.1 = getelementptr inbounds i8, ptr addrspace(3) %warp.buffer.1, i64 16
  %squares.moved.1 = load i64, ptr addrspace(3) %squares.shared.1, align 8
  store i64 %squares.moved.1, ptr %squares.private.1, align 8
  br label %collected

collected:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}

define void @warpfold_list_to_global_copy(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %low.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %low.private = load ptr, ptr %low.entry, align 8
  %low.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %low.given = load float, ptr %low.private, align 4
  store float %low.given, ptr %low.member, align 4
  %high.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %high.private = load ptr, ptr %high.entry, align 8
  %high.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 1
  %high.given = load double, ptr %high.private, align 8
  store double %high.given, ptr %high.member, align 8
  %squares.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %squares.private = load ptr, ptr %squares.entry, align 8
  %squares.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 2
  %squares.given = load i64, ptr %squares.private, align 8
  store i64 %squares.given, ptr %squares.member, align 8
  ret void
}

define void @warpfold_list_to_global_reduce(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %low.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %low.private = load ptr, ptr %low.entry, align 8
  %low.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %low.given = load float, ptr %low.private, align 4
  %low.held = load float, ptr %low.member, align 4
  %low.combined = call float @llvm.minimumnum.f32(float %low.held, float %low.given)
  store float %low.combined, ptr %low.member, align 4
  %high.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %high.private = load ptr, ptr %high.entry, align 8
  %high.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 1
  %high.given = load double, ptr %high.private, align 8
  %high.held = load double, ptr %high.member, align 8
  %high.combined = call double @llvm.maximumnum.f64(double %high.held, double %high.given)
  store double %high.combined, ptr %high.member, align 8
  %squares.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %squares.private = load ptr, ptr %squares.entry, align 8
  %squares.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 2
  %squares.given = load i64, ptr %squares.private, align 8
  %squares.held = load i64, ptr %squares.member, align 8
  %squares.combined = add i64 %squares.held, %squares.given
  store i64 %squares.combined, ptr %squares.member, align 8
  ret void
}

define void @warpfold_global_to_list_copy(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %low.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %low.private = load ptr, ptr %low.entry, align 8
  %low.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %low.given = load float, ptr %low.member, align 4
  store float %low.given, ptr %low.private, align 4
  %high.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %high.private = load ptr, ptr %high.entry, align 8
  %high.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 1
  %high.given = load double, ptr %high.member, align 8
  store double %high.given, ptr %high.private, align 8
  %squares.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %squares.private = load ptr, ptr %squares.entry, align 8
  %squares.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 2
  %squares.given = load i64, ptr %squares.member, align 8
  store i64 %squares.given, ptr %squares.private, align 8
  ret void
}

define void @warpfold_global_to_list_reduce(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %low.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %low.private = load ptr, ptr %low.entry, align 8
  %low.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %low.given = load float, ptr %low.member, align 4
  %low.held = load float, ptr %low.private, align 4
  %low.combined = call float @llvm.minimumnum.f32(float %low.held, float %low.given)
  store float %low.combined, ptr %low.private, align 4
  %high.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %high.private = load ptr, ptr %high.entry, align 8
  %high.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 1
  %high.given = load double, ptr %high.member, align 8
  %high.held = load double, ptr %high.private, align 8
  %high.combined = call double @llvm.maximumnum.f64(double %high.held, double %high.given)
  store double %high.combined, ptr %high.private, align 8
  %squares.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %squares.private = load ptr, ptr %squares.entry, align 8
  %squares.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 2
  %squares.given = load i64, ptr %squares.member, align 8
  %squares.held = load i64, ptr %squares.private, align 8
  %squares.combined = add i64 %squares.held, %squares.given
  store i64 %squares.combined, ptr %squares.private, align 8
  ret void
}

define void @warpfold_initialize(ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %low.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %low.private = load ptr, ptr %low.entry, align 8
  store float 0x7FF8000000000000, ptr %low.private, align 4
  %high.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %high.private = load ptr, ptr %high.entry, align 8
  store double 0x7FF8000000000000, ptr %high.private, align 8
  %squares.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %squares.private = load ptr, ptr %squares.entry, align 8
  store i64 0, ptr %squares.private, align 8
  ret void
}

declare double @llvm.maximumnum.f64(double, double)
declare double @llvm.nvvm.lohi.i2d(i32, i32)
declare float @llvm.minimumnum.f32(float, float)
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.z()
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
