; sum: f64 sum of array 0
; product: f32 product of array 1
; most: i8 max of array 2
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%warpfold.record = type { double, float, i8 }
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
  %sum.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %sum.private = load ptr, ptr %sum.entry, align 8
  %sum.own = load double, ptr %sum.private, align 8
  %product.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %product.private = load ptr, ptr %product.entry, align 8
  %product.own = load float, ptr %product.private, align 4
  %most.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %most.private = load ptr, ptr %most.entry, align 8
  %most.own = load i8, ptr %most.private, align 1
  %words = bitcast double %sum.own to <2 x i32>
  %word = extractelement <2 x i32> %words, i32 0
  %word.1 = extractelement <2 x i32> %words, i32 1
  %word.2 = bitcast float %product.own to i32
  %word.3 = zext i8 %most.own to i32
  %shuffled = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %word, i32 %delta, i32 31)
  %shuffled.1 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %word.1, i32 %delta, i32 31)
  %shuffled.2 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %word.2, i32 %delta, i32 31)
  %shuffled.3 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %word.3, i32 %delta, i32 31)
  %words.1 = call double @llvm.nvvm.lohi.i2d(i32 %shuffled, i32 %shuffled.1)
  %remote = bitcast i32 %shuffled.2 to float
  %bits = trunc i32 %shuffled.3 to i8
  %sum.kept = select i1 %copies, double %words.1, double %sum.own
  %sum.combined = fadd double %sum.own, %words.1
  %sum.next = select i1 %reduces, double %sum.combined, double %sum.kept
  store double %sum.next, ptr %sum.private, align 8
  %product.kept = select i1 %copies, float %remote, float %product.own
  %product.combined = fmul float %product.own, %remote
  %product.next = select i1 %reduces, float %product.combined, float %product.kept
  store float %product.next, ptr %product.private, align 4
  %most.kept = select i1 %copies, i8 %bits, i8 %most.own
  %most.combined = call i8 @llvm.smax.i8(i8 %most.own, i8 %bits)
  %most.next = select i1 %reduces, i8 %most.combined, i8 %most.kept
  store i8 %most.next, ptr %most.private, align 1
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
  %sum.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %sum.private = load ptr, ptr %sum.entry, align 8
  %sum.own = load double, ptr %sum.private, align 8
  %product.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %product.private = load ptr, ptr %product.entry, align 8
  %product.own = load float, ptr %product.private, align 4
  %most.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %most.private = load ptr, ptr %most.entry, align 8
  %most.own = load i8, ptr %most.private, align 1
  %words = bitcast double %sum.own to <2 x i32>
  %word = extractelement <2 x i32> %words, i32 0
  %word.1 = extractelement <2 x i32> %words, i32 1
  %word.2 = bitcast float %product.own to i32
  %word.3 = zext i8 %most.own to i32
  %shuffled = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %word, i32 %delta, i32 31)
  %shuffled.1 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %word.1, i32 %delta, i32 31)
  %shuffled.2 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %word.2, i32 %delta, i32 31)
  %shuffled.3 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %word.3, i32 %delta, i32 31)
  %words.1 = call double @llvm.nvvm.lohi.i2d(i32 %shuffled, i32 %shuffled.1)
  %remote = bitcast i32 %shuffled.2 to float
  %bits = trunc i32 %shuffled.3 to i8
  %sum.combined = fadd double %sum.own, %words.1
  %sum.next = select i1 %reduces, double %sum.combined, double %sum.own
  store double %sum.next, ptr %sum.private, align 8
  %product.combined = fmul float %product.own, %remote
  %product.next = select i1 %reduces, float %product.combined, float %product.own
  store float %product.next, ptr %product.private, align 4
  %most.combined = call i8 @llvm.smax.i8(i8 %most.own, i8 %bits)
  %most.next = select i1 %reduces, i8 %most.combined, i8 %most.own
  store i8 %most.next, ptr %most.private, align 1
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
  %sum.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %sum.private = load ptr, ptr %sum.entry, align 8
  %sum.moved = load double, ptr %sum.private, align 8
  store double %sum.moved, ptr addrspace(3) %warp.buffer, align 8
  %product.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %product.private = load ptr, ptr %product.entry, align 8
  %product.shared = getelementptr inbounds i8, ptr addrspace(3) %warp.buffer, i64 8
  %product.moved = load float, ptr %product.private, align 4
  store float %product.moved, ptr addrspace(3) %product.shared, align 4
  %most.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %most.private = load ptr, ptr %most.entry, align 8
  %most.shared = getelementptr inbounds i8, ptr addrspace(3) %warp.buffer, i64 12
  %most.moved = load i8, ptr %most.private, align 1
  store i8 %most.moved, ptr addrspace(3) %most.shared, align 1
  br label %published

published:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %receives, label %collect, label %collected

