; sum: i32 sum of array 0
; min: i32 min of array 0
; max: i32 max of array 0
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%warpfold.record = type { i32, i32, i32 }
@warpfold_inter_warp_buffers = internal addrspace(3) global [32 x [12 x i8]] poison, align 16

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
  %sum.own = load i32, ptr %sum.private, align 4
  %min.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %min.private = load ptr, ptr %min.entry, align 8
  %min.own = load i32, ptr %min.private, align 4
  %max.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %max.private = load ptr, ptr %max.entry, align 8
  %max.own = load i32, ptr %max.private, align 4
  %shuffled = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %sum.own, i32 %delta, i32 31)
  %shuffled.1 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %min.own, i32 %delta, i32 31)
  %shuffled.2 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %max.own, i32 %delta, i32 31)
  %sum.kept = select i1 %copies, i32 %shuffled, i32 %sum.own
  %sum.combined = add i32 %sum.own, %shuffled
  %sum.next = select i1 %reduces, i32 %sum.combined, i32 %sum.kept
  store i32 %sum.next, ptr %sum.private, align 4
  %min.kept = select i1 %copies, i32 %shuffled.1, i32 %min.own
  %min.combined = call i32 @llvm.smin.i32(i32 %min.own, i32 %shuffled.1)
  %min.next = select i1 %reduces, i32 %min.combined, i32 %min.kept
  store i32 %min.next, ptr %min.private, align 4
  %max.kept = select i1 %copies, i32 %shuffled.2, i32 %max.own
  %max.combined = call i32 @llvm.smax.i32(i32 %max.own, i32 %shuffled.2)
  %max.next = select i1 %reduces, i32 %max.combined, i32 %max.kept
  store i32 %max.next, ptr %max.private, align 4
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
  %sum.own = load i32, ptr %sum.private, align 4
  %min.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %min.private = load ptr, ptr %min.entry, align 8
  %min.own = load i32, ptr %min.private, align 4
  %max.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %max.private = load ptr, ptr %max.entry, align 8
  %max.own = load i32, ptr %max.private, align 4
  %shuffled = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %sum.own, i32 %delta, i32 31)
  %shuffled.1 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %min.own, i32 %delta, i32 31)
  %shuffled.2 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %max.own, i32 %delta, i32 31)
  %sum.combined = add i32 %sum.own, %shuffled
  %sum.next = select i1 %reduces, i32 %sum.combined, i32 %sum.own
  store i32 %sum.next, ptr %sum.private, align 4
  %min.combined = call i32 @llvm.smin.i32(i32 %min.own, i32 %shuffled.1)
  %min.next = select i1 %reduces, i32 %min.combined, i32 %min.own
  store i32 %min.next, ptr %min.private, align 4
  %max.combined = call i32 @llvm.smax.i32(i32 %max.own, i32 %shuffled.2)
  %max.next = select i1 %reduces, i32 %max.combined, i32 %max.own
  store i32 %max.next, ptr %max.private, align 4
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
  %warp.buffer = getelementptr inbounds [12 x i8], ptr addrspace(3) @warpfold_inter_warp_buffers, i32 %warp
  %sum.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %sum.private = load ptr, ptr %sum.entry, align 8
  %sum.moved = load i32, ptr %sum.private, align 4
  store i32 %sum.moved, ptr addrspace(3) %warp.buffer, align 4
  %min.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %min.private = load ptr, ptr %min.entry, align 8
  %min.shared = getelementptr inbounds i8, ptr addrspace(3) %warp.buffer, i64 4
  %min.moved = load i32, ptr %min.private, align 4
  store i32 %min.moved, ptr addrspace(3) %min.shared, align 4
  %max.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %max.private = load ptr, ptr %max.entry, align 8
  %max.shared = getelementptr inbounds i8, ptr addrspace(3) %warp.buffer, i64 8
  %max.moved = load i32, ptr %max.private, align 4
  store i32 %max.moved, ptr addrspace(3) %max.shared, align 4
  br label %published

published:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %receives, label %collect, label %collected

