; total.0: i64 sum of array 0
; total.1: i64 sum of array 0
; first.0: i32 argmax of array 0
; first.1: i32 argmax of array 0
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%warpfold.record = type { i64, i64, { i32, i64 }, { i32, i64 } }
@warpfold_inter_warp_buffers = internal addrspace(3) global [32 x [48 x i8]] poison, align 16

; Every lane of the warp that exists calls it, converged, with the same offset and algo.
define internal void @warpfold_shuffle_and_reduce(ptr %list, i16 %lane, i16 %offset, i16 %algo) alwaysinline convergent mustprogress nounwind {
entry:
  call void @warpfold_shuffle_and_reduce_masked(ptr %list, i32 -1, i16 %lane, i16 %offset, i16 %algo)
  ret void
}

; The lanes of mask call it, converged, with the same mask and algo.
define internal void @warpfold_shuffle_and_reduce_masked(ptr %list, i32 %mask, i16 %lane, i16 %offset, i16 %algo) alwaysinline convergent mustprogress nounwind {
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
  %total.0.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %total.0.private = load ptr, ptr %total.0.entry, align 8
  %total.0.own = load i64, ptr %total.0.private, align 8
  %total.1.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %total.1.private = load ptr, ptr %total.1.entry, align 8
  %total.1.own = load i64, ptr %total.1.private, align 8
  %first.0.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %first.0.private = load ptr, ptr %first.0.entry, align 8
  %first.0.own = load i32, ptr %first.0.private, align 4
  %first.0.own.at = getelementptr inbounds i8, ptr %first.0.private, i64 8
  %first.0.own.1 = load i64, ptr %first.0.own.at, align 8
  %first.1.entry = getelementptr inbounds ptr, ptr %list, i64 3
  %first.1.private = load ptr, ptr %first.1.entry, align 8
  %first.1.own = load i32, ptr %first.1.private, align 4
  %first.1.own.at = getelementptr inbounds i8, ptr %first.1.private, i64 8
  %first.1.own.1 = load i64, ptr %first.1.own.at, align 8
  %words = bitcast i64 %total.0.own to <2 x i32>
  %word = extractelement <2 x i32> %words, i32 0
  %word.1 = extractelement <2 x i32> %words, i32 1
  %words.1 = bitcast i64 %total.1.own to <2 x i32>
  %word.2 = extractelement <2 x i32> %words.1, i32 0
  %word.3 = extractelement <2 x i32> %words.1, i32 1
  %words.2 = bitcast i64 %first.0.own.1 to <2 x i32>
  %word.4 = extractelement <2 x i32> %words.2, i32 0
  %word.5 = extractelement <2 x i32> %words.2, i32 1
  %words.3 = bitcast i64 %first.1.own.1 to <2 x i32>
  %word.6 = extractelement <2 x i32> %words.3, i32 0
  %word.7 = extractelement <2 x i32> %words.3, i32 1
  %shuffled = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %word, i32 %delta, i32 31)
  %shuffled.1 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %word.1, i32 %delta, i32 31)
  %shuffled.2 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %word.2, i32 %delta, i32 31)
  %shuffled.3 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %word.3, i32 %delta, i32 31)
  %shuffled.4 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %first.0.own, i32 %delta, i32 31)
  %shuffled.5 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %word.4, i32 %delta, i32 31)
  %shuffled.6 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %word.5, i32 %delta, i32 31)
  %shuffled.7 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %first.1.own, i32 %delta, i32 31)
  %shuffled.8 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %word.6, i32 %delta, i32 31)
  %shuffled.9 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %word.7, i32 %delta, i32 31)
  %words.4 = call double @llvm.nvvm.lohi.i2d(i32 %shuffled, i32 %shuffled.1)
  %remote = bitcast double %words.4 to i64
  %words.5 = call double @llvm.nvvm.lohi.i2d(i32 %shuffled.2, i32 %shuffled.3)
  %remote.1 = bitcast double %words.5 to i64
  %words.6 = call double @llvm.nvvm.lohi.i2d(i32 %shuffled.5, i32 %shuffled.6)
  %remote.2 = bitcast double %words.6 to i64
  %words.7 = call double @llvm.nvvm.lohi.i2d(i32 %shuffled.8, i32 %shuffled.9)
  %remote.3 = bitcast double %words.7 to i64
  %total.0.kept = select i1 %copies, i64 %remote, i64 %total.0.own
  %total.0.combined = add i64 %total.0.own, %remote
  %total.0.next = select i1 %reduces, i64 %total.0.combined, i64 %total.0.kept
  store i64 %total.0.next, ptr %total.0.private, align 8
  %total.1.kept = select i1 %copies, i64 %remote.1, i64 %total.1.own
  %total.1.combined = add i64 %total.1.own, %remote.1
  %total.1.next = select i1 %reduces, i64 %total.1.combined, i64 %total.1.kept
  store i64 %total.1.next, ptr %total.1.private, align 8
  %first.0.kept = select i1 %copies, i32 %shuffled.4, i32 %first.0.own
  %first.0.kept.1 = select i1 %copies, i64 %remote.2, i64 %first.0.own.1
  %found = icmp sge i64 %first.0.own.1, 0
  %found.1 = icmp sge i64 %remote.2, 0
  %better = icmp sgt i32 %shuffled.4, %first.0.own
  %equal = icmp eq i32 %shuffled.4, %first.0.own
  %earlier = icmp slt i64 %remote.2, %first.0.own.1
  %before = and i1 %equal, %earlier
  %wins = or i1 %better, %before
  %none = xor i1 %found, true
  %over = or i1 %none, %wins
  %takes = and i1 %found.1, %over
  %first.0.combined = select i1 %takes, i32 %shuffled.4, i32 %first.0.own
  %first.0.combined.1 = select i1 %takes, i64 %remote.2, i64 %first.0.own.1
  %first.0.next = select i1 %reduces, i32 %first.0.combined, i32 %first.0.kept
  %first.0.next.1 = select i1 %reduces, i64 %first.0.combined.1, i64 %first.0.kept.1
  store i32 %first.0.next, ptr %first.0.private, align 4
  %first.0.next.at = getelementptr inbounds i8, ptr %first.0.private, i64 8
  store i64 %first.0.next.1, ptr %first.0.next.at, align 8
  %first.1.kept = select i1 %copies, i32 %shuffled.7, i32 %first.1.own
  %first.1.kept.1 = select i1 %copies, i64 %remote.3, i64 %first.1.own.1
  %found.2 = icmp sge i64 %first.1.own.1, 0
  %found.3 = icmp sge i64 %remote.3, 0
  %better.1 = icmp sgt i32 %shuffled.7, %first.1.own
  %equal.1 = icmp eq i32 %shuffled.7, %first.1.own
  %earlier.1 = icmp slt i64 %remote.3, %first.1.own.1
  %before.1 = and i1 %equal.1, %earlier.1
  %wins.1 = or i1 %better.1, %before.1
  %none.1 = xor i1 %found.2, true
  %over.1 = or i1 %none.1, %wins.1
  %takes.1 = and i1 %found.3, %over.1
  %first.1.combined = select i1 %takes.1, i32 %shuffled.7, i32 %first.1.own
  %first.1.combined.1 = select i1 %takes.1, i64 %remote.3, i64 %first.1.own.1
  %first.1.next = select i1 %reduces, i32 %first.1.combined, i32 %first.1.kept
  %first.1.next.1 = select i1 %reduces, i64 %first.1.combined.1, i64 %first.1.kept.1
  store i32 %first.1.next, ptr %first.1.private, align 4
  %first.1.next.at = getelementptr inbounds i8, ptr %first.1.private, i64 8
  store i64 %first.1.next.1, ptr %first.1.next.at, align 8
  ret void
}