collect:
  %warp.buffer.1 = getelementptr inbounds [16 x i8], ptr addrspace(3) @warpfold_inter_warp_buffers, i32 %thread
  %sum.entry.1 = getelementptr inbounds ptr, ptr %list, i64 0
  %sum.private.1 = load ptr, ptr %sum.entry.1, align 8
  %sum.moved.1 = load double, ptr addrspace(3) %warp.buffer.1, align 8
  store double %sum.moved.1, ptr %sum.private.1, align 8
  %product.entry.1 = getelementptr inbounds ptr, ptr %list, i64 1
  %product.private.1 = load ptr, ptr %product.entry.1, align 8
  %product.shared.1 = getelementptr inbounds i8, ptr addrspace(3) %warp.buffer.1, i64 8
  %product.moved.1 = load float, ptr addrspace(3) %product.shared.1, align 4
  store float %product.moved.1, ptr %product.private.1, align 4
  %most.entry.1 = getelementptr inbounds ptr, ptr %list, i64 2
  %most.private.1 = load ptr, ptr %most.entry.1, align 8
  %most.shared.1 = getelementptr inbounds i8, ptr addrspace(3) %warp.buffer.1, i64 12
  %most.moved.1 = load i8, ptr addrspace(3) %most.shared.1, align 1
  store i8 %most.moved.1, ptr %most.private.1, align 1
  br label %collected

collected:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}

define void @warpfold_list_to_global_copy(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %sum.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %sum.private = load ptr, ptr %sum.entry, align 8
  %sum.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %sum.given = load double, ptr %sum.private, align 8
  store double %sum.given, ptr %sum.member, align 8
  %product.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %product.private = load ptr, ptr %product.entry, align 8
  %product.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 1
  %product.given = load float, ptr %product.private, align 4
  store float %product.given, ptr %product.member, align 4
  %most.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %most.private = load ptr, ptr %most.entry, align 8
  %most.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 2
  %most.given = load i8, ptr %most.private, align 1
  store i8 %most.given, ptr %most.member, align 1
  ret void
}

define void @warpfold_list_to_global_reduce(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %sum.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %sum.private = load ptr, ptr %sum.entry, align 8
  %sum.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %sum.given = load double, ptr %sum.private, align 8
  %sum.held = load double, ptr %sum.member, align 8
  %sum.combined = fadd double %sum.held, %sum.given
  store double %sum.combined, ptr %sum.member, align 8
  %product.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %product.private = load ptr, ptr %product.entry, align 8
  %product.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 1
  %product.given = load float, ptr %product.private, align 4
  %product.held = load float, ptr %product.member, align 4
  %product.combined = fmul float %product.held, %product.given
  store float %product.combined, ptr %product.member, align 4
  %most.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %most.private = load ptr, ptr %most.entry, align 8
  %most.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 2
  %most.given = load i8, ptr %most.private, align 1
  %most.held = load i8, ptr %most.member, align 1
  %most.combined = call i8 @llvm.smax.i8(i8 %most.held, i8 %most.given)
  store i8 %most.combined, ptr %most.member, align 1
  ret void
}

define void @warpfold_global_to_list_copy(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %sum.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %sum.private = load ptr, ptr %sum.entry, align 8
  %sum.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %sum.given = load double, ptr %sum.member, align 8
  store double %sum.given, ptr %sum.private, align 8
  %product.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %product.private = load ptr, ptr %product.entry, align 8
  %product.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 1
  %product.given = load float, ptr %product.member, align 4
  store float %product.given, ptr %product.private, align 4
  %most.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %most.private = load ptr, ptr %most.entry, align 8
  %most.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 2
  %most.given = load i8, ptr %most.member, align 1
  store i8 %most.given, ptr %most.private, align 1
  ret void
}

define void @warpfold_global_to_list_reduce(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %sum.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %sum.private = load ptr, ptr %sum.entry, align 8
  %sum.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %sum.given = load double, ptr %sum.member, align 8
  %sum.held = load double, ptr %sum.private, align 8
  %sum.combined = fadd double %sum.held, %sum.given
  store double %sum.combined, ptr %sum.private, align 8
  %product.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %product.private = load ptr, ptr %product.entry, align 8
  %product.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 1
  %product.given = load float, ptr %product.member, align 4
  %product.held = load float, ptr %product.private, align 4
  %product.combined = fmul float %product.held, %product.given
  store float %product.combined, ptr %product.private, align 4
  %most.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %most.private = load ptr, ptr %most.entry, align 8
  %most.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 2
  %most.given = load i8, ptr %most.member, align 1
  %most.held = load i8, ptr %most.private, align 1
  %most.combined = call i8 @llvm.smax.i8(i8 %most.held, i8 %most.given)
  store i8 %most.combined, ptr %most.private, align 1
  ret void
}

define void @warpfold_initialize(ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %sum.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %sum.private = load ptr, ptr %sum.entry, align 8
  store double -0.0, ptr %sum.private, align 8
  %product.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %product.private = load ptr, ptr %product.entry, align 8
  store float 1.0, ptr %product.private, align 4
  %most.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %most.private = load ptr, ptr %most.entry, align 8
  store i8 -128, ptr %most.private, align 1
  ret void
}

declare double @llvm.nvvm.lohi.i2d(i32, i32)
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.z()
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
declare i8 @llvm.smax.i8(i8, i8)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
