; best: f16 argmin of array 0
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%warpfold.record = type { { half, i64 } }
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
  %best.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %best.private = load ptr, ptr %best.entry, align 8
  %best.own = load half, ptr %best.private, align 2
  %best.own.at = getelementptr inbounds i8, ptr %best.private, i64 8
  %best.own.1 = load i64, ptr %best.own.at, align 8
  %words = bitcast i64 %best.own.1 to <2 x i32>
  %word = extractelement <2 x i32> %words, i32 0
  %word.1 = extractelement <2 x i32> %words, i32 1
  %bits = bitcast half %best.own to i16
  %word.2 = zext i16 %bits to i32
  %shuffled = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %word, i32 %delta, i32 31)
  %shuffled.1 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %word.1, i32 %delta, i32 31)
  %shuffled.2 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %word.2, i32 %delta, i32 31)
  %bits.1 = trunc i32 %shuffled.2 to i16
  %remote = bitcast i16 %bits.1 to half
  %words.1 = call double @llvm.nvvm.lohi.i2d(i32 %shuffled, i32 %shuffled.1)
  %remote.1 = bitcast double %words.1 to i64
  %best.kept = select i1 %copies, half %remote, half %best.own
  %best.kept.1 = select i1 %copies, i64 %remote.1, i64 %best.own.1
  %found = icmp sge i64 %best.own.1, 0
  %number = fcmp ord half %best.own, %best.own
  %found.1 = and i1 %found, %number
  %found.2 = icmp sge i64 %remote.1, 0
  %number.1 = fcmp ord half %remote, %remote
  %found.3 = and i1 %found.2, %number.1
  %better = fcmp olt half %remote, %best.own
  %equal = fcmp oeq half %remote, %best.own
  %earlier = icmp slt i64 %remote.1, %best.own.1
  %before = and i1 %equal, %earlier
  %wins = or i1 %better, %before
  %none = xor i1 %found.1, true
  %over = or i1 %none, %wins
  %takes = and i1 %found.3, %over
  %best.combined = select i1 %takes, half %remote, half %best.own
  %best.combined.1 = select i1 %takes, i64 %remote.1, i64 %best.own.1
  %best.next = select i1 %reduces, half %best.combined, half %best.kept
  %best.next.1 = select i1 %reduces, i64 %best.combined.1, i64 %best.kept.1
  store half %best.next, ptr %best.private, align 2
  %best.next.at = getelementptr inbounds i8, ptr %best.private, i64 8
  store i64 %best.next.1, ptr %best.next.at, align 8
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
  %best.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %best.private = load ptr, ptr %best.entry, align 8
  %best.own = load half, ptr %best.private, align 2
  %best.own.at = getelementptr inbounds i8, ptr %best.private, i64 8
  %best.own.1 = load i64, ptr %best.own.at, align 8
  %words = bitcast i64 %best.own.1 to <2 x i32>
  %word = extractelement <2 x i32> %words, i32 0
  %word.1 = extractelement <2 x i32> %words, i32 1
  %bits = bitcast half %best.own to i16
  %word.2 = zext i16 %bits to i32
  %shuffled = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %word, i32 %delta, i32 31)
  %shuffled.1 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %word.1, i32 %delta, i32 31)
  %shuffled.2 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %word.2, i32 %delta, i32 31)
  %bits.1 = trunc i32 %shuffled.2 to i16
  %remote = bitcast i16 %bits.1 to half
  %words.1 = call double @llvm.nvvm.lohi.i2d(i32 %shuffled, i32 %shuffled.1)
  %remote.1 = bitcast double %words.1 to i64
  %found = icmp sge i64 %best.own.1, 0
  %number = fcmp ord half %best.own, %best.own
  %found.1 = and i1 %found, %number
  %found.2 = icmp sge i64 %remote.1, 0
  %number.1 = fcmp ord half %remote, %remote
  %found.3 = and i1 %found.2, %number.1
  %better = fcmp olt half %remote, %best.own
  %equal = fcmp oeq half %remote, %best.own
  %earlier = icmp slt i64 %remote.1, %best.own.1
  %before = and i1 %equal, %earlier
  %wins = or i1 %better, %before
  %none = xor i1 %found.1, true
  %over = or i1 %none, %wins
  %takes = and i1 %found.3, %over
  %best.combined = select i1 %takes, half %remote, half %best.own
  %best.combined.1 = select i1 %takes, i64 %remote.1, i64 %best.own.1
  %best.next = select i1 %reduces, half %best.combined, half %best.own
  %best.next.1 = select i1 %reduces, i64 %best.combined.1, i64 %best.own.1
  store half %best.next, ptr %best.private, align 2
  %best.next.at = getelementptr inbounds i8, ptr %best.private, i64 8
  store i64 %best.next.1, ptr %best.next.at, align 8
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
  %best.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %best.private = load ptr, ptr %best.entry, align 8
  %best.moved = load half, ptr %best.private, align 2
  store half %best.moved, ptr addrspace(3) %warp.buffer, align 2
  %best.at = getelementptr inbounds i8, ptr %best.private, i64 8
  %best.shared = getelementptr inbounds i8, ptr addrspace(3) %warp.buffer, i64 8
  %best.moved.1 = load i64, ptr %best.at, align 8
  store i64 %best.moved.1, ptr addrspace(3) %best.shared, align 8
  br label %published

published:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %receives, label %collect, label %collected