; Every lane of the warp that exists calls it, converged, with the same offset and size.
define internal void @warpfold_swap_and_reduce(ptr %list, i16 %offset, i16 %size) alwaysinline convergent mustprogress nounwind {
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
  %total.0.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %total.0.private = load ptr, ptr %total.0.entry, align 8
  %total.0.own = load i64, ptr %total.0.private, align 8
  %total.1.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %total.1.private = load ptr, ptr %total.1.entry, align 8
  %total.1.own = load i64, ptr %total.1.private, align 8
  %first.0.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %first.0.private = load ptr, ptr %first.0.entry, align 8
  %first.0.own = load i32, ptr %first.0.private, align 4
  %first.0.own.at = getelementptr inbounds i8, ptr %first.0.private, i64 8
  %first.0.own.1 = load i64, ptr %first.0.own.at, align 8
  %first.1.entry = getelementptr inbounds ptr, ptr %list, i64 3
  %first.1.private = load ptr, ptr %first.1.entry, align 8
  %first.1.own = load i32, ptr %first.1.private, align 4
  %first.1.own.at = getelementptr inbounds i8, ptr %first.1.private, i64 8
  %first.1.own.1 = load i64, ptr %first.1.own.at, align 8
  %words = bitcast i64 %total.0.own to <2 x i32>
  %word = extractelement <2 x i32> %words, i32 0
  %word.1 = extractelement <2 x i32> %words, i32 1
  %words.1 = bitcast i64 %total.1.own to <2 x i32>
  %word.2 = extractelement <2 x i32> %words.1, i32 0
  %word.3 = extractelement <2 x i32> %words.1, i32 1
  %words.2 = bitcast i64 %first.0.own.1 to <2 x i32>
  %word.4 = extractelement <2 x i32> %words.2, i32 0
  %word.5 = extractelement <2 x i32> %words.2, i32 1
  %words.3 = bitcast i64 %first.1.own.1 to <2 x i32>
  %word.6 = extractelement <2 x i32> %words.3, i32 0
  %word.7 = extractelement <2 x i32> %words.3, i32 1
  %shuffled = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %word, i32 %delta, i32 31)
  %shuffled.1 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %word.1, i32 %delta, i32 31)
  %shuffled.2 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %word.2, i32 %delta, i32 31)
  %shuffled.3 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %word.3, i32 %delta, i32 31)
  %shuffled.4 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %first.0.own, i32 %delta, i32 31)
  %shuffled.5 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %word.4, i32 %delta, i32 31)
  %shuffled.6 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %word.5, i32 %delta, i32 31)
  %shuffled.7 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %first.1.own, i32 %delta, i32 31)
  %shuffled.8 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %word.6, i32 %delta, i32 31)
  %shuffled.9 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %word.7, i32 %delta, i32 31)
  %words.4 = call double @llvm.nvvm.lohi.i2d(i32 %shuffled, i32 %shuffled.1)
  %remote = bitcast double %words.4 to i64
  %words.5 = call double @llvm.nvvm.lohi.i2d(i32 %shuffled.2, i32 %shuffled.3)
  %remote.1 = bitcast double %words.5 to i64
  %words.6 = call double @llvm.nvvm.lohi.i2d(i32 %shuffled.5, i32 %shuffled.6)
  %remote.2 = bitcast double %words.6 to i64
  %words.7 = call double @llvm.nvvm.lohi.i2d(i32 %shuffled.8, i32 %shuffled.9)
  %remote.3 = bitcast double %words.7 to i64
  %total.0.combined = add i64 %total.0.own, %remote
  %total.0.next = select i1 %reduces, i64 %total.0.combined, i64 %total.0.own
  store i64 %total.0.next, ptr %total.0.private, align 8
  %total.1.combined = add i64 %total.1.own, %remote.1
  %total.1.next = select i1 %reduces, i64 %total.1.combined, i64 %total.1.own
  store i64 %total.1.next, ptr %total.1.private, align 8
  %found = icmp sge i64 %first.0.own.1, 0
  %found.1 = icmp sge i64 %remote.2, 0
  %better = icmp sgt i32 %shuffled.4, %first.0.own
  %equal = icmp eq i32 %shuffled.4, %first.0.own
  %earlier = icmp slt i64 %remote.2, %first.0.own.1
  %before = and i1 %equal, %earlier
  %wins = or i1 %better, %before
  %none = xor i1 %found, true
  %over = or i1 %none, %wins
  %takes = and i1 %found.1, %over
  %first.0.combined = select i1 %takes, i32 %shuffled.4, i32 %first.0.own
  %first.0.combined.1 = select i1 %takes, i64 %remote.2, i64 %first.0.own.1
  %first.0.next = select i1 %reduces, i32 %first.0.combined, i32 %first.0.own
  %first.0.next.1 = select i1 %reduces, i64 %first.0.combined.1, i64 %first.0.own.1
  store i32 %first.0.next, ptr %first.0.private, align 4
  %first.0.next.at = getelementptr inbounds i8, ptr %first.0.private, i64 8
  store i64 %first.0.next.1, ptr %first.0.next.at, align 8
  %found.2 = icmp sge i64 %first.1.own.1, 0
  %found.3 = icmp sge i64 %remote.3, 0
  %better.1 = icmp sgt i32 %shuffled.7, %first.1.own
  %equal.1 = icmp eq i32 %shuffled.7, %first.1.own
  %earlier.1 = icmp slt i64 %remote.3, %first.1.own.1
  %before.1 = and i1 %equal.1, %earlier.1
  %wins.1 = or i1 %better.1, %before.1
  %none.1 = xor i1 %found.2, true
  %over.1 = or i1 %none.1, %wins.1
  %takes.1 = and i1 %found.3, %over.1
  %first.1.combined = select i1 %takes.1, i32 %shuffled.7, i32 %first.1.own
  %first.1.combined.1 = select i1 %takes.1, i64 %remote.3, i64 %first.1.own.1
  %first.1.next = select i1 %reduces, i32 %first.1.combined, i32 %first.1.own
  %first.1.next.1 = select i1 %reduces, i64 %first.1.combined.1, i64 %first.1.own.1
  store i32 %first.1.next, ptr %first.1.private, align 4
  %first.1.next.at = getelementptr inbounds i8, ptr %first.1.private, i64 8
  store i64 %first.1.next.1, ptr %first.1.next.at, align 8
  ret void
}

