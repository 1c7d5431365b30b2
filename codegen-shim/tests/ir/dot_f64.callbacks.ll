; dot: f64 sum of array 0 * array 1
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%warpfold.record = type { double }
@warpfold_inter_warp_buffers = internal addrspace(3) global [32 x [8 x i8]] poison, align 16

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
  %dot.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %dot.private = load ptr, ptr %dot.entry, align 8
  %dot.own = load double, ptr %dot.private, align 8
  %words = bitcast double %dot.own to <2 x i32>
  %word = extractelement <2 x i32> %words, i32 0
  %word.1 = extractelement <2 x i32> %words, i32 1
  %shuffled = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %word, i32 %delta, i32 31)
  %shuffled.1 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %word.1, i32 %delta, i32 31)
  %words.1 = call double @llvm.nvvm.lohi.i2d(i32 %shuffled, i32 %shuffled.1)
  %dot.kept = select i1 %copies, double %words.1, double %dot.own
  %dot.combined = fadd double %dot.own, %words.1
  %dot.next = select i1 %reduces, double %dot.combined, double %dot.kept
  store double %dot.next, ptr %dot.private, align 8
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
  %dot.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %dot.private = load ptr, ptr %dot.entry, align 8
  %dot.own = load double, ptr %dot.private, align 8
  %words = bitcast double %dot.own to <2 x i32>
  %word = extractelement <2 x i32> %words, i32 0
  %word.1 = extractelement <2 x i32> %words, i32 1
  %shuffled = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %word, i32 %delta, i32 31)
  %shuffled.1 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %word.1, i32 %delta, i32 31)
  %words.1 = call double @llvm.nvvm.lohi.i2d(i32 %shuffled, i32 %shuffled.1)
  %dot.combined = fadd double %dot.own, %words.1
  %dot.next = select i1 %reduces, double %dot.combined, double %dot.own
  store double %dot.next, ptr %dot.private, align 8
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
  %warp.buffer = getelementptr inbounds [8 x i8], ptr addrspace(3) @warpfold_inter_warp_buffers, i32 %warp
  %dot.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %dot.private = load ptr, ptr %dot.entry, align 8
  %dot.moved = load double, ptr %dot.private, align 8
  store double %dot.moved, ptr addrspace(3) %warp.buffer, align 8
  br label %published

published:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %receives, label %collect, label %collected

collect:
  %warp.buffer.1 = getelementptr inbounds [8 x i8], ptr addrspace(3) @warpfold_inter_warp_buffers, i32 %thread
  %dot.entry.1 = getelementptr inbounds ptr, ptr %list, i64 0
  %dot.private.1 = load ptr, ptr %dot.entry.1, align 8
  %dot.moved.1 = load double, ptr addrspace(3) %warp.buffer.1, align 8
  store double %dot.moved.1, ptr %dot.private.1, align 8
  br label %collected

collected:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}

define void @warpfold_list_to_global_copy(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %dot.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %dot.private = load ptr, ptr %dot.entry, align 8
  %dot.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %dot.given = load double, ptr %dot.private, align 8
  store double %dot.given, ptr %dot.member, align 8
  ret void
}

define void @warpfold_list_to_global_reduce(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %dot.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %dot.private = load ptr, ptr %dot.entry, align 8
  %dot.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %dot.given = load double, ptr %dot.private, align 8
  %dot.held = load double, ptr %dot.member, align 8
  %dot.combined = fadd double %dot.held, %dot.given
  store double %dot.combined, ptr %dot.member, align 8
  ret void
}

define void @warpfold_global_to_list_copy(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %dot.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %dot.private = load ptr, ptr %dot.entry, align 8
  %dot.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %dot.given = load double, ptr %dot.member, align 8
  store double %dot.given, ptr %dot.private, align 8
  ret void
}

define void @warpfold_global_to_list_reduce(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %dot.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %dot.private = load ptr, ptr %dot.entry, align 8
  %dot.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %dot.given = load double, ptr %dot.member, align 8
  %dot.held = load double, ptr %dot.private, align 8
  %dot.combined = fadd double %dot.held, %dot.given
  store double %dot.combined, ptr %dot.private, align 8
  ret void
}

define void @warpfold_initialize(ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %dot.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %dot.private = load ptr, ptr %dot.entry, align 8
  store double -0.0, ptr %dot.private, align 8
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