collect:
  %warp.buffer.1 = getelementptr inbounds [12 x i8], ptr addrspace(3) @warpfold_inter_warp_buffers, i32 %thread
  %sum.entry.1 = getelementptr inbounds ptr, ptr %list, i64 0
  %sum.private.1 = load ptr, ptr %sum.entry.1, align 8
  %sum.moved.1 = load i32, ptr addrspace(3) %warp.buffer.1, align 4
  store i32 %sum.moved.1, ptr %sum.private.1, align 4
  %min.entry.1 = getelementptr inbounds ptr, ptr %list, i64 1
  %min.private.1 = load ptr, ptr %min.entry.1, align 8
  %min.shared.1 = getelementptr inbounds i8, ptr addrspace(3) %warp.buffer.1, i64 4
  %min.moved.1 = load i32, ptr addrspace(3) %min.shared.1, align 4
  store i32 %min.moved.1, ptr %min.private.1, align 4
  %max.entry.1 = getelementptr inbounds ptr, ptr %list, i64 2
  %max.private.1 = load ptr, ptr %max.entry.1, align 8
  %max.shared.1 = getelementptr inbounds i8, ptr addrspace(3) %warp.buffer.1, i64 8
  %max.moved.1 = load i32, ptr addrspace(3) %max.shared.1, align 4
  store i32 %max.moved.1, ptr %max.private.1, align 4
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
  %sum.given = load i32, ptr %sum.private, align 4
  store i32 %sum.given, ptr %sum.member, align 4
  %min.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %min.private = load ptr, ptr %min.entry, align 8
  %min.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 1
  %min.given = load i32, ptr %min.private, align 4
  store i32 %min.given, ptr %min.member, align 4
  %max.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %max.private = load ptr, ptr %max.entry, align 8
  %max.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 2
  %max.given = load i32, ptr %max.private, align 4
  store i32 %max.given, ptr %max.member, align 4
  ret void
}

define void @warpfold_list_to_global_reduce(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %sum.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %sum.private = load ptr, ptr %sum.entry, align 8
  %sum.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %sum.given = load i32, ptr %sum.private, align 4
  %sum.held = load i32, ptr %sum.member, align 4
  %sum.combined = add i32 %sum.held, %sum.given
  store i32 %sum.combined, ptr %sum.member, align 4
  %min.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %min.private = load ptr, ptr %min.entry, align 8
  %min.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 1
  %min.given = load i32, ptr %min.private, align 4
  %min.held = load i32, ptr %min.member, align 4
  %min.combined = call i32 @llvm.smin.i32(i32 %min.held, i32 %min.given)
  store i32 %min.combined, ptr %min.member, align 4
  %max.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %max.private = load ptr, ptr %max.entry, align 8
  %max.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 2
  %max.given = load i32, ptr %max.private, align 4
  %max.held = load i32, ptr %max.member, align 4
  %max.combined = call i32 @llvm.smax.i32(i32 %max.held, i32 %max.given)
  store i32 %max.combined, ptr %max.member, align 4
  ret void
}

define void @warpfold_global_to_list_copy(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %sum.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %sum.private = load ptr, ptr %sum.entry, align 8
  %sum.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %sum.given = load i32, ptr %sum.member, align 4
  store i32 %sum.given, ptr %sum.private, align 4
  %min.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %min.private = load ptr, ptr %min.entry, align 8
  %min.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 1
  %min.given = load i32, ptr %min.member, align 4
  store i32 %min.given, ptr %min.private, align 4
  %max.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %max.private = load ptr, ptr %max.entry, align 8
  %max.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 2
  %max.given = load i32, ptr %max.member, align 4
  store i32 %max.given, ptr %max.private, align 4
  ret void
}

define void @warpfold_global_to_list_reduce(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %sum.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %sum.private = load ptr, ptr %sum.entry, align 8
  %sum.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %sum.given = load i32, ptr %sum.member, align 4
  %sum.held = load i32, ptr %sum.private, align 4
  %sum.combined = add i32 %sum.held, %sum.given
  store i32 %sum.combined, ptr %sum.private, align 4
  %min.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %min.private = load ptr, ptr %min.entry, align 8
  %min.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 1
  %min.given = load i32, ptr %min.member, align 4
  %min.held = load i32, ptr %min.private, align 4
  %min.combined = call i32 @llvm.smin.i32(i32 %min.held, i32 %min.given)
  store i32 %min.combined, ptr %min.private, align 4
  %max.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %max.private = load ptr, ptr %max.entry, align 8
  %max.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 2
  %max.given = load i32, ptr %max.member, align 4
  %max.held = load i32, ptr %max.private, align 4
  %max.combined = call i32 @llvm.smax.i32(i32 %max.held, i32 %max.given)
  store i32 %max.combined, ptr %max.private, align 4
  ret void
}

define void @warpfold_initialize(ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %sum.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %sum.private = load ptr, ptr %sum.entry, align 8
  store i32 0, ptr %sum.private, align 4
  %min.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %min.private = load ptr, ptr %min.entry, align 8
  store i32 2147483647, ptr %min.private, align 4
  %max.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %max.private = load ptr, ptr %max.entry, align 8
  store i32 -2147483648, ptr %max.private, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.z()
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.smin.i32(i32, i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