; Every thread of the block calls it, converged, with the same num_warps <= 32.
; The first barrier orders the stores of each warp's lane 0 before the loads; the second orders the
; loads before the next stores to the buffers, such as those of the following call.
define internal void @warpfold_inter_warp_copy(ptr %list, i32 %num_warps) alwaysinline convergent mustprogress nounwind {
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
  %warp.buffer = getelementptr inbounds [48 x i8], ptr addrspace(3) @warpfold_inter_warp_buffers, i32 %warp
  %total.0.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %total.0.private = load ptr, ptr %total.0.entry, align 8
  %total.0.moved = load i64, ptr %total.0.private, align 8
  store i64 %total.0.moved, ptr addrspace(3) %warp.buffer, align 8
  %total.1.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %total.1.private = load ptr, ptr %total.1.entry, align 8
  %total.1.shared = getelementptr inbounds i8, ptr addrspace(3) %warp.buffer, i64 8
  %total.1.moved = load i64, ptr %total.1.private, align 8
  store i64 %total.1.moved, ptr addrspace(3) %total.1.shared, align 8
  %first.0.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %first.0.private = load ptr, ptr %first.0.entry, align 8
  %first.0.shared = getelementptr inbounds i8, ptr addrspace(3) %warp.buffer, i64 16
  %first.0.moved = load i32, ptr %first.0.private, align 4
  store i32 %first.0.moved, ptr addrspace(3) %first.0.shared, align 4
  %first.0.at = getelementptr inbounds i8, ptr %first.0.private, i64 8
  %first.0.shared.1 = getelementptr inbounds i8, ptr addrspace(3) %warp.buffer, i64 24
  %first.0.moved.1 = load i64, ptr %first.0.at, align 8
  store i64 %first.0.moved.1, ptr addrspace(3) %first.0.shared.1, align 8
  %first.1.entry = getelementptr inbounds ptr, ptr %list, i64 3
  %first.1.private = load ptr, ptr %first.1.entry, align 8
  %first.1.shared = getelementptr inbounds i8, ptr addrspace(3) %warp.buffer, i64 32
  %first.1.moved = load i32, ptr %first.1.private, align 4
  store i32 %first.1.moved, ptr addrspace(3) %first.1.shared, align 4
  %first.1.at = getelementptr inbounds i8, ptr %first.1.private, i64 8
  %first.1.shared.1 = getelementptr inbounds i8, ptr addrspace(3) %warp.buffer, i64 40
  %first.1.moved.1 = load i64, ptr %first.1.at, align 8
  store i64 %first.1.moved.1, ptr addrspace(3) %first.1.shared.1, align 8
  br label %published

published:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %receives, label %collect, label %collected

collect:
  %warp.buffer.1 = getelementptr inbounds [48 x i8], ptr addrspace(3) @warpfold_inter_warp_buffers, i32 %thread
  %total.0.entry.1 = getelementptr inbounds ptr, ptr %list, i64 0
  %total.0.private.1 = load ptr, ptr %total.0.entry.1, align 8
  %total.0.moved.1 = load i64, ptr addrspace(3) %warp.buffer.1, align 8
  store i64 %total.0.moved.1, ptr %total.0.private.1, align 8
  %total.1.entry.1 = getelementptr inbounds ptr, ptr %list, i64 1
  %total.1.private.1 = load ptr, ptr %total.1.entry.1, align 8
  %total.1.shared.1 = getelementptr inbounds i8, ptr addrspace(3) %warp.buffer.1, i64 8
  %total.1.moved.1 = load i64, ptr addrspace(3) %total.1.shared.1, align 8
  store i64 %total.1.moved.1, ptr %total.1.private.1, align 8
  %first.0.entry.1 = getelementptr inbounds ptr, ptr %list, i64 2
  %first.0.private.1 = load ptr, ptr %first.0.entry.1, align 8
  %first.0.shared.2 = getelementptr inbounds i8, ptr addrspace(3) %warp.buffer.1, i64 16
  %first.0.moved.2 = load i32, ptr addrspace(3) %first.0.shared.2, align 4
  store i32 %first.0.moved.2, ptr %first.0.private.1, align 4
  %first.0.at.1 = getelementptr inbounds i8, ptr %first.0.private.1, i64 8
  %first.0.shared.3 = getelementptr inbounds i8, ptr addrspace(3) %warp.buffer.1, i64 24
  %first.0.moved.3 = load i64, ptr addrspace(3) %first.0.shared.3, align 8
  store i64 %first.0.moved.3, ptr %first.0.at.1, align 8
  %first.1.entry.1 = getelementptr inbounds ptr, ptr %list, i64 3
  %first.1.private.1 = load ptr, ptr %first.1.entry.1, align 8
  %first.1.shared.2 = getelementptr inbounds i8, ptr addrspace(3) %warp.buffer.1, i64 32
  %first.1.moved.2 = load i32, ptr addrspace(3) %first.1.shared.2, align 4
  store i32 %first.1.moved.2, ptr %first.1.private.1, align 4
  %first.1.at.1 = getelementptr inbounds i8, ptr %first.1.private.1, i64 8
  %first.1.shared.3 = getelementptr inbounds i8, ptr addrspace(3) %warp.buffer.1, i64 40
  %first.1.moved.3 = load i64, ptr addrspace(3) %first.1.shared.3, align 8
  store i64 %first.1.moved.3, ptr %first.1.at.1, align 8
  br label %collected

collected:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}

