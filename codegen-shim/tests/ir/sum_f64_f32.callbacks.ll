; foo: f64 sum of array 0
; bar: f32 sum of array 1
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%warpfold.record = type { double, float }
@warpfold_inter_warp_buffers = internal addrspace(3) global [32 x [16 x i8]] poison, align 16

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
  %foo.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %foo.private = load ptr, ptr %foo.entry, align 8
  %foo.own = load double, ptr %foo.private, align 8
  %bar.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %bar.private = load ptr, ptr %bar.entry, align 8
  %bar.own = load float, ptr %bar.private, align 4
  %words = bitcast double %foo.own to <2 x i32>
  %word = extractelement <2 x i32> %words, i32 0
  %word.1 = extractelement <2 x i32> %words, i32 1
  %word.2 = bitcast float %bar.own to i32
  %shuffled = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %word, i32 %delta, i32 31)
  %shuffled.1 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %word.1, i32 %delta, i32 31)
  %shuffled.2 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %word.2, i32 %delta, i32 31)
  %words.1 = call double @llvm.nvvm.lohi.i2d(i32 %shuffled, i32 %shuffled.1)
  %remote = bitcast i32 %shuffled.2 to float
  %foo.kept = select i1 %copies, double %words.1, double %foo.own
  %foo.combined = fadd double %foo.own, %words.1
  %foo.next = select i1 %reduces, double %foo.combined, double %foo.kept
  store double %foo.next, ptr %foo.private, align 8
  %bar.kept = select i1 %copies, float %remote, float %bar.own
  %bar.combined = fadd float %bar.own, %remote
  %bar.next = select i1 %reduces, float %bar.combined, float %bar.kept
  store float %bar.next, ptr %bar.private, align 4
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
  %foo.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %foo.private = load ptr, ptr %foo.entry, align 8
  %foo.own = load double, ptr %foo.private, align 8
  %bar.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %bar.private = load ptr, ptr %bar.entry, align 8
  %bar.own = load float, ptr %bar.private, align 4
  %words = bitcast double %foo.own to <2 x i32>
  %word = extractelement <2 x i32> %words, i32 0
  %word.1 = extractelement <2 x i32> %words, i32 1
  %word.2 = bitcast float %bar.own to i32
  %shuffled = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %word, i32 %delta, i32 31)
  %shuffled.1 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %word.1, i32 %delta, i32 31)
  %shuffled.2 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %word.2, i32 %delta, i32 31)
  %words.1 = call double @llvm.nvvm.lohi.i2d(i32 %shuffled, i32 %shuffled.1)
  %remote = bitcast i32 %shuffled.2 to float
  %foo.combined = fadd double %foo.own, %words.1
  %foo.next = select i1 %reduces, double %foo.combined, double %foo.own
  store double %foo.next, ptr %foo.private, align 8
  %bar.combined = fadd float %bar.own, %remote
  %bar.next = select i1 %reduces, float %bar.combined, float %bar.own
  store float %bar.next, ptr %bar.private, align 4
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
  %warp.buffer = getelementptr inbounds [16 x i8], ptr addrspace(3) @warpfold_inter_warp_buffers, i32 %warp
  %foo.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %foo.private = load ptr, ptr %foo.entry, align 8
  %foo.moved = load double, ptr %foo.private, align 8
  store double %foo.moved, ptr addrspace(3) %warp.buffer, align 8
  %bar.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %bar.private = load ptr, ptr %bar.entry, align 8
  %bar.shared = getelementptr inbounds i8, ptr addrspace(3) %warp.buffer, i64 8
  %bar.moved = load float, ptr %bar.private, align 4
  store float %bar.moved, ptr addrspace(3) %bar.shared, align 4
  br label %published

published:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %receives, label %collect, label %collected

collect:
  %warp.buffer.1 = getelementptr inbounds [16 x i8], ptr addrspace(3) @warpfold_inter_warp_buffers, i32 %thread
  %foo.entry.1 = getelementptr inbounds ptr, ptr %list, i64 0
  %foo.private.1 = load ptr, ptr %foo.entry.1, align 8
  %foo.moved.1 = load double, ptr addrspace(3) %warp.buffer.1, align 8
  store double %foo.moved.1, ptr %foo.private.1, align 8
  %bar.entry.1 = getelementptr inbounds ptr, ptr %list, i64 1
  %bar.private.1 = load ptr, ptr %bar.entry.1, align 8
  %bar.shared.1 = getelementptr inbounds i8, ptr addrspace(3) %warp.buffer.1, i64 8
  %bar.moved.1 = load float, ptr addrspace(3) %bar.shared.1, align 4
  store float %bar.moved.1, ptr %bar.private.1, align 4
  br label %collected

collected:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}

define void @warpfold_list_to_global_copy(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %foo.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %foo.private = load ptr, ptr %foo.entry, align 8
  %foo.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %foo.given = load double, ptr %foo.private, align 8
  store double %foo.given, ptr %foo.member, align 8
  %bar.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %bar.private = load ptr, ptr %bar.entry, align 8
  %bar.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 1
  %bar.given = load float, ptr %bar.private, align 4
  store float %bar.given, ptr %bar.member, align 4
  ret void
}

define void @warpfold_list_to_global_reduce(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %foo.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %foo.private = load ptr, ptr %foo.entry, align 8
  %foo.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %foo.given = load double, ptr %foo.private, align 8
  %foo.held = load double, ptr %foo.member, align 8
  %foo.combined = fadd double %foo.held, %foo.given
  store double %foo.combined, ptr %foo.member, align 8
  %bar.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %bar.private = load ptr, ptr %bar.entry, align 8
  %bar.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 1
  %bar.given = load float, ptr %bar.private, align 4
  %bar.held = load float, ptr %bar.member, align 4
  %bar.combined = fadd float %bar.held, %bar.given
  store float %bar.combined, ptr %bar.member, align 4
  ret void
}

define void @warpfold_global_to_list_copy(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %foo.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %foo.private = load ptr, ptr %foo.entry, align 8
  %foo.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %foo.given = load double, ptr %foo.member, align 8
  store double %foo.given, ptr %foo.private, align 8
  %bar.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %bar.private = load ptr, ptr %bar.entry, align 8
  %bar.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 1
  %bar.given = load float, ptr %bar.member, align 4
  store float %bar.given, ptr %bar.private, align 4
  ret void
}

define void @warpfold_global_to_list_reduce(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %foo.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %foo.private = load ptr, ptr %foo.entry, align 8
  %foo.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %foo.given = load double, ptr %foo.member, align 8
  %foo.held = load double, ptr %foo.private, align 8
  %foo.combined = fadd double %foo.held, %foo.given
  store double %foo.combined, ptr %foo.private, align 8
  %bar.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %bar.private = load ptr, ptr %bar.entry, align 8
  %bar.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 1
  %bar.given = load float, ptr %bar.member, align 4
  %bar.held = load float, ptr %bar.private, align 4
  %bar.combined = fadd float %bar.held, %bar.given
  store float %bar.combined, ptr %bar.private, align 4
  ret void
}

define void @warpfold_initialize(ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %foo.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %foo.private = load ptr, ptr %foo.entry, align 8
  store double -0.0, ptr %foo.private, align 8
  %bar.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %bar.private = load ptr, ptr %bar.entry, align 8
  store float -0.0, ptr %bar.private, align 4
  ret void
}

declare double @llvm.nvvm.lohi.i2d(i32, i32)
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.z()
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