collect:
  %warp.buffer.1 = getelementptr inbounds [16 x i8], ptr addrspace(3) @warpfold_inter_warp_buffers, i32 %thread
  %best.entry.1 = getelementptr inbounds ptr, ptr %list, i64 0
  %best.private.1 = load ptr, ptr %best.entry.1, align 8
  %best.moved.2 = load half, ptr addrspace(3) %warp.buffer.1, align 2
  store half %best.moved.2, ptr %best.private.1, align 2
  %best.at.1 = getelementptr inbounds i8, ptr %best.private.1, i64 8
  %best.shared.1 = getelementptr inbounds i8, ptr addrspace(3) %warp.buffer.1, i64 8
  %best.moved.3 = load i64, ptr addrspace(3) %best.shared.1, align 8
  store i64 %best.moved.3, ptr %best.at.1, align 8
  br label %collected

collected:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}

define void @warpfold_list_to_global_copy(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %best.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %best.private = load ptr, ptr %best.entry, align 8
  %best.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %best.given = load half, ptr %best.private, align 2
  %best.given.at = getelementptr inbounds i8, ptr %best.private, i64 8
  %best.given.1 = load i64, ptr %best.given.at, align 8
  store half %best.given, ptr %best.member, align 2
  %best.at = getelementptr inbounds i8, ptr %best.member, i64 8
  store i64 %best.given.1, ptr %best.at, align 8
  ret void
}

define void @warpfold_list_to_global_reduce(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %best.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %best.private = load ptr, ptr %best.entry, align 8
  %best.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %best.given = load half, ptr %best.private, align 2
  %best.given.at = getelementptr inbounds i8, ptr %best.private, i64 8
  %best.given.1 = load i64, ptr %best.given.at, align 8
  %best.held = load half, ptr %best.member, align 2
  %best.held.at = getelementptr inbounds i8, ptr %best.member, i64 8
  %best.held.1 = load i64, ptr %best.held.at, align 8
  %found = icmp sge i64 %best.held.1, 0
  %number = fcmp ord half %best.held, %best.held
  %found.1 = and i1 %found, %number
  %found.2 = icmp sge i64 %best.given.1, 0
  %number.1 = fcmp ord half %best.given, %best.given
  %found.3 = and i1 %found.2, %number.1
  %better = fcmp olt half %best.given, %best.held
  %equal = fcmp oeq half %best.given, %best.held
  %earlier = icmp slt i64 %best.given.1, %best.held.1
  %before = and i1 %equal, %earlier
  %wins = or i1 %better, %before
  %none = xor i1 %found.1, true
  %over = or i1 %none, %wins
  %takes = and i1 %found.3, %over
  %best.combined = select i1 %takes, half %best.given, half %best.held
  %best.combined.1 = select i1 %takes, i64 %best.given.1, i64 %best.held.1
  store half %best.combined, ptr %best.member, align 2
  %best.at = getelementptr inbounds i8, ptr %best.member, i64 8
  store i64 %best.combined.1, ptr %best.at, align 8
  ret void
}

define void @warpfold_global_to_list_copy(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %best.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %best.private = load ptr, ptr %best.entry, align 8
  %best.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %best.given = load half, ptr %best.member, align 2
  %best.given.at = getelementptr inbounds i8, ptr %best.member, i64 8
  %best.given.1 = load i64, ptr %best.given.at, align 8
  store half %best.given, ptr %best.private, align 2
  %best.at = getelementptr inbounds i8, ptr %best.private, i64 8
  store i64 %best.given.1, ptr %best.at, align 8
  ret void
}

define void @warpfold_global_to_list_reduce(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %best.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %best.private = load ptr, ptr %best.entry, align 8
  %best.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %best.given = load half, ptr %best.member, align 2
  %best.given.at = getelementptr inbounds i8, ptr %best.member, i64 8
  %best.given.1 = load i64, ptr %best.given.at, align 8
  %best.held = load half, ptr %best.private, align 2
  %best.held.at = getelementptr inbounds i8, ptr %best.private, i64 8
  %best.held.1 = load i64, ptr %best.held.at, align 8
  %found = icmp sge i64 %best.held.1, 0
  %number = fcmp ord half %best.held, %best.held
  %found.1 = and i1 %found, %number
  %found.2 = icmp sge i64 %best.given.1, 0
  %number.1 = fcmp ord half %best.given, %best.given
  %found.3 = and i1 %found.2, %number.1
  %better = fcmp olt half %best.given, %best.held
  %equal = fcmp oeq half %best.given, %best.held
  %earlier = icmp slt i64 %best.given.1, %best.held.1
  %before = and i1 %equal, %earlier
  %wins = or i1 %better, %before
  %none = xor i1 %found.1, true
  %over = or i1 %none, %wins
  %takes = and i1 %found.3, %over
  %best.combined = select i1 %takes, half %best.given, half %best.held
  %best.combined.1 = select i1 %takes, i64 %best.given.1, i64 %best.held.1
  store half %best.combined, ptr %best.private, align 2
  %best.at = getelementptr inbounds i8, ptr %best.private, i64 8
  store i64 %best.combined.1, ptr %best.at, align 8
  ret void
}

define void @warpfold_initialize(ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %best.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %best.private = load ptr, ptr %best.entry, align 8
  store half 0xH7E00, ptr %best.private, align 2
  %best.at = getelementptr inbounds i8, ptr %best.private, i64 8
  store i64 -1, ptr %best.at, align 8
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