define internal void @warpfold_list_to_global_copy(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %total.0.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %total.0.private = load ptr, ptr %total.0.entry, align 8
  %total.0.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %total.0.given = load i64, ptr %total.0.private, align 8
  store i64 %total.0.given, ptr %total.0.member, align 8
  %total.1.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %total.1.private = load ptr, ptr %total.1.entry, align 8
  %total.1.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 1
  %total.1.given = load i64, ptr %total.1.private, align 8
  store i64 %total.1.given, ptr %total.1.member, align 8
  %first.0.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %first.0.private = load ptr, ptr %first.0.entry, align 8
  %first.0.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 2
  %first.0.given = load i32, ptr %first.0.private, align 4
  %first.0.given.at = getelementptr inbounds i8, ptr %first.0.private, i64 8
  %first.0.given.1 = load i64, ptr %first.0.given.at, align 8
  store i32 %first.0.given, ptr %first.0.member, align 4
  %first.0.at = getelementptr inbounds i8, ptr %first.0.member, i64 8
  store i64 %first.0.given.1, ptr %first.0.at, align 8
  %first.1.entry = getelementptr inbounds ptr, ptr %list, i64 3
  %first.1.private = load ptr, ptr %first.1.entry, align 8
  %first.1.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 3
  %first.1.given = load i32, ptr %first.1.private, align 4
  %first.1.given.at = getelementptr inbounds i8, ptr %first.1.private, i64 8
  %first.1.given.1 = load i64, ptr %first.1.given.at, align 8
  store i32 %first.1.given, ptr %first.1.member, align 4
  %first.1.at = getelementptr inbounds i8, ptr %first.1.member, i64 8
  store i64 %first.1.given.1, ptr %first.1.at, align 8
  ret void
}

define internal void @warpfold_list_to_global_reduce(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %total.0.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %total.0.private = load ptr, ptr %total.0.entry, align 8
  %total.0.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %total.0.given = load i64, ptr %total.0.private, align 8
  %total.0.held = load i64, ptr %total.0.member, align 8
  %total.0.combined = add i64 %total.0.held, %total.0.given
  store i64 %total.0.combined, ptr %total.0.member, align 8
  %total.1.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %total.1.private = load ptr, ptr %total.1.entry, align 8
  %total.1.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 1
  %total.1.given = load i64, ptr %total.1.private, align 8
  %total.1.held = load i64, ptr %total.1.member, align 8
  %total.1.combined = add i64 %total.1.held, %total.1.given
  store i64 %total.1.combined, ptr %total.1.member, align 8
  %first.0.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %first.0.private = load ptr, ptr %first.0.entry, align 8
  %first.0.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 2
  %first.0.given = load i32, ptr %first.0.private, align 4
  %first.0.given.at = getelementptr inbounds i8, ptr %first.0.private, i64 8
  %first.0.given.1 = load i64, ptr %first.0.given.at, align 8
  %first.0.held = load i32, ptr %first.0.member, align 4
  %first.0.held.at = getelementptr inbounds i8, ptr %first.0.member, i64 8
  %first.0.held.1 = load i64, ptr %first.0.held.at, align 8
  %found = icmp sge i64 %first.0.held.1, 0
  %found.1 = icmp sge i64 %first.0.given.1, 0
  %better = icmp sgt i32 %first.0.given, %first.0.held
  %equal = icmp eq i32 %first.0.given, %first.0.held
  %earlier = icmp slt i64 %first.0.given.1, %first.0.held.1
  %before = and i1 %equal, %earlier
  %wins = or i1 %better, %before
  %none = xor i1 %found, true
  %over = or i1 %none, %wins
  %takes = and i1 %found.1, %over
  %first.0.combined = select i1 %takes, i32 %first.0.given, i32 %first.0.held
  %first.0.combined.1 = select i1 %takes, i64 %first.0.given.1, i64 %first.0.held.1
  store i32 %first.0.combined, ptr %first.0.member, align 4
  %first.0.at = getelementptr inbounds i8, ptr %first.0.member, i64 8
  store i64 %first.0.combined.1, ptr %first.0.at, align 8
  %first.1.entry = getelementptr inbounds ptr, ptr %list, i64 3
  %first.1.private = load ptr, ptr %first.1.entry, align 8
  %first.1.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 3
  %first.1.given = load i32, ptr %first.1.private, align 4
  %first.1.given.at = getelementptr inbounds i8, ptr %first.1.private, i64 8
  %first.1.given.1 = load i64, ptr %first.1.given.at, align 8
  %first.1.held = load i32, ptr %first.1.member, align 4
  %first.1.held.at = getelementptr inbounds i8, ptr %first.1.member, i64 8
  %first.1.held.1 = load i64, ptr %first.1.held.at, align 8
  %found.2 = icmp sge i64 %first.1.held.1, 0
  %found.3 = icmp sge i64 %first.1.given.1, 0
  %better.1 = icmp sgt i32 %first.1.given, %first.1.held
  %equal.1 = icmp eq i32 %first.1.given, %first.1.held
  %earlier.1 = icmp slt i64 %first.1.given.1, %first.1.held.1
  %before.1 = and i1 %equal.1, %earlier.1
  %wins.1 = or i1 %better.1, %before.1
  %none.1 = xor i1 %found.2, true
  %over.1 = or i1 %none.1, %wins.1
  %takes.1 = and i1 %found.3, %over.1
  %first.1.combined = select i1 %takes.1, i32 %first.1.given, i32 %first.1.held
  %first.1.combined.1 = select i1 %takes.1, i64 %first.1.given.1, i64 %first.1.held.1
  store i32 %first.1.combined, ptr %first.1.member, align 4
  %first.1.at = getelementptr inbounds i8, ptr %first.1.member, i64 8
  store i64 %first.1.combined.1, ptr %first.1.at, align 8
  ret void
}

define internal void @warpfold_global_to_list_copy(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %total.0.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %total.0.private = load ptr, ptr %total.0.entry, align 8
  %total.0.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %total.0.given = load i64, ptr %total.0.member, align 8
  store i64 %total.0.given, ptr %total.0.private, align 8
  %total.1.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %total.1.private = load ptr, ptr %total.1.entry, align 8
  %total.1.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 1
  %total.1.given = load i64, ptr %total.1.member, align 8
  store i64 %total.1.given, ptr %total.1.private, align 8
  %first.0.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %first.0.private = load ptr, ptr %first.0.entry, align 8
  %first.0.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 2
  %first.0.given = load i32, ptr %first.0.member, align 4
  %first.0.given.at = getelementptr inbounds i8, ptr %first.0.member, i64 8
  %first.0.given.1 = load i64, ptr %first.0.given.at, align 8
  store i32 %first.0.given, ptr %first.0.private, align 4
  %first.0.at = getelementptr inbounds i8, ptr %first.0.private, i64 8
  store i64 %first.0.given.1, ptr %first.0.at, align 8
  %first.1.entry = getelementptr inbounds ptr, ptr %list, i64 3
  %first.1.private = load ptr, ptr %first.1.entry, align 8
  %first.1.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 3
  %first.1.given = load i32, ptr %first.1.member, align 4
  %first.1.given.at = getelementptr inbounds i8, ptr %first.1.member, i64 8
  %first.1.given.1 = load i64, ptr %first.1.given.at, align 8
  store i32 %first.1.given, ptr %first.1.private, align 4
  %first.1.at = getelementptr inbounds i8, ptr %first.1.private, i64 8
  store i64 %first.1.given.1, ptr %first.1.at, align 8
  ret void
}

define internal void @warpfold_global_to_list_reduce(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %total.0.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %total.0.private = load ptr, ptr %total.0.entry, align 8
  %total.0.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %total.0.given = load i64, ptr %total.0.member, align 8
  %total.0.held = load i64, ptr %total.0.private, align 8
  %total.0.combined = add i64 %total.0.held, %total.0.given
  store i64 %total.0.combined, ptr %total.0.private, align 8
  %total.1.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %total.1.private = load ptr, ptr %total.1.entry, align 8
  %total.1.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 1
  %total.1.given = load i64, ptr %total.1.member, align 8
  %total.1.held = load i64, ptr %total.1.private, align 8
  %total.1.combined = add i64 %total.1.held, %total.1.given
  store i64 %total.1.combined, ptr %total.1.private, align 8
  %first.0.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %first.0.private = load ptr, ptr %first.0.entry, align 8
  %first.0.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 2
  %first.0.given = load i32, ptr %first.0.member, align 4
  %first.0.given.at = getelementptr inbounds i8, ptr %first.0.member, i64 8
  %first.0.given.1 = load i64, ptr %first.0.given.at, align 8
  %first.0.held = load i32, ptr %first.0.private, align 4
  %first.0.held.at = getelementptr inbounds i8, ptr %first.0.private, i64 8
  %first.0.held.1 = load i64, ptr %first.0.held.at, align 8
  %found = icmp sge i64 %first.0.held.1, 0
  %found.1 = icmp sge i64 %first.0.given.1, 0
  %better = icmp sgt i32 %first.0.given, %first.0.held
  %equal = icmp eq i32 %first.0.given, %first.0.held
  %earlier = icmp slt i64 %first.0.given.1, %first.0.held.1
  %before = and i1 %equal, %earlier
  %wins = or i1 %better, %before
  %none = xor i1 %found, true
  %over = or i1 %none, %wins
  %takes = and i1 %found.1, %over
  %first.0.combined = select i1 %takes, i32 %first.0.given, i32 %first.0.held
  %first.0.combined.1 = select i1 %takes, i64 %first.0.given.1, i64 %first.0.held.1
  store i32 %first.0.combined, ptr %first.0.private, align 4
  %first.0.at = getelementptr inbounds i8, ptr %first.0.private, i64 8
  store i64 %first.0.combined.1, ptr %first.0.at, align 8
  %first.1.entry = getelementptr inbounds ptr, ptr %list, i64 3
  %first.1.private = load ptr, ptr %first.1.entry, align 8
  %first.1.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 3
  %first.1.given = load i32, ptr %first.1.member, align 4
  %first.1.given.at = getelementptr inbounds i8, ptr %first.1.member, i64 8
  %first.1.given.1 = load i64, ptr %first.1.given.at, align 8
  %first.1.held = load i32, ptr %first.1.private, align 4
  %first.1.held.at = getelementptr inbounds i8, ptr %first.1.private, i64 8
  %first.1.held.1 = load i64, ptr %first.1.held.at, align 8
  %found.2 = icmp sge i64 %first.1.held.1, 0
  %found.3 = icmp sge i64 %first.1.given.1, 0
  %better.1 = icmp sgt i32 %first.1.given, %first.1.held
  %equal.1 = icmp eq i32 %first.1.given, %first.1.held
  %earlier.1 = icmp slt i64 %first.1.given.1, %first.1.held.1
  %before.1 = and i1 %equal.1, %earlier.1
  %wins.1 = or i1 %better.1, %before.1
  %none.1 = xor i1 %found.2, true
  %over.1 = or i1 %none.1, %wins.1
  %takes.1 = and i1 %found.3, %over.1
  %first.1.combined = select i1 %takes.1, i32 %first.1.given, i32 %first.1.held
  %first.1.combined.1 = select i1 %takes.1, i64 %first.1.given.1, i64 %first.1.held.1
  store i32 %first.1.combined, ptr %first.1.private, align 4
  %first.1.at = getelementptr inbounds i8, ptr %first.1.private, i64 8
  store i64 %first.1.combined.1, ptr %first.1.at, align 8
  ret void
}

define internal void @warpfold_initialize(ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %total.0.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %total.0.private = load ptr, ptr %total.0.entry, align 8
  store i64 0, ptr %total.0.private, align 8
  %total.1.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %total.1.private = load ptr, ptr %total.1.entry, align 8
  store i64 0, ptr %total.1.private, align 8
  %first.0.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %first.0.private = load ptr, ptr %first.0.entry, align 8
  store i32 -2147483648, ptr %first.0.private, align 4
  %first.0.at = getelementptr inbounds i8, ptr %first.0.private, i64 8
  store i64 -1, ptr %first.0.at, align 8
  %first.1.entry = getelementptr inbounds ptr, ptr %list, i64 3
  %first.1.private = load ptr, ptr %first.1.entry, align 8
  store i32 -2147483648, ptr %first.1.private, align 4
  %first.1.at = getelementptr inbounds i8, ptr %first.1.private, i64 8
  store i64 -1, ptr %first.1.at, align 8
  ret void
}

define ptx_kernel void @warpfold_reduce_columns(i64 %rows, i64 %columns, ptr addrspace(1) align 16 %workspace, ptr addrspace(1) align 8 %result.total, ptr addrspace(1) align 8 %result.first, ptr addrspace(1) noalias readonly align 4 %array0) convergent mustprogress nounwind "nvvm.maxntid"="256" {
entry:
  %private = alloca %warpfold.record, align 8
  %list = alloca [4 x ptr], align 8
  %total.0.member = getelementptr inbounds %warpfold.record, ptr %private, i64 0, i32 0
  %total.0.entry = getelementptr inbounds ptr, ptr %list, i64 0
  store ptr %total.0.member, ptr %total.0.entry, align 8
  %total.1.member = getelementptr inbounds %warpfold.record, ptr %private, i64 0, i32 1
  %total.1.entry = getelementptr inbounds ptr, ptr %list, i64 1
  store ptr %total.1.member, ptr %total.1.entry, align 8
  %first.0.member = getelementptr inbounds %warpfold.record, ptr %private, i64 0, i32 2
  %first.0.entry = getelementptr inbounds ptr, ptr %list, i64 2
  store ptr %first.0.member, ptr %first.0.entry, align 8
  %first.1.member = getelementptr inbounds %warpfold.record, ptr %private, i64 0, i32 3
  %first.1.entry = getelementptr inbounds ptr, ptr %list, i64 3
  store ptr %first.1.member, ptr %first.1.entry, align 8
  %tid.x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %tid.y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %tid.z = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %ntid.x = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ntid.y = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %planes = mul i32 %ntid.y, %tid.z
  %row = add i32 %tid.y, %planes
  %rows.1 = mul i32 %ntid.x, %row
  %thread = add i32 %tid.x, %rows.1
  %ctaid.x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %ctaid.y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %ctaid.z = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %nctaid.x = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %nctaid.y = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
  %planes.1 = mul i32 %nctaid.y, %ctaid.z
  %row.1 = add i32 %ctaid.y, %planes.1
  %rows.2 = mul i32 %nctaid.x, %row.1
  %block = add i32 %ctaid.x, %rows.2
  %ntid.x.1 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ntid.y.1 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %ntid.z = call i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
  %plane = mul i32 %ntid.x.1, %ntid.y.1
  %block.threads = mul i32 %plane, %ntid.z
  %nctaid.x.1 = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %nctaid.y.1 = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
  %nctaid.z = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.z()
  %plane.1 = mul i32 %nctaid.x.1, %nctaid.y.1
  %blocks = mul i32 %plane.1, %nctaid.z
  %wide = zext i32 %thread to i64
  %wide.1 = zext i32 %block to i64
  %wide.2 = zext i32 %block.threads to i64
  %wide.3 = zext i32 %blocks to i64
  %block.first = mul i64 %wide.1, %wide.2
  %grid.thread = add i64 %block.first, %wide
  %grid.threads = mul i64 %wide.3, %wide.2
  %generic = addrspacecast ptr addrspace(1) %workspace to ptr
  %last = sub i64 %columns, 1
  %nctaid.x.2 = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %nctaid.y.2 = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
  %nctaid.z.1 = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.z()
  %plane.2 = mul i32 %nctaid.x.2, %nctaid.y.2
  %grid.blocks = mul i32 %plane.2, %nctaid.z.1
  %blocks.1 = zext i32 %grid.blocks to i64
  %records = mul i64 %blocks.1, 48
  %stride = add i64 %records, 128
  br label %batches

batches:
  %first = phi i64 [ 0, %entry ], [ %next.4, %folded ]
  %workspace.offset = phi i64 [ 0, %entry ], [ %next.offset, %folded ]
  %goes.on = icmp ult i64 %first, %columns
  br i1 %goes.on, label %batch, label %batches.end

batch:
  %column = add i64 %first, 0
  %column.1 = call i64 @llvm.umin.i64(i64 %column, i64 %last)
  %column.2 = add i64 %first, 1
  %column.3 = call i64 @llvm.umin.i64(i64 %column.2, i64 %last)
  br label %rows.3

rows.3:
  %row.index = phi i64 [ %grid.thread, %batch ], [ %next.row, %row.2 ]
  %total.0 = phi i64 [ 0, %batch ], [ %total, %row.2 ]
  %total.1 = phi i64 [ 0, %batch ], [ %total.2, %row.2 ]
  %first.0 = phi i32 [ -2147483648, %batch ], [ %first.2, %row.2 ]
  %first.0.1 = phi i64 [ -1, %batch ], [ %first.3, %row.2 ]
  %first.1 = phi i32 [ -2147483648, %batch ], [ %first.4, %row.2 ]
  %first.1.1 = phi i64 [ -1, %batch ], [ %first.5, %row.2 ]
  %goes.on.1 = icmp ult i64 %row.index, %rows
  br i1 %goes.on.1, label %row.2, label %rows.end

row.2:
  %start = mul i64 %row.index, %columns
  %element = add i64 %start, %column.1
  %at = getelementptr i32, ptr addrspace(1) %array0, i64 %element
  %element.1 = load i32, ptr addrspace(1) %at, align 4, !invariant.load !0
  %element.2 = add i64 %start, %column.3
  %at.1 = getelementptr i32, ptr addrspace(1) %array0, i64 %element.2
  %element.3 = load i32, ptr addrspace(1) %at.1, align 4, !invariant.load !0
  %converted = sext i32 %element.1 to i64
  %total = add i64 %total.0, %converted
  %converted.1 = sext i32 %element.3 to i64
  %total.2 = add i64 %total.1, %converted.1
  %found = icmp sge i64 %first.0.1, 0
  %found.1 = icmp sge i64 %row.index, 0
  %better = icmp sgt i32 %element.1, %first.0
  %equal = icmp eq i32 %element.1, %first.0
  %earlier = icmp slt i64 %row.index, %first.0.1
  %before = and i1 %equal, %earlier
  %wins = or i1 %better, %before
  %none = xor i1 %found, true
  %over = or i1 %none, %wins
  %takes = and i1 %found.1, %over
  %first.2 = select i1 %takes, i32 %element.1, i32 %first.0
  %first.3 = select i1 %takes, i64 %row.index, i64 %first.0.1
  %found.2 = icmp sge i64 %first.1.1, 0
  %found.3 = icmp sge i64 %row.index, 0
  %better.1 = icmp sgt i32 %element.3, %first.1
  %equal.1 = icmp eq i32 %element.3, %first.1
  %earlier.1 = icmp slt i64 %row.index, %first.1.1
  %before.1 = and i1 %equal.1, %earlier.1
  %wins.1 = or i1 %better.1, %before.1
  %none.1 = xor i1 %found.2, true
  %over.1 = or i1 %none.1, %wins.1
  %takes.1 = and i1 %found.3, %over.1
  %first.4 = select i1 %takes.1, i32 %element.3, i32 %first.1
  %first.5 = select i1 %takes.1, i64 %row.index, i64 %first.1.1
  %next.row = add i64 %row.index, %grid.threads
  br label %rows.3

rows.end:
  %total.0.entry.1 = getelementptr inbounds ptr, ptr %list, i64 0
  %total.0.private = load ptr, ptr %total.0.entry.1, align 8
  store i64 %total.0, ptr %total.0.private, align 8
  %total.1.entry.1 = getelementptr inbounds ptr, ptr %list, i64 1
  %total.1.private = load ptr, ptr %total.1.entry.1, align 8
  store i64 %total.1, ptr %total.1.private, align 8
  %first.0.entry.1 = getelementptr inbounds ptr, ptr %list, i64 2
  %first.0.private = load ptr, ptr %first.0.entry.1, align 8
  store i32 %first.0, ptr %first.0.private, align 4
  %first.0.at = getelementptr inbounds i8, ptr %first.0.private, i64 8
  store i64 %first.0.1, ptr %first.0.at, align 8
  %first.1.entry.1 = getelementptr inbounds ptr, ptr %list, i64 3
  %first.1.private = load ptr, ptr %first.1.entry.1, align 8
  store i32 %first.1, ptr %first.1.private, align 4
  %first.1.at = getelementptr inbounds i8, ptr %first.1.private, i64 8
  store i64 %first.1.1, ptr %first.1.at, align 8
  %batch.workspace = getelementptr i8, ptr %generic, i64 %workspace.offset
  %holds = call i32 @__warpfold_grid_reduce(ptr %batch.workspace, ptr %list, ptr @warpfold_shuffle_and_reduce, ptr @warpfold_inter_warp_copy, ptr @warpfold_list_to_global_copy, ptr @warpfold_global_to_list_copy, ptr @warpfold_global_to_list_reduce)
  %has.result = icmp ne i32 %holds, 0
  br i1 %has.result, label %fold, label %folded

fold:
  %element.4 = add i64 %first, 0
  %exists = icmp ult i64 %element.4, %columns
  br i1 %exists, label %one, label %next

one:
  %at.2 = getelementptr i64, ptr addrspace(1) %result.total, i64 %element.4
  %total.0.held = load i64, ptr addrspace(1) %at.2, align 8
  %total.0.entry.2 = getelementptr inbounds ptr, ptr %list, i64 0
  %total.0.private.1 = load ptr, ptr %total.0.entry.2, align 8
  %total.0.given = load i64, ptr %total.0.private.1, align 8
  %total.0.1 = add i64 %total.0.held, %total.0.given
  store i64 %total.0.1, ptr addrspace(1) %at.2, align 8
  br label %next

next:
  %element.5 = add i64 %first, 1
  %exists.1 = icmp ult i64 %element.5, %columns
  br i1 %exists.1, label %one.1, label %next.1

one.1:
  %at.3 = getelementptr i64, ptr addrspace(1) %result.total, i64 %element.5
  %total.1.held = load i64, ptr addrspace(1) %at.3, align 8
  %total.1.entry.2 = getelementptr inbounds ptr, ptr %list, i64 1
  %total.1.private.1 = load ptr, ptr %total.1.entry.2, align 8
  %total.1.given = load i64, ptr %total.1.private.1, align 8
  %total.1.1 = add i64 %total.1.held, %total.1.given
  store i64 %total.1.1, ptr addrspace(1) %at.3, align 8
  br label %next.1

next.1:
  %element.6 = add i64 %first, 0
  %exists.2 = icmp ult i64 %element.6, %columns
  br i1 %exists.2, label %one.2, label %next.2

one.2:
  %at.4 = getelementptr { i32, i64 }, ptr addrspace(1) %result.first, i64 %element.6
  %first.0.held = load i32, ptr addrspace(1) %at.4, align 4
  %first.0.held.at = getelementptr inbounds i8, ptr addrspace(1) %at.4, i64 8
  %first.0.held.1 = load i64, ptr addrspace(1) %first.0.held.at, align 8
  %first.0.entry.2 = getelementptr inbounds ptr, ptr %list, i64 2
  %first.0.private.1 = load ptr, ptr %first.0.entry.2, align 8
  %first.0.given = load i32, ptr %first.0.private.1, align 4
  %first.0.given.at = getelementptr inbounds i8, ptr %first.0.private.1, i64 8
  %first.0.given.1 = load i64, ptr %first.0.given.at, align 8
  %found.4 = icmp sge i64 %first.0.held.1, 0
  %found.5 = icmp sge i64 %first.0.given.1, 0
  %better.2 = icmp sgt i32 %first.0.given, %first.0.held
  %equal.2 = icmp eq i32 %first.0.given, %first.0.held
  %earlier.2 = icmp slt i64 %first.0.given.1, %first.0.held.1
  %before.2 = and i1 %equal.2, %earlier.2
  %wins.2 = or i1 %better.2, %before.2
  %none.2 = xor i1 %found.4, true
  %over.2 = or i1 %none.2, %wins.2
  %takes.2 = and i1 %found.5, %over.2
  %first.0.2 = select i1 %takes.2, i32 %first.0.given, i32 %first.0.held
  %first.0.3 = select i1 %takes.2, i64 %first.0.given.1, i64 %first.0.held.1
  store i32 %first.0.2, ptr addrspace(1) %at.4, align 4
  %first.0.at.1 = getelementptr inbounds i8, ptr addrspace(1) %at.4, i64 8
  store i64 %first.0.3, ptr addrspace(1) %first.0.at.1, align 8
  br label %next.2

next.2:
  %element.7 = add i64 %first, 1
  %exists.3 = icmp ult i64 %element.7, %columns
  br i1 %exists.3, label %one.3, label %next.3

one.3:
  %at.5 = getelementptr { i32, i64 }, ptr addrspace(1) %result.first, i64 %element.7
  %first.1.held = load i32, ptr addrspace(1) %at.5, align 4
  %first.1.held.at = getelementptr inbounds i8, ptr addrspace(1) %at.5, i64 8
  %first.1.held.1 = load i64, ptr addrspace(1) %first.1.held.at, align 8
  %first.1.entry.2 = getelementptr inbounds ptr, ptr %list, i64 3
  %first.1.private.1 = load ptr, ptr %first.1.entry.2, align 8
  %first.1.given = load i32, ptr %first.1.private.1, align 4
  %first.1.given.at = getelementptr inbounds i8, ptr %first.1.private.1, i64 8
  %first.1.given.1 = load i64, ptr %first.1.given.at, align 8
  %found.6 = icmp sge i64 %first.1.held.1, 0
  %found.7 = icmp sge i64 %first.1.given.1, 0
  %better.3 = icmp sgt i32 %first.1.given, %first.1.held
  %equal.3 = icmp eq i32 %first.1.given, %first.1.held
  %earlier.3 = icmp slt i64 %first.1.given.1, %first.1.held.1
  %before.3 = and i1 %equal.3, %earlier.3
  %wins.3 = or i1 %better.3, %before.3
  %none.3 = xor i1 %found.6, true
  %over.3 = or i1 %none.3, %wins.3
  %takes.3 = and i1 %found.7, %over.3
  %first.1.2 = select i1 %takes.3, i32 %first.1.given, i32 %first.1.held
  %first.1.3 = select i1 %takes.3, i64 %first.1.given.1, i64 %first.1.held.1
  store i32 %first.1.2, ptr addrspace(1) %at.5, align 4
  %first.1.at.1 = getelementptr inbounds i8, ptr addrspace(1) %at.5, i64 8
  store i64 %first.1.3, ptr addrspace(1) %first.1.at.1, align 8
  br label %next.3

next.3:
  br label %folded

folded:
  %next.4 = add i64 %first, 2
  %next.offset = add i64 %workspace.offset, %stride
  br label %batches

batches.end:
  ret void
}

declare double @llvm.nvvm.lohi.i2d(i32, i32)
declare i32 @__warpfold_grid_reduce(ptr, ptr, ptr, ptr, ptr, ptr, ptr) convergent nounwind
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.z()
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
declare i64 @llvm.umin.i64(i64, i64)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

!0 = !{}
