; best: f16 argmin of array 0
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%warpfold.record = type { { half, i64 } }
@warpfold_inter_warp_slots = internal addrspace(3) global [32 x [16 x i8]] poison, align 16

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
  %words.1 = insertelement <2 x i32> poison, i32 %shuffled, i32 0
  %words.2 = insertelement <2 x i32> %words.1, i32 %shuffled.1, i32 1
  %remote.1 = bitcast <2 x i32> %words.2 to i64
  %best.kept = select i1 %copies, half %remote, half %best.own
  %best.kept.1 = select i1 %copies, i64 %remote.1, i64 %best.own.1
  %best = call half @llvm.minimumnum.f16(half %best.own, half %remote)
  %best.bits = bitcast half %best to i16
  %found = icmp sge i64 %best.own.1, 0
  %bits.2 = bitcast half %best.own to i16
  %is.best = icmp eq i16 %bits.2, %best.bits
  %number = fcmp ord half %best.own, %best.own
  %found.1 = and i1 %found, %number
  %found.2 = icmp sge i64 %remote.1, 0
  %bits.3 = bitcast half %remote to i16
  %is.best.1 = icmp eq i16 %bits.3, %best.bits
  %number.1 = fcmp ord half %remote, %remote
  %found.3 = and i1 %found.2, %number.1
  %none = xor i1 %found.1, true
  %worse = xor i1 %is.best, true
  %earlier = icmp slt i64 %remote.1, %best.own.1
  %over = or i1 %worse, %earlier
  %better = and i1 %is.best.1, %over
  %wins = or i1 %none, %better
  %takes = and i1 %found.3, %wins
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
  %words.1 = insertelement <2 x i32> poison, i32 %shuffled, i32 0
  %words.2 = insertelement <2 x i32> %words.1, i32 %shuffled.1, i32 1
  %remote.1 = bitcast <2 x i32> %words.2 to i64
  %best = call half @llvm.minimumnum.f16(half %best.own, half %remote)
  %best.bits = bitcast half %best to i16
  %found = icmp sge i64 %best.own.1, 0
  %bits.2 = bitcast half %best.own to i16
  %is.best = icmp eq i16 %bits.2, %best.bits
  %number = fcmp ord half %best.own, %best.own
  %found.1 = and i1 %found, %number
  %found.2 = icmp sge i64 %remote.1, 0
  %bits.3 = bitcast half %remote to i16
  %is.best.1 = icmp eq i16 %bits.3, %best.bits
  %number.1 = fcmp ord half %remote, %remote
  %found.3 = and i1 %found.2, %number.1
  %none = xor i1 %found.1, true
  %worse = xor i1 %is.best, true
  %earlier = icmp slt i64 %remote.1, %best.own.1
  %over = or i1 %worse, %earlier
  %better = and i1 %is.best.1, %over
  %wins = or i1 %none, %better
  %takes = and i1 %found.3, %wins
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
; loads before whatever stores to the slots next, which may be the following call of this function.
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
  %slot = getelementptr inbounds [16 x i8], ptr addrspace(3) @warpfold_inter_warp_slots, i32 %warp
  %best.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %best.private = load ptr, ptr %best.entry, align 8
  %best.moved = load half, ptr %best.private, align 2
  store half %best.moved, ptr addrspace(3) %slot, align 2
  %best.at = getelementptr inbounds i8, ptr %best.private, i64 8
  %best.slot = getelementptr inbounds i8, ptr addrspace(3) %slot, i64 8
  %best.moved.1 = load i64, ptr %best.at, align 8
  store i64 %best.moved.1, ptr addrspace(3) %best.slot, align 8
  br label %published

published:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %receives, label %collect, label %collected

collect:
  %slot.1 = getelementptr inbounds [16 x i8], ptr addrspace(3) @warpfold_inter_warp_slots, i32 %thread
  %best.entry.1 = getelementptr inbounds ptr, ptr %list, i64 0
  %best.private.1 = load ptr, ptr %best.entry.1, align 8
  %best.moved.2 = load half, ptr addrspace(3) %slot.1, align 2
  store half %best.moved.2, ptr %best.private.1, align 2
  %best.at.1 = getelementptr inbounds i8, ptr %best.private.1, i64 8
  %best.slot.1 = getelementptr inbounds i8, ptr addrspace(3) %slot.1, i64 8
  %best.moved.3 = load i64, ptr addrspace(3) %best.slot.1, align 8
  store i64 %best.moved.3, ptr %best.at.1, align 8
  br label %collected

collected:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}

define internal void @warpfold_list_to_global_copy(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
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

define internal void @warpfold_list_to_global_reduce(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
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
  %best = call half @llvm.minimumnum.f16(half %best.held, half %best.given)
  %best.bits = bitcast half %best to i16
  %found = icmp sge i64 %best.held.1, 0
  %bits = bitcast half %best.held to i16
  %is.best = icmp eq i16 %bits, %best.bits
  %number = fcmp ord half %best.held, %best.held
  %found.1 = and i1 %found, %number
  %found.2 = icmp sge i64 %best.given.1, 0
  %bits.1 = bitcast half %best.given to i16
  %is.best.1 = icmp eq i16 %bits.1, %best.bits
  %number.1 = fcmp ord half %best.given, %best.given
  %found.3 = and i1 %found.2, %number.1
  %none = xor i1 %found.1, true
  %worse = xor i1 %is.best, true
  %earlier = icmp slt i64 %best.given.1, %best.held.1
  %over = or i1 %worse, %earlier
  %better = and i1 %is.best.1, %over
  %wins = or i1 %none, %better
  %takes = and i1 %found.3, %wins
  %best.combined = select i1 %takes, half %best.given, half %best.held
  %best.combined.1 = select i1 %takes, i64 %best.given.1, i64 %best.held.1
  store half %best.combined, ptr %best.member, align 2
  %best.at = getelementptr inbounds i8, ptr %best.member, i64 8
  store i64 %best.combined.1, ptr %best.at, align 8
  ret void
}

define internal void @warpfold_global_to_list_copy(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
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

define internal void @warpfold_global_to_list_reduce(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
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
  %best = call half @llvm.minimumnum.f16(half %best.held, half %best.given)
  %best.bits = bitcast half %best to i16
  %found = icmp sge i64 %best.held.1, 0
  %bits = bitcast half %best.held to i16
  %is.best = icmp eq i16 %bits, %best.bits
  %number = fcmp ord half %best.held, %best.held
  %found.1 = and i1 %found, %number
  %found.2 = icmp sge i64 %best.given.1, 0
  %bits.1 = bitcast half %best.given to i16
  %is.best.1 = icmp eq i16 %bits.1, %best.bits
  %number.1 = fcmp ord half %best.given, %best.given
  %found.3 = and i1 %found.2, %number.1
  %none = xor i1 %found.1, true
  %worse = xor i1 %is.best, true
  %earlier = icmp slt i64 %best.given.1, %best.held.1
  %over = or i1 %worse, %earlier
  %better = and i1 %is.best.1, %over
  %wins = or i1 %none, %better
  %takes = and i1 %found.3, %wins
  %best.combined = select i1 %takes, half %best.given, half %best.held
  %best.combined.1 = select i1 %takes, i64 %best.given.1, i64 %best.held.1
  store half %best.combined, ptr %best.private, align 2
  %best.at = getelementptr inbounds i8, ptr %best.private, i64 8
  store i64 %best.combined.1, ptr %best.at, align 8
  ret void
}

define internal void @warpfold_initialize(ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %best.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %best.private = load ptr, ptr %best.entry, align 8
  store half 0xH7E00, ptr %best.private, align 2
  %best.at = getelementptr inbounds i8, ptr %best.private, i64 8
  store i64 -1, ptr %best.at, align 8
  ret void
}

; The thread's share of n elements, reduced into its private copies.
define internal void @warpfold_accumulate(ptr %list, i64 %n, i64 %first.index, ptr addrspace(1) noalias readonly align 2 %array0) alwaysinline mustprogress nounwind willreturn {
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
  %ctaid.x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %ctaid.y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %ctaid.z = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %nctaid.x = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %nctaid.y = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
  %planes.1 = mul i32 %nctaid.y, %ctaid.z
  %row.1 = add i32 %ctaid.y, %planes.1
  %rows.1 = mul i32 %nctaid.x, %row.1
  %block = add i32 %ctaid.x, %rows.1
  %ntid.x.1 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ntid.y.1 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %ntid.z = call i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
  %plane = mul i32 %ntid.x.1, %ntid.y.1
  %block.threads = mul i32 %plane, %ntid.z
  %nctaid.x.1 = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %nctaid.y.1 = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
  %nctaid.z = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.z()
  %plane.1 = mul i32 %nctaid.x.1, %nctaid.y.1
  %grid.blocks = mul i32 %plane.1, %nctaid.z
  %wide = zext i32 %thread to i64
  %wide.1 = zext i32 %block to i64
  %wide.2 = zext i32 %block.threads to i64
  %wide.3 = zext i32 %grid.blocks to i64
  %before = mul i64 %wide.1, %wide.2
  %grid.thread = add i64 %before, %wide
  %grid.threads = mul i64 %wide.3, %wide.2
  %groups = lshr i64 %n, 3
  %address = ptrtoint ptr addrspace(1) %array0 to i64
  %bits = or i64 0, %address
  %low = and i64 %bits, 15
  %is.aligned = icmp eq i64 %low, 0
  br i1 %is.aligned, label %aligned, label %unaligned

aligned:
  %lane = and i64 %grid.thread, 31
  %others = sub i64 %grid.thread, %lane
  %tile = mul i64 %others, 2
  %in.tile = add i64 %tile, %lane
  %step = mul i64 %grid.threads, 2
  %odd.threads = and i64 %grid.threads, 31
  %has.tiles = icmp eq i64 %odd.threads, 0
  %beyond = add i64 %groups, 1
  %limit = select i1 %has.tiles, i64 %beyond, i64 0
  %offset = mul i64 %in.tile, 16
  %at = getelementptr i8, ptr addrspace(1) %array0, i64 %offset
  %stride = mul i64 %step, 16
  %before.1 = mul i64 %in.tile, 8
  %index = add i64 %first.index, %before.1
  br label %wide.tiles

wide.tiles:
  %counter = phi i64 [ %step, %aligned ], [ %next, %wide.tiles.body ]
  %pointer0 = phi ptr addrspace(1) [ %at, %aligned ], [ %at.3, %wide.tiles.body ]
  %index.1 = phi i64 [ %index, %aligned ], [ %next.index, %wide.tiles.body ]
  %best = phi half [ 0xH7E00, %aligned ], [ %best.41, %wide.tiles.body ]
  %best.1 = phi i64 [ -1, %aligned ], [ %best.42, %wide.tiles.body ]
  %best.2 = phi half [ 0xH7E00, %aligned ], [ %best.44, %wide.tiles.body ]
  %best.3 = phi i64 [ -1, %aligned ], [ %best.45, %wide.tiles.body ]
  %best.4 = phi half [ 0xH7E00, %aligned ], [ %best.47, %wide.tiles.body ]
  %best.5 = phi i64 [ -1, %aligned ], [ %best.48, %wide.tiles.body ]
  %best.6 = phi half [ 0xH7E00, %aligned ], [ %best.50, %wide.tiles.body ]
  %best.7 = phi i64 [ -1, %aligned ], [ %best.51, %wide.tiles.body ]
  %best.8 = phi half [ 0xH7E00, %aligned ], [ %best.53, %wide.tiles.body ]
  %best.9 = phi i64 [ -1, %aligned ], [ %best.54, %wide.tiles.body ]
  %best.10 = phi half [ 0xH7E00, %aligned ], [ %best.56, %wide.tiles.body ]
  %best.11 = phi i64 [ -1, %aligned ], [ %best.57, %wide.tiles.body ]
  %best.12 = phi half [ 0xH7E00, %aligned ], [ %best.59, %wide.tiles.body ]
  %best.13 = phi i64 [ -1, %aligned ], [ %best.60, %wide.tiles.body ]
  %best.14 = phi half [ 0xH7E00, %aligned ], [ %best.62, %wide.tiles.body ]
  %best.15 = phi i64 [ -1, %aligned ], [ %best.63, %wide.tiles.body ]
  %goes.on = icmp ult i64 %counter, %limit
  br i1 %goes.on, label %wide.tiles.body, label %wide.tiles.end

wide.tiles.body:
  %at.1 = getelementptr i8, ptr addrspace(1) %pointer0, i64 0
  %loaded = load <8 x half>, ptr addrspace(1) %at.1, align 16, !invariant.load !0
  %element = extractelement <8 x half> %loaded, i32 0
  %element.1 = extractelement <8 x half> %loaded, i32 1
  %element.2 = extractelement <8 x half> %loaded, i32 2
  %element.3 = extractelement <8 x half> %loaded, i32 3
  %element.4 = extractelement <8 x half> %loaded, i32 4
  %element.5 = extractelement <8 x half> %loaded, i32 5
  %element.6 = extractelement <8 x half> %loaded, i32 6
  %element.7 = extractelement <8 x half> %loaded, i32 7
  %at.2 = getelementptr i8, ptr addrspace(1) %pointer0, i64 512
  %loaded.1 = load <8 x half>, ptr addrspace(1) %at.2, align 16, !invariant.load !0
  %element.8 = extractelement <8 x half> %loaded.1, i32 0
  %element.9 = extractelement <8 x half> %loaded.1, i32 1
  %element.10 = extractelement <8 x half> %loaded.1, i32 2
  %element.11 = extractelement <8 x half> %loaded.1, i32 3
  %element.12 = extractelement <8 x half> %loaded.1, i32 4
  %element.13 = extractelement <8 x half> %loaded.1, i32 5
  %element.14 = extractelement <8 x half> %loaded.1, i32 6
  %element.15 = extractelement <8 x half> %loaded.1, i32 7
  %element.index = add i64 %index.1, 0
  %best.16 = call half @llvm.minimumnum.f16(half %best, half %element)
  %best.bits = bitcast half %best.16 to i16
  %found = icmp sge i64 %best.1, 0
  %bits.1 = bitcast half %best to i16
  %is.best = icmp eq i16 %bits.1, %best.bits
  %number = fcmp ord half %best, %best
  %found.1 = and i1 %found, %number
  %found.2 = icmp sge i64 %element.index, 0
  %bits.2 = bitcast half %element to i16
  %is.best.1 = icmp eq i16 %bits.2, %best.bits
  %number.1 = fcmp ord half %element, %element
  %found.3 = and i1 %found.2, %number.1
  %none = xor i1 %found.1, true
  %worse = xor i1 %is.best, true
  %earlier = icmp slt i64 %element.index, %best.1
  %over = or i1 %worse, %earlier
  %better = and i1 %is.best.1, %over
  %wins = or i1 %none, %better
  %takes = and i1 %found.3, %wins
  %best.17 = select i1 %takes, half %element, half %best
  %best.18 = select i1 %takes, i64 %element.index, i64 %best.1
  %element.index.1 = add i64 %index.1, 1
  %best.19 = call half @llvm.minimumnum.f16(half %best.2, half %element.1)
  %best.bits.1 = bitcast half %best.19 to i16
  %found.4 = icmp sge i64 %best.3, 0
  %bits.3 = bitcast half %best.2 to i16
  %is.best.2 = icmp eq i16 %bits.3, %best.bits.1
  %number.2 = fcmp ord half %best.2, %best.2
  %found.5 = and i1 %found.4, %number.2
  %found.6 = icmp sge i64 %element.index.1, 0
  %bits.4 = bitcast half %element.1 to i16
  %is.best.3 = icmp eq i16 %bits.4, %best.bits.1
  %number.3 = fcmp ord half %element.1, %element.1
  %found.7 = and i1 %found.6, %number.3
  %none.1 = xor i1 %found.5, true
  %worse.1 = xor i1 %is.best.2, true
  %earlier.1 = icmp slt i64 %element.index.1, %best.3
  %over.1 = or i1 %worse.1, %earlier.1
  %better.1 = and i1 %is.best.3, %over.1
  %wins.1 = or i1 %none.1, %better.1
  %takes.1 = and i1 %found.7, %wins.1
  %best.20 = select i1 %takes.1, half %element.1, half %best.2
  %best.21 = select i1 %takes.1, i64 %element.index.1, i64 %best.3
  %element.index.2 = add i64 %index.1, 2
  %best.22 = call half @llvm.minimumnum.f16(half %best.4, half %element.2)
  %best.bits.2 = bitcast half %best.22 to i16
  %found.8 = icmp sge i64 %best.5, 0
  %bits.5 = bitcast half %best.4 to i16
  %is.best.4 = icmp eq i16 %bits.5, %best.bits.2
  %number.4 = fcmp ord half %best.4, %best.4
  %found.9 = and i1 %found.8, %number.4
  %found.10 = icmp sge i64 %element.index.2, 0
  %bits.6 = bitcast half %element.2 to i16
  %is.best.5 = icmp eq i16 %bits.6, %best.bits.2
  %number.5 = fcmp ord half %element.2, %element.2
  %found.11 = and i1 %found.10, %number.5
  %none.2 = xor i1 %found.9, true
  %worse.2 = xor i1 %is.best.4, true
  %earlier.2 = icmp slt i64 %element.index.2, %best.5
  %over.2 = or i1 %worse.2, %earlier.2
  %better.2 = and i1 %is.best.5, %over.2
  %wins.2 = or i1 %none.2, %better.2
  %takes.2 = and i1 %found.11, %wins.2
  %best.23 = select i1 %takes.2, half %element.2, half %best.4
  %best.24 = select i1 %takes.2, i64 %element.index.2, i64 %best.5
  %element.index.3 = add i64 %index.1, 3
  %best.25 = call half @llvm.minimumnum.f16(half %best.6, half %element.3)
  %best.bits.3 = bitcast half %best.25 to i16
  %found.12 = icmp sge i64 %best.7, 0
  %bits.7 = bitcast half %best.6 to i16
  %is.best.6 = icmp eq i16 %bits.7, %best.bits.3
  %number.6 = fcmp ord half %best.6, %best.6
  %found.13 = and i1 %found.12, %number.6
  %found.14 = icmp sge i64 %element.index.3, 0
  %bits.8 = bitcast half %element.3 to i16
  %is.best.7 = icmp eq i16 %bits.8, %best.bits.3
  %number.7 = fcmp ord half %element.3, %element.3
  %found.15 = and i1 %found.14, %number.7
  %none.3 = xor i1 %found.13, true
  %worse.3 = xor i1 %is.best.6, true
  %earlier.3 = icmp slt i64 %element.index.3, %best.7
  %over.3 = or i1 %worse.3, %earlier.3
  %better.3 = and i1 %is.best.7, %over.3
  %wins.3 = or i1 %none.3, %better.3
  %takes.3 = and i1 %found.15, %wins.3
  %best.26 = select i1 %takes.3, half %element.3, half %best.6
  %best.27 = select i1 %takes.3, i64 %element.index.3, i64 %best.7
  %element.index.4 = add i64 %index.1, 4
  %best.28 = call half @llvm.minimumnum.f16(half %best.8, half %element.4)
  %best.bits.4 = bitcast half %best.28 to i16
  %found.16 = icmp sge i64 %best.9, 0
  %bits.9 = bitcast half %best.8 to i16
  %is.best.8 = icmp eq i16 %bits.9, %best.bits.4
  %number.8 = fcmp ord half %best.8, %best.8
  %found.17 = and i1 %found.16, %number.8
  %found.18 = icmp sge i64 %element.index.4, 0
  %bits.10 = bitcast half %element.4 to i16
  %is.best.9 = icmp eq i16 %bits.10, %best.bits.4
  %number.9 = fcmp ord half %element.4, %element.4
  %found.19 = and i1 %found.18, %number.9
  %none.4 = xor i1 %found.17, true
  %worse.4 = xor i1 %is.best.8, true
  %earlier.4 = icmp slt i64 %element.index.4, %best.9
  %over.4 = or i1 %worse.4, %earlier.4
  %better.4 = and i1 %is.best.9, %over.4
  %wins.4 = or i1 %none.4, %better.4
  %takes.4 = and i1 %found.19, %wins.4
  %best.29 = select i1 %takes.4, half %element.4, half %best.8
  %best.30 = select i1 %takes.4, i64 %element.index.4, i64 %best.9
  %element.index.5 = add i64 %index.1, 5
  %best.31 = call half @llvm.minimumnum.f16(half %best.10, half %element.5)
  %best.bits.5 = bitcast half %best.31 to i16
  %found.20 = icmp sge i64 %best.11, 0
  %bits.11 = bitcast half %best.10 to i16
  %is.best.10 = icmp eq i16 %bits.11, %best.bits.5
  %number.10 = fcmp ord half %best.10, %best.10
  %found.21 = and i1 %found.20, %number.10
  %found.22 = icmp sge i64 %element.index.5, 0
  %bits.12 = bitcast half %element.5 to i16
  %is.best.11 = icmp eq i16 %bits.12, %best.bits.5
  %number.11 = fcmp ord half %element.5, %element.5
  %found.23 = and i1 %found.22, %number.11
  %none.5 = xor i1 %found.21, true
  %worse.5 = xor i1 %is.best.10, true
  %earlier.5 = icmp slt i64 %element.index.5, %best.11
  %over.5 = or i1 %worse.5, %earlier.5
  %better.5 = and i1 %is.best.11, %over.5
  %wins.5 = or i1 %none.5, %better.5
  %takes.5 = and i1 %found.23, %wins.5
  %best.32 = select i1 %takes.5, half %element.5, half %best.10
  %best.33 = select i1 %takes.5, i64 %element.index.5, i64 %best.11
  %element.index.6 = add i64 %index.1, 6
  %best.34 = call half @llvm.minimumnum.f16(half %best.12, half %element.6)
  %best.bits.6 = bitcast half %best.34 to i16
  %found.24 = icmp sge i64 %best.13, 0
  %bits.13 = bitcast half %best.12 to i16
  %is.best.12 = icmp eq i16 %bits.13, %best.bits.6
  %number.12 = fcmp ord half %best.12, %best.12
  %found.25 = and i1 %found.24, %number.12
  %found.26 = icmp sge i64 %element.index.6, 0
  %bits.14 = bitcast half %element.6 to i16
  %is.best.13 = icmp eq i16 %bits.14, %best.bits.6
  %number.13 = fcmp ord half %element.6, %element.6
  %found.27 = and i1 %found.26, %number.13
  %none.6 = xor i1 %found.25, true
  %worse.6 = xor i1 %is.best.12, true
  %earlier.6 = icmp slt i64 %element.index.6, %best.13
  %over.6 = or i1 %worse.6, %earlier.6
  %better.6 = and i1 %is.best.13, %over.6
  %wins.6 = or i1 %none.6, %better.6
  %takes.6 = and i1 %found.27, %wins.6
  %best.35 = select i1 %takes.6, half %element.6, half %best.12
  %best.36 = select i1 %takes.6, i64 %element.index.6, i64 %best.13
  %element.index.7 = add i64 %index.1, 7
  %best.37 = call half @llvm.minimumnum.f16(half %best.14, half %element.7)
  %best.bits.7 = bitcast half %best.37 to i16
  %found.28 = icmp sge i64 %best.15, 0
  %bits.15 = bitcast half %best.14 to i16
  %is.best.14 = icmp eq i16 %bits.15, %best.bits.7
  %number.14 = fcmp ord half %best.14, %best.14
  %found.29 = and i1 %found.28, %number.14
  %found.30 = icmp sge i64 %element.index.7, 0
  %bits.16 = bitcast half %element.7 to i16
  %is.best.15 = icmp eq i16 %bits.16, %best.bits.7
  %number.15 = fcmp ord half %element.7, %element.7
  %found.31 = and i1 %found.30, %number.15
  %none.7 = xor i1 %found.29, true
  %worse.7 = xor i1 %is.best.14, true
  %earlier.7 = icmp slt i64 %element.index.7, %best.15
  %over.7 = or i1 %worse.7, %earlier.7
  %better.7 = and i1 %is.best.15, %over.7
  %wins.7 = or i1 %none.7, %better.7
  %takes.7 = and i1 %found.31, %wins.7
  %best.38 = select i1 %takes.7, half %element.7, half %best.14
  %best.39 = select i1 %takes.7, i64 %element.index.7, i64 %best.15
  %element.index.8 = add i64 %index.1, 256
  %best.40 = call half @llvm.minimumnum.f16(half %best.17, half %element.8)
  %best.bits.8 = bitcast half %best.40 to i16
  %found.32 = icmp sge i64 %best.18, 0
  %bits.17 = bitcast half %best.17 to i16
  %is.best.16 = icmp eq i16 %bits.17, %best.bits.8
  %number.16 = fcmp ord half %best.17, %best.17
  %found.33 = and i1 %found.32, %number.16
  %found.34 = icmp sge i64 %element.index.8, 0
  %bits.18 = bitcast half %element.8 to i16
  %is.best.17 = icmp eq i16 %bits.18, %best.bits.8
  %number.17 = fcmp ord half %element.8, %element.8
  %found.35 = and i1 %found.34, %number.17
  %none.8 = xor i1 %found.33, true
  %worse.8 = xor i1 %is.best.16, true
  %earlier.8 = icmp slt i64 %element.index.8, %best.18
  %over.8 = or i1 %worse.8, %earlier.8
  %better.8 = and i1 %is.best.17, %over.8
  %wins.8 = or i1 %none.8, %better.8
  %takes.8 = and i1 %found.35, %wins.8
  %best.41 = select i1 %takes.8, half %element.8, half %best.17
  %best.42 = select i1 %takes.8, i64 %element.index.8, i64 %best.18
  %element.index.9 = add i64 %index.1, 257
  %best.43 = call half @llvm.minimumnum.f16(half %best.20, half %element.9)
  %best.bits.9 = bitcast half %best.43 to i16
  %found.36 = icmp sge i64 %best.21, 0
  %bits.19 = bitcast half %best.20 to i16
  %is.best.18 = icmp eq i16 %bits.19, %best.bits.9
  %number.18 = fcmp ord half %best.20, %best.20
  %found.37 = and i1 %found.36, %number.18
  %found.38 = icmp sge i64 %element.index.9, 0
  %bits.20 = bitcast half %element.9 to i16
  %is.best.19 = icmp eq i16 %bits.20, %best.bits.9
  %number.19 = fcmp ord half %element.9, %element.9
  %found.39 = and i1 %found.38, %number.19
  %none.9 = xor i1 %found.37, true
  %worse.9 = xor i1 %is.best.18, true
  %earlier.9 = icmp slt i64 %element.index.9, %best.21
  %over.9 = or i1 %worse.9, %earlier.9
  %better.9 = and i1 %is.best.19, %over.9
  %wins.9 = or i1 %none.9, %better.9
  %takes.9 = and i1 %found.39, %wins.9
  %best.44 = select i1 %takes.9, half %element.9, half %best.20
  %best.45 = select i1 %takes.9, i64 %element.index.9, i64 %best.21
  %element.index.10 = add i64 %index.1, 258
  %best.46 = call half @llvm.minimumnum.f16(half %best.23, half %element.10)
  %best.bits.10 = bitcast half %best.46 to i16
  %found.40 = icmp sge i64 %best.24, 0
  %bits.21 = bitcast half %best.23 to i16
  %is.best.20 = icmp eq i16 %bits.21, %best.bits.10
  %number.20 = fcmp ord half %best.23, %best.23
  %found.41 = and i1 %found.40, %number.20
  %found.42 = icmp sge i64 %element.index.10, 0
  %bits.22 = bitcast half %element.10 to i16
  %is.best.21 = icmp eq i16 %bits.22, %best.bits.10
  %number.21 = fcmp ord half %element.10, %element.10
  %found.43 = and i1 %found.42, %number.21
  %none.10 = xor i1 %found.41, true
  %worse.10 = xor i1 %is.best.20, true
  %earlier.10 = icmp slt i64 %element.index.10, %best.24
  %over.10 = or i1 %worse.10, %earlier.10
  %better.10 = and i1 %is.best.21, %over.10
  %wins.10 = or i1 %none.10, %better.10
  %takes.10 = and i1 %found.43, %wins.10
  %best.47 = select i1 %takes.10, half %element.10, half %best.23
  %best.48 = select i1 %takes.10, i64 %element.index.10, i64 %best.24
  %element.index.11 = add i64 %index.1, 259
  %best.49 = call half @llvm.minimumnum.f16(half %best.26, half %element.11)
  %best.bits.11 = bitcast half %best.49 to i16
  %found.44 = icmp sge i64 %best.27, 0
  %bits.23 = bitcast half %best.26 to i16
  %is.best.22 = icmp eq i16 %bits.23, %best.bits.11
  %number.22 = fcmp ord half %best.26, %best.26
  %found.45 = and i1 %found.44, %number.22
  %found.46 = icmp sge i64 %element.index.11, 0
  %bits.24 = bitcast half %element.11 to i16
  %is.best.23 = icmp eq i16 %bits.24, %best.bits.11
  %number.23 = fcmp ord half %element.11, %element.11
  %found.47 = and i1 %found.46, %number.23
  %none.11 = xor i1 %found.45, true
  %worse.11 = xor i1 %is.best.22, true
  %earlier.11 = icmp slt i64 %element.index.11, %best.27
  %over.11 = or i1 %worse.11, %earlier.11
  %better.11 = and i1 %is.best.23, %over.11
  %wins.11 = or i1 %none.11, %better.11
  %takes.11 = and i1 %found.47, %wins.11
  %best.50 = select i1 %takes.11, half %element.11, half %best.26
  %best.51 = select i1 %takes.11, i64 %element.index.11, i64 %best.27
  %element.index.12 = add i64 %index.1, 260
  %best.52 = call half @llvm.minimumnum.f16(half %best.29, half %element.12)
  %best.bits.12 = bitcast half %best.52 to i16
  %found.48 = icmp sge i64 %best.30, 0
  %bits.25 = bitcast half %best.29 to i16
  %is.best.24 = icmp eq i16 %bits.25, %best.bits.12
  %number.24 = fcmp ord half %best.29, %best.29
  %found.49 = and i1 %found.48, %number.24
  %found.50 = icmp sge i64 %element.index.12, 0
  %bits.26 = bitcast half %element.12 to i16
  %is.best.25 = icmp eq i16 %bits.26, %best.bits.12
  %number.25 = fcmp ord half %element.12, %element.12
  %found.51 = and i1 %found.50, %number.25
  %none.12 = xor i1 %found.49, true
  %worse.12 = xor i1 %is.best.24, true
  %earlier.12 = icmp slt i64 %element.index.12, %best.30
  %over.12 = or i1 %worse.12, %earlier.12
  %better.12 = and i1 %is.best.25, %over.12
  %wins.12 = or i1 %none.12, %better.12
  %takes.12 = and i1 %found.51, %wins.12
  %best.53 = select i1 %takes.12, half %element.12, half %best.29
  %best.54 = select i1 %takes.12, i64 %element.index.12, i64 %best.30
  %element.index.13 = add i64 %index.1, 261
  %best.55 = call half @llvm.minimumnum.f16(half %best.32, half %element.13)
  %best.bits.13 = bitcast half %best.55 to i16
  %found.52 = icmp sge i64 %best.33, 0
  %bits.27 = bitcast half %best.32 to i16
  %is.best.26 = icmp eq i16 %bits.27, %best.bits.13
  %number.26 = fcmp ord half %best.32, %best.32
  %found.53 = and i1 %found.52, %number.26
  %found.54 = icmp sge i64 %element.index.13, 0
  %bits.28 = bitcast half %element.13 to i16
  %is.best.27 = icmp eq i16 %bits.28, %best.bits.13
  %number.27 = fcmp ord half %element.13, %element.13
  %found.55 = and i1 %found.54, %number.27
  %none.13 = xor i1 %found.53, true
  %worse.13 = xor i1 %is.best.26, true
  %earlier.13 = icmp slt i64 %element.index.13, %best.33
  %over.13 = or i1 %worse.13, %earlier.13
  %better.13 = and i1 %is.best.27, %over.13
  %wins.13 = or i1 %none.13, %better.13
  %takes.13 = and i1 %found.55, %wins.13
  %best.56 = select i1 %takes.13, half %element.13, half %best.32
  %best.57 = select i1 %takes.13, i64 %element.index.13, i64 %best.33
  %element.index.14 = add i64 %index.1, 262
  %best.58 = call half @llvm.minimumnum.f16(half %best.35, half %element.14)
  %best.bits.14 = bitcast half %best.58 to i16
  %found.56 = icmp sge i64 %best.36, 0
  %bits.29 = bitcast half %best.35 to i16
  %is.best.28 = icmp eq i16 %bits.29, %best.bits.14
  %number.28 = fcmp ord half %best.35, %best.35
  %found.57 = and i1 %found.56, %number.28
  %found.58 = icmp sge i64 %element.index.14, 0
  %bits.30 = bitcast half %element.14 to i16
  %is.best.29 = icmp eq i16 %bits.30, %best.bits.14
  %number.29 = fcmp ord half %element.14, %element.14
  %found.59 = and i1 %found.58, %number.29
  %none.14 = xor i1 %found.57, true
  %worse.14 = xor i1 %is.best.28, true
  %earlier.14 = icmp slt i64 %element.index.14, %best.36
  %over.14 = or i1 %worse.14, %earlier.14
  %better.14 = and i1 %is.best.29, %over.14
  %wins.14 = or i1 %none.14, %better.14
  %takes.14 = and i1 %found.59, %wins.14
  %best.59 = select i1 %takes.14, half %element.14, half %best.35
  %best.60 = select i1 %takes.14, i64 %element.index.14, i64 %best.36
  %element.index.15 = add i64 %index.1, 263
  %best.61 = call half @llvm.minimumnum.f16(half %best.38, half %element.15)
  %best.bits.15 = bitcast half %best.61 to i16
  %found.60 = icmp sge i64 %best.39, 0
  %bits.31 = bitcast half %best.38 to i16
  %is.best.30 = icmp eq i16 %bits.31, %best.bits.15
  %number.30 = fcmp ord half %best.38, %best.38
  %found.61 = and i1 %found.60, %number.30
  %found.62 = icmp sge i64 %element.index.15, 0
  %bits.32 = bitcast half %element.15 to i16
  %is.best.31 = icmp eq i16 %bits.32, %best.bits.15
  %number.31 = fcmp ord half %element.15, %element.15
  %found.63 = and i1 %found.62, %number.31
  %none.15 = xor i1 %found.61, true
  %worse.15 = xor i1 %is.best.30, true
  %earlier.15 = icmp slt i64 %element.index.15, %best.39
  %over.15 = or i1 %worse.15, %earlier.15
  %better.15 = and i1 %is.best.31, %over.15
  %wins.15 = or i1 %none.15, %better.15
  %takes.15 = and i1 %found.63, %wins.15
  %best.62 = select i1 %takes.15, half %element.15, half %best.38
  %best.63 = select i1 %takes.15, i64 %element.index.15, i64 %best.39
  %at.3 = getelementptr i8, ptr addrspace(1) %pointer0, i64 %stride
  %next = add i64 %counter, %step
  %elements = mul i64 %step, 8
  %next.index = add i64 %index.1, %elements
  br label %wide.tiles, !llvm.loop !2

wide.tiles.end:
  %taken = sub i64 %counter, %step
  %first = add i64 %taken, %grid.thread
  %offset.1 = mul i64 %first, 16
  %at.4 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.1
  %stride.1 = mul i64 %grid.threads, 16
  %before.2 = mul i64 %first, 8
  %index.2 = add i64 %first.index, %before.2
  br label %wide.rest

wide.rest:
  %counter.1 = phi i64 [ %first, %wide.tiles.end ], [ %next.1, %wide.rest.body ]
  %pointer0.1 = phi ptr addrspace(1) [ %at.4, %wide.tiles.end ], [ %at.6, %wide.rest.body ]
  %index.3 = phi i64 [ %index.2, %wide.tiles.end ], [ %next.index.1, %wide.rest.body ]
  %best.64 = phi half [ %best, %wide.tiles.end ], [ %best.81, %wide.rest.body ]
  %best.65 = phi i64 [ %best.1, %wide.tiles.end ], [ %best.82, %wide.rest.body ]
  %best.66 = phi half [ %best.2, %wide.tiles.end ], [ %best.84, %wide.rest.body ]
  %best.67 = phi i64 [ %best.3, %wide.tiles.end ], [ %best.85, %wide.rest.body ]
  %best.68 = phi half [ %best.4, %wide.tiles.end ], [ %best.87, %wide.rest.body ]
  %best.69 = phi i64 [ %best.5, %wide.tiles.end ], [ %best.88, %wide.rest.body ]
  %best.70 = phi half [ %best.6, %wide.tiles.end ], [ %best.90, %wide.rest.body ]
  %best.71 = phi i64 [ %best.7, %wide.tiles.end ], [ %best.91, %wide.rest.body ]
  %best.72 = phi half [ %best.8, %wide.tiles.end ], [ %best.93, %wide.rest.body ]
  %best.73 = phi i64 [ %best.9, %wide.tiles.end ], [ %best.94, %wide.rest.body ]
  %best.74 = phi half [ %best.10, %wide.tiles.end ], [ %best.96, %wide.rest.body ]
  %best.75 = phi i64 [ %best.11, %wide.tiles.end ], [ %best.97, %wide.rest.body ]
  %best.76 = phi half [ %best.12, %wide.tiles.end ], [ %best.99, %wide.rest.body ]
  %best.77 = phi i64 [ %best.13, %wide.tiles.end ], [ %best.100, %wide.rest.body ]
  %best.78 = phi half [ %best.14, %wide.tiles.end ], [ %best.102, %wide.rest.body ]
  %best.79 = phi i64 [ %best.15, %wide.tiles.end ], [ %best.103, %wide.rest.body ]
  %goes.on.1 = icmp ult i64 %counter.1, %groups
  br i1 %goes.on.1, label %wide.rest.body, label %wide.rest.end

wide.rest.body:
  %at.5 = getelementptr i8, ptr addrspace(1) %pointer0.1, i64 0
  %loaded.2 = load <8 x half>, ptr addrspace(1) %at.5, align 16, !invariant.load !0
  %element.16 = extractelement <8 x half> %loaded.2, i32 0
  %element.17 = extractelement <8 x half> %loaded.2, i32 1
  %element.18 = extractelement <8 x half> %loaded.2, i32 2
  %element.19 = extractelement <8 x half> %loaded.2, i32 3
  %element.20 = extractelement <8 x half> %loaded.2, i32 4
  %element.21 = extractelement <8 x half> %loaded.2, i32 5
  %element.22 = extractelement <8 x half> %loaded.2, i32 6
  %element.23 = extractelement <8 x half> %loaded.2, i32 7
  %element.index.16 = add i64 %index.3, 0
  %best.80 = call half @llvm.minimumnum.f16(half %best.64, half %element.16)
  %best.bits.16 = bitcast half %best.80 to i16
  %found.64 = icmp sge i64 %best.65, 0
  %bits.33 = bitcast half %best.64 to i16
  %is.best.32 = icmp eq i16 %bits.33, %best.bits.16
  %number.32 = fcmp ord half %best.64, %best.64
  %found.65 = and i1 %found.64, %number.32
  %found.66 = icmp sge i64 %element.index.16, 0
  %bits.34 = bitcast half %element.16 to i16
  %is.best.33 = icmp eq i16 %bits.34, %best.bits.16
  %number.33 = fcmp ord half %element.16, %element.16
  %found.67 = and i1 %found.66, %number.33
  %none.16 = xor i1 %found.65, true
  %worse.16 = xor i1 %is.best.32, true
  %earlier.16 = icmp slt i64 %element.index.16, %best.65
  %over.16 = or i1 %worse.16, %earlier.16
  %better.16 = and i1 %is.best.33, %over.16
  %wins.16 = or i1 %none.16, %better.16
  %takes.16 = and i1 %found.67, %wins.16
  %best.81 = select i1 %takes.16, half %element.16, half %best.64
  %best.82 = select i1 %takes.16, i64 %element.index.16, i64 %best.65
  %element.index.17 = add i64 %index.3, 1
  %best.83 = call half @llvm.minimumnum.f16(half %best.66, half %element.17)
  %best.bits.17 = bitcast half %best.83 to i16
  %found.68 = icmp sge i64 %best.67, 0
  %bits.35 = bitcast half %best.66 to i16
  %is.best.34 = icmp eq i16 %bits.35, %best.bits.17
  %number.34 = fcmp ord half %best.66, %best.66
  %found.69 = and i1 %found.68, %number.34
  %found.70 = icmp sge i64 %element.index.17, 0
  %bits.36 = bitcast half %element.17 to i16
  %is.best.35 = icmp eq i16 %bits.36, %best.bits.17
  %number.35 = fcmp ord half %element.17, %element.17
  %found.71 = and i1 %found.70, %number.35
  %none.17 = xor i1 %found.69, true
  %worse.17 = xor i1 %is.best.34, true
  %earlier.17 = icmp slt i64 %element.index.17, %best.67
  %over.17 = or i1 %worse.17, %earlier.17
  %better.17 = and i1 %is.best.35, %over.17
  %wins.17 = or i1 %none.17, %better.17
  %takes.17 = and i1 %found.71, %wins.17
  %best.84 = select i1 %takes.17, half %element.17, half %best.66
  %best.85 = select i1 %takes.17, i64 %element.index.17, i64 %best.67
  %element.index.18 = add i64 %index.3, 2
  %best.86 = call half @llvm.minimumnum.f16(half %best.68, half %element.18)
  %best.bits.18 = bitcast half %best.86 to i16
  %found.72 = icmp sge i64 %best.69, 0
  %bits.37 = bitcast half %best.68 to i16
  %is.best.36 = icmp eq i16 %bits.37, %best.bits.18
  %number.36 = fcmp ord half %best.68, %best.68
  %found.73 = and i1 %found.72, %number.36
  %found.74 = icmp sge i64 %element.index.18, 0
  %bits.38 = bitcast half %element.18 to i16
  %is.best.37 = icmp eq i16 %bits.38, %best.bits.18
  %number.37 = fcmp ord half %element.18, %element.18
  %found.75 = and i1 %found.74, %number.37
  %none.18 = xor i1 %found.73, true
  %worse.18 = xor i1 %is.best.36, true
  %earlier.18 = icmp slt i64 %element.index.18, %best.69
  %over.18 = or i1 %worse.18, %earlier.18
  %better.18 = and i1 %is.best.37, %over.18
  %wins.18 = or i1 %none.18, %better.18
  %takes.18 = and i1 %found.75, %wins.18
  %best.87 = select i1 %takes.18, half %element.18, half %best.68
  %best.88 = select i1 %takes.18, i64 %element.index.18, i64 %best.69
  %element.index.19 = add i64 %index.3, 3
  %best.89 = call half @llvm.minimumnum.f16(half %best.70, half %element.19)
  %best.bits.19 = bitcast half %best.89 to i16
  %found.76 = icmp sge i64 %best.71, 0
  %bits.39 = bitcast half %best.70 to i16
  %is.best.38 = icmp eq i16 %bits.39, %best.bits.19
  %number.38 = fcmp ord half %best.70, %best.70
  %found.77 = and i1 %found.76, %number.38
  %found.78 = icmp sge i64 %element.index.19, 0
  %bits.40 = bitcast half %element.19 to i16
  %is.best.39 = icmp eq i16 %bits.40, %best.bits.19
  %number.39 = fcmp ord half %element.19, %element.19
  %found.79 = and i1 %found.78, %number.39
  %none.19 = xor i1 %found.77, true
  %worse.19 = xor i1 %is.best.38, true
  %earlier.19 = icmp slt i64 %element.index.19, %best.71
  %over.19 = or i1 %worse.19, %earlier.19
  %better.19 = and i1 %is.best.39, %over.19
  %wins.19 = or i1 %none.19, %better.19
  %takes.19 = and i1 %found.79, %wins.19
  %best.90 = select i1 %takes.19, half %element.19, half %best.70
  %best.91 = select i1 %takes.19, i64 %element.index.19, i64 %best.71
  %element.index.20 = add i64 %index.3, 4
  %best.92 = call half @llvm.minimumnum.f16(half %best.72, half %element.20)
  %best.bits.20 = bitcast half %best.92 to i16
  %found.80 = icmp sge i64 %best.73, 0
  %bits.41 = bitcast half %best.72 to i16
  %is.best.40 = icmp eq i16 %bits.41, %best.bits.20
  %number.40 = fcmp ord half %best.72, %best.72
  %found.81 = and i1 %found.80, %number.40
  %found.82 = icmp sge i64 %element.index.20, 0
  %bits.42 = bitcast half %element.20 to i16
  %is.best.41 = icmp eq i16 %bits.42, %best.bits.20
  %number.41 = fcmp ord half %element.20, %element.20
  %found.83 = and i1 %found.82, %number.41
  %none.20 = xor i1 %found.81, true
  %worse.20 = xor i1 %is.best.40, true
  %earlier.20 = icmp slt i64 %element.index.20, %best.73
  %over.20 = or i1 %worse.20, %earlier.20
  %better.20 = and i1 %is.best.41, %over.20
  %wins.20 = or i1 %none.20, %better.20
  %takes.20 = and i1 %found.83, %wins.20
  %best.93 = select i1 %takes.20, half %element.20, half %best.72
  %best.94 = select i1 %takes.20, i64 %element.index.20, i64 %best.73
  %element.index.21 = add i64 %index.3, 5
  %best.95 = call half @llvm.minimumnum.f16(half %best.74, half %element.21)
  %best.bits.21 = bitcast half %best.95 to i16
  %found.84 = icmp sge i64 %best.75, 0
  %bits.43 = bitcast half %best.74 to i16
  %is.best.42 = icmp eq i16 %bits.43, %best.bits.21
  %number.42 = fcmp ord half %best.74, %best.74
  %found.85 = and i1 %found.84, %number.42
  %found.86 = icmp sge i64 %element.index.21, 0
  %bits.44 = bitcast half %element.21 to i16
  %is.best.43 = icmp eq i16 %bits.44, %best.bits.21
  %number.43 = fcmp ord half %element.21, %element.21
  %found.87 = and i1 %found.86, %number.43
  %none.21 = xor i1 %found.85, true
  %worse.21 = xor i1 %is.best.42, true
  %earlier.21 = icmp slt i64 %element.index.21, %best.75
  %over.21 = or i1 %worse.21, %earlier.21
  %better.21 = and i1 %is.best.43, %over.21
  %wins.21 = or i1 %none.21, %better.21
  %takes.21 = and i1 %found.87, %wins.21
  %best.96 = select i1 %takes.21, half %element.21, half %best.74
  %best.97 = select i1 %takes.21, i64 %element.index.21, i64 %best.75
  %element.index.22 = add i64 %index.3, 6
  %best.98 = call half @llvm.minimumnum.f16(half %best.76, half %element.22)
  %best.bits.22 = bitcast half %best.98 to i16
  %found.88 = icmp sge i64 %best.77, 0
  %bits.45 = bitcast half %best.76 to i16
  %is.best.44 = icmp eq i16 %bits.45, %best.bits.22
  %number.44 = fcmp ord half %best.76, %best.76
  %found.89 = and i1 %found.88, %number.44
  %found.90 = icmp sge i64 %element.index.22, 0
  %bits.46 = bitcast half %element.22 to i16
  %is.best.45 = icmp eq i16 %bits.46, %best.bits.22
  %number.45 = fcmp ord half %element.22, %element.22
  %found.91 = and i1 %found.90, %number.45
  %none.22 = xor i1 %found.89, true
  %worse.22 = xor i1 %is.best.44, true
  %earlier.22 = icmp slt i64 %element.index.22, %best.77
  %over.22 = or i1 %worse.22, %earlier.22
  %better.22 = and i1 %is.best.45, %over.22
  %wins.22 = or i1 %none.22, %better.22
  %takes.22 = and i1 %found.91, %wins.22
  %best.99 = select i1 %takes.22, half %element.22, half %best.76
  %best.100 = select i1 %takes.22, i64 %element.index.22, i64 %best.77
  %element.index.23 = add i64 %index.3, 7
  %best.101 = call half @llvm.minimumnum.f16(half %best.78, half %element.23)
  %best.bits.23 = bitcast half %best.101 to i16
  %found.92 = icmp sge i64 %best.79, 0
  %bits.47 = bitcast half %best.78 to i16
  %is.best.46 = icmp eq i16 %bits.47, %best.bits.23
  %number.46 = fcmp ord half %best.78, %best.78
  %found.93 = and i1 %found.92, %number.46
  %found.94 = icmp sge i64 %element.index.23, 0
  %bits.48 = bitcast half %element.23 to i16
  %is.best.47 = icmp eq i16 %bits.48, %best.bits.23
  %number.47 = fcmp ord half %element.23, %element.23
  %found.95 = and i1 %found.94, %number.47
  %none.23 = xor i1 %found.93, true
  %worse.23 = xor i1 %is.best.46, true
  %earlier.23 = icmp slt i64 %element.index.23, %best.79
  %over.23 = or i1 %worse.23, %earlier.23
  %better.23 = and i1 %is.best.47, %over.23
  %wins.23 = or i1 %none.23, %better.23
  %takes.23 = and i1 %found.95, %wins.23
  %best.102 = select i1 %takes.23, half %element.23, half %best.78
  %best.103 = select i1 %takes.23, i64 %element.index.23, i64 %best.79
  %at.6 = getelementptr i8, ptr addrspace(1) %pointer0.1, i64 %stride.1
  %next.1 = add i64 %counter.1, %grid.threads
  %elements.1 = mul i64 %grid.threads, 8
  %next.index.1 = add i64 %index.3, %elements.1
  br label %wide.rest, !llvm.loop !4

wide.rest.end:
  br label %whole

unaligned:
  %lane.1 = and i64 %grid.thread, 31
  %others.1 = sub i64 %grid.thread, %lane.1
  %tile.1 = mul i64 %others.1, 2
  %in.tile.1 = add i64 %tile.1, %lane.1
  %step.1 = mul i64 %grid.threads, 2
  %odd.threads.1 = and i64 %grid.threads, 31
  %has.tiles.1 = icmp eq i64 %odd.threads.1, 0
  %beyond.1 = add i64 %groups, 1
  %limit.1 = select i1 %has.tiles.1, i64 %beyond.1, i64 0
  %offset.2 = mul i64 %in.tile.1, 16
  %at.7 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.2
  %stride.2 = mul i64 %step.1, 16
  %before.3 = mul i64 %in.tile.1, 8
  %index.4 = add i64 %first.index, %before.3
  br label %narrow.tiles

narrow.tiles:
  %counter.2 = phi i64 [ %step.1, %unaligned ], [ %next.2, %narrow.tiles.body ]
  %pointer0.2 = phi ptr addrspace(1) [ %at.7, %unaligned ], [ %at.24, %narrow.tiles.body ]
  %index.5 = phi i64 [ %index.4, %unaligned ], [ %next.index.2, %narrow.tiles.body ]
  %best.104 = phi half [ 0xH7E00, %unaligned ], [ %best.145, %narrow.tiles.body ]
  %best.105 = phi i64 [ -1, %unaligned ], [ %best.146, %narrow.tiles.body ]
  %best.106 = phi half [ 0xH7E00, %unaligned ], [ %best.148, %narrow.tiles.body ]
  %best.107 = phi i64 [ -1, %unaligned ], [ %best.149, %narrow.tiles.body ]
  %best.108 = phi half [ 0xH7E00, %unaligned ], [ %best.151, %narrow.tiles.body ]
  %best.109 = phi i64 [ -1, %unaligned ], [ %best.152, %narrow.tiles.body ]
  %best.110 = phi half [ 0xH7E00, %unaligned ], [ %best.154, %narrow.tiles.body ]
  %best.111 = phi i64 [ -1, %unaligned ], [ %best.155, %narrow.tiles.body ]
  %best.112 = phi half [ 0xH7E00, %unaligned ], [ %best.157, %narrow.tiles.body ]
  %best.113 = phi i64 [ -1, %unaligned ], [ %best.158, %narrow.tiles.body ]
  %best.114 = phi half [ 0xH7E00, %unaligned ], [ %best.160, %narrow.tiles.body ]
  %best.115 = phi i64 [ -1, %unaligned ], [ %best.161, %narrow.tiles.body ]
  %best.116 = phi half [ 0xH7E00, %unaligned ], [ %best.163, %narrow.tiles.body ]
  %best.117 = phi i64 [ -1, %unaligned ], [ %best.164, %narrow.tiles.body ]
  %best.118 = phi half [ 0xH7E00, %unaligned ], [ %best.166, %narrow.tiles.body ]
  %best.119 = phi i64 [ -1, %unaligned ], [ %best.167, %narrow.tiles.body ]
  %goes.on.2 = icmp ult i64 %counter.2, %limit.1
  br i1 %goes.on.2, label %narrow.tiles.body, label %narrow.tiles.end

narrow.tiles.body:
  %at.8 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 0
  %element.24 = load half, ptr addrspace(1) %at.8, align 2, !invariant.load !0
  %at.9 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 2
  %element.25 = load half, ptr addrspace(1) %at.9, align 2, !invariant.load !0
  %at.10 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 4
  %element.26 = load half, ptr addrspace(1) %at.10, align 2, !invariant.load !0
  %at.11 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 6
  %element.27 = load half, ptr addrspace(1) %at.11, align 2, !invariant.load !0
  %at.12 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 8
  %element.28 = load half, ptr addrspace(1) %at.12, align 2, !invariant.load !0
  %at.13 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 10
  %element.29 = load half, ptr addrspace(1) %at.13, align 2, !invariant.load !0
  %at.14 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 12
  %element.30 = load half, ptr addrspace(1) %at.14, align 2, !invariant.load !0
  %at.15 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 14
  %element.31 = load half, ptr addrspace(1) %at.15, align 2, !invariant.load !0
  %at.16 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 512
  %element.32 = load half, ptr addrspace(1) %at.16, align 2, !invariant.load !0
  %at.17 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 514
  %element.33 = load half, ptr addrspace(1) %at.17, align 2, !invariant.load !0
  %at.18 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 516
  %element.34 = load half, ptr addrspace(1) %at.18, align 2, !invariant.load !0
  %at.19 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 518
  %element.35 = load half, ptr addrspace(1) %at.19, align 2, !invariant.load !0
  %at.20 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 520
  %element.36 = load half, ptr addrspace(1) %at.20, align 2, !invariant.load !0
  %at.21 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 522
  %element.37 = load half, ptr addrspace(1) %at.21, align 2, !invariant.load !0
  %at.22 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 524
  %element.38 = load half, ptr addrspace(1) %at.22, align 2, !invariant.load !0
  %at.23 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 526
  %element.39 = load half, ptr addrspace(1) %at.23, align 2, !invariant.load !0
  %element.index.24 = add i64 %index.5, 0
  %best.120 = call half @llvm.minimumnum.f16(half %best.104, half %element.24)
  %best.bits.24 = bitcast half %best.120 to i16
  %found.96 = icmp sge i64 %best.105, 0
  %bits.49 = bitcast half %best.104 to i16
  %is.best.48 = icmp eq i16 %bits.49, %best.bits.24
  %number.48 = fcmp ord half %best.104, %best.104
  %found.97 = and i1 %found.96, %number.48
  %found.98 = icmp sge i64 %element.index.24, 0
  %bits.50 = bitcast half %element.24 to i16
  %is.best.49 = icmp eq i16 %bits.50, %best.bits.24
  %number.49 = fcmp ord half %element.24, %element.24
  %found.99 = and i1 %found.98, %number.49
  %none.24 = xor i1 %found.97, true
  %worse.24 = xor i1 %is.best.48, true
  %earlier.24 = icmp slt i64 %element.index.24, %best.105
  %over.24 = or i1 %worse.24, %earlier.24
  %better.24 = and i1 %is.best.49, %over.24
  %wins.24 = or i1 %none.24, %better.24
  %takes.24 = and i1 %found.99, %wins.24
  %best.121 = select i1 %takes.24, half %element.24, half %best.104
  %best.122 = select i1 %takes.24, i64 %element.index.24, i64 %best.105
  %element.index.25 = add i64 %index.5, 1
  %best.123 = call half @llvm.minimumnum.f16(half %best.106, half %element.25)
  %best.bits.25 = bitcast half %best.123 to i16
  %found.100 = icmp sge i64 %best.107, 0
  %bits.51 = bitcast half %best.106 to i16
  %is.best.50 = icmp eq i16 %bits.51, %best.bits.25
  %number.50 = fcmp ord half %best.106, %best.106
  %found.101 = and i1 %found.100, %number.50
  %found.102 = icmp sge i64 %element.index.25, 0
  %bits.52 = bitcast half %element.25 to i16
  %is.best.51 = icmp eq i16 %bits.52, %best.bits.25
  %number.51 = fcmp ord half %element.25, %element.25
  %found.103 = and i1 %found.102, %number.51
  %none.25 = xor i1 %found.101, true
  %worse.25 = xor i1 %is.best.50, true
  %earlier.25 = icmp slt i64 %element.index.25, %best.107
  %over.25 = or i1 %worse.25, %earlier.25
  %better.25 = and i1 %is.best.51, %over.25
  %wins.25 = or i1 %none.25, %better.25
  %takes.25 = and i1 %found.103, %wins.25
  %best.124 = select i1 %takes.25, half %element.25, half %best.106
  %best.125 = select i1 %takes.25, i64 %element.index.25, i64 %best.107
  %element.index.26 = add i64 %index.5, 2
  %best.126 = call half @llvm.minimumnum.f16(half %best.108, half %element.26)
  %best.bits.26 = bitcast half %best.126 to i16
  %found.104 = icmp sge i64 %best.109, 0
  %bits.53 = bitcast half %best.108 to i16
  %is.best.52 = icmp eq i16 %bits.53, %best.bits.26
  %number.52 = fcmp ord half %best.108, %best.108
  %found.105 = and i1 %found.104, %number.52
  %found.106 = icmp sge i64 %element.index.26, 0
  %bits.54 = bitcast half %element.26 to i16
  %is.best.53 = icmp eq i16 %bits.54, %best.bits.26
  %number.53 = fcmp ord half %element.26, %element.26
  %found.107 = and i1 %found.106, %number.53
  %none.26 = xor i1 %found.105, true
  %worse.26 = xor i1 %is.best.52, true
  %earlier.26 = icmp slt i64 %element.index.26, %best.109
  %over.26 = or i1 %worse.26, %earlier.26
  %better.26 = and i1 %is.best.53, %over.26
  %wins.26 = or i1 %none.26, %better.26
  %takes.26 = and i1 %found.107, %wins.26
  %best.127 = select i1 %takes.26, half %element.26, half %best.108
  %best.128 = select i1 %takes.26, i64 %element.index.26, i64 %best.109
  %element.index.27 = add i64 %index.5, 3
  %best.129 = call half @llvm.minimumnum.f16(half %best.110, half %element.27)
  %best.bits.27 = bitcast half %best.129 to i16
  %found.108 = icmp sge i64 %best.111, 0
  %bits.55 = bitcast half %best.110 to i16
  %is.best.54 = icmp eq i16 %bits.55, %best.bits.27
  %number.54 = fcmp ord half %best.110, %best.110
  %found.109 = and i1 %found.108, %number.54
  %found.110 = icmp sge i64 %element.index.27, 0
  %bits.56 = bitcast half %element.27 to i16
  %is.best.55 = icmp eq i16 %bits.56, %best.bits.27
  %number.55 = fcmp ord half %element.27, %element.27
  %found.111 = and i1 %found.110, %number.55
  %none.27 = xor i1 %found.109, true
  %worse.27 = xor i1 %is.best.54, true
  %earlier.27 = icmp slt i64 %element.index.27, %best.111
  %over.27 = or i1 %worse.27, %earlier.27
  %better.27 = and i1 %is.best.55, %over.27
  %wins.27 = or i1 %none.27, %better.27
  %takes.27 = and i1 %found.111, %wins.27
  %best.130 = select i1 %takes.27, half %element.27, half %best.110
  %best.131 = select i1 %takes.27, i64 %element.index.27, i64 %best.111
  %element.index.28 = add i64 %index.5, 4
  %best.132 = call half @llvm.minimumnum.f16(half %best.112, half %element.28)
  %best.bits.28 = bitcast half %best.132 to i16
  %found.112 = icmp sge i64 %best.113, 0
  %bits.57 = bitcast half %best.112 to i16
  %is.best.56 = icmp eq i16 %bits.57, %best.bits.28
  %number.56 = fcmp ord half %best.112, %best.112
  %found.113 = and i1 %found.112, %number.56
  %found.114 = icmp sge i64 %element.index.28, 0
  %bits.58 = bitcast half %element.28 to i16
  %is.best.57 = icmp eq i16 %bits.58, %best.bits.28
  %number.57 = fcmp ord half %element.28, %element.28
  %found.115 = and i1 %found.114, %number.57
  %none.28 = xor i1 %found.113, true
  %worse.28 = xor i1 %is.best.56, true
  %earlier.28 = icmp slt i64 %element.index.28, %best.113
  %over.28 = or i1 %worse.28, %earlier.28
  %better.28 = and i1 %is.best.57, %over.28
  %wins.28 = or i1 %none.28, %better.28
  %takes.28 = and i1 %found.115, %wins.28
  %best.133 = select i1 %takes.28, half %element.28, half %best.112
  %best.134 = select i1 %takes.28, i64 %element.index.28, i64 %best.113
  %element.index.29 = add i64 %index.5, 5
  %best.135 = call half @llvm.minimumnum.f16(half %best.114, half %element.29)
  %best.bits.29 = bitcast half %best.135 to i16
  %found.116 = icmp sge i64 %best.115, 0
  %bits.59 = bitcast half %best.114 to i16
  %is.best.58 = icmp eq i16 %bits.59, %best.bits.29
  %number.58 = fcmp ord half %best.114, %best.114
  %found.117 = and i1 %found.116, %number.58
  %found.118 = icmp sge i64 %element.index.29, 0
  %bits.60 = bitcast half %element.29 to i16
  %is.best.59 = icmp eq i16 %bits.60, %best.bits.29
  %number.59 = fcmp ord half %element.29, %element.29
  %found.119 = and i1 %found.118, %number.59
  %none.29 = xor i1 %found.117, true
  %worse.29 = xor i1 %is.best.58, true
  %earlier.29 = icmp slt i64 %element.index.29, %best.115
  %over.29 = or i1 %worse.29, %earlier.29
  %better.29 = and i1 %is.best.59, %over.29
  %wins.29 = or i1 %none.29, %better.29
  %takes.29 = and i1 %found.119, %wins.29
  %best.136 = select i1 %takes.29, half %element.29, half %best.114
  %best.137 = select i1 %takes.29, i64 %element.index.29, i64 %best.115
  %element.index.30 = add i64 %index.5, 6
  %best.138 = call half @llvm.minimumnum.f16(half %best.116, half %element.30)
  %best.bits.30 = bitcast half %best.138 to i16
  %found.120 = icmp sge i64 %best.117, 0
  %bits.61 = bitcast half %best.116 to i16
  %is.best.60 = icmp eq i16 %bits.61, %best.bits.30
  %number.60 = fcmp ord half %best.116, %best.116
  %found.121 = and i1 %found.120, %number.60
  %found.122 = icmp sge i64 %element.index.30, 0
  %bits.62 = bitcast half %element.30 to i16
  %is.best.61 = icmp eq i16 %bits.62, %best.bits.30
  %number.61 = fcmp ord half %element.30, %element.30
  %found.123 = and i1 %found.122, %number.61
  %none.30 = xor i1 %found.121, true
  %worse.30 = xor i1 %is.best.60, true
  %earlier.30 = icmp slt i64 %element.index.30, %best.117
  %over.30 = or i1 %worse.30, %earlier.30
  %better.30 = and i1 %is.best.61, %over.30
  %wins.30 = or i1 %none.30, %better.30
  %takes.30 = and i1 %found.123, %wins.30
  %best.139 = select i1 %takes.30, half %element.30, half %best.116
  %best.140 = select i1 %takes.30, i64 %element.index.30, i64 %best.117
  %element.index.31 = add i64 %index.5, 7
  %best.141 = call half @llvm.minimumnum.f16(half %best.118, half %element.31)
  %best.bits.31 = bitcast half %best.141 to i16
  %found.124 = icmp sge i64 %best.119, 0
  %bits.63 = bitcast half %best.118 to i16
  %is.best.62 = icmp eq i16 %bits.63, %best.bits.31
  %number.62 = fcmp ord half %best.118, %best.118
  %found.125 = and i1 %found.124, %number.62
  %found.126 = icmp sge i64 %element.index.31, 0
  %bits.64 = bitcast half %element.31 to i16
  %is.best.63 = icmp eq i16 %bits.64, %best.bits.31
  %number.63 = fcmp ord half %element.31, %element.31
  %found.127 = and i1 %found.126, %number.63
  %none.31 = xor i1 %found.125, true
  %worse.31 = xor i1 %is.best.62, true
  %earlier.31 = icmp slt i64 %element.index.31, %best.119
  %over.31 = or i1 %worse.31, %earlier.31
  %better.31 = and i1 %is.best.63, %over.31
  %wins.31 = or i1 %none.31, %better.31
  %takes.31 = and i1 %found.127, %wins.31
  %best.142 = select i1 %takes.31, half %element.31, half %best.118
  %best.143 = select i1 %takes.31, i64 %element.index.31, i64 %best.119
  %element.index.32 = add i64 %index.5, 256
  %best.144 = call half @llvm.minimumnum.f16(half %best.121, half %element.32)
  %best.bits.32 = bitcast half %best.144 to i16
  %found.128 = icmp sge i64 %best.122, 0
  %bits.65 = bitcast half %best.121 to i16
  %is.best.64 = icmp eq i16 %bits.65, %best.bits.32
  %number.64 = fcmp ord half %best.121, %best.121
  %found.129 = and i1 %found.128, %number.64
  %found.130 = icmp sge i64 %element.index.32, 0
  %bits.66 = bitcast half %element.32 to i16
  %is.best.65 = icmp eq i16 %bits.66, %best.bits.32
  %number.65 = fcmp ord half %element.32, %element.32
  %found.131 = and i1 %found.130, %number.65
  %none.32 = xor i1 %found.129, true
  %worse.32 = xor i1 %is.best.64, true
  %earlier.32 = icmp slt i64 %element.index.32, %best.122
  %over.32 = or i1 %worse.32, %earlier.32
  %better.32 = and i1 %is.best.65, %over.32
  %wins.32 = or i1 %none.32, %better.32
  %takes.32 = and i1 %found.131, %wins.32
  %best.145 = select i1 %takes.32, half %element.32, half %best.121
  %best.146 = select i1 %takes.32, i64 %element.index.32, i64 %best.122
  %element.index.33 = add i64 %index.5, 257
  %best.147 = call half @llvm.minimumnum.f16(half %best.124, half %element.33)
  %best.bits.33 = bitcast half %best.147 to i16
  %found.132 = icmp sge i64 %best.125, 0
  %bits.67 = bitcast half %best.124 to i16
  %is.best.66 = icmp eq i16 %bits.67, %best.bits.33
  %number.66 = fcmp ord half %best.124, %best.124
  %found.133 = and i1 %found.132, %number.66
  %found.134 = icmp sge i64 %element.index.33, 0
  %bits.68 = bitcast half %element.33 to i16
  %is.best.67 = icmp eq i16 %bits.68, %best.bits.33
  %number.67 = fcmp ord half %element.33, %element.33
  %found.135 = and i1 %found.134, %number.67
  %none.33 = xor i1 %found.133, true
  %worse.33 = xor i1 %is.best.66, true
  %earlier.33 = icmp slt i64 %element.index.33, %best.125
  %over.33 = or i1 %worse.33, %earlier.33
  %better.33 = and i1 %is.best.67, %over.33
  %wins.33 = or i1 %none.33, %better.33
  %takes.33 = and i1 %found.135, %wins.33
  %best.148 = select i1 %takes.33, half %element.33, half %best.124
  %best.149 = select i1 %takes.33, i64 %element.index.33, i64 %best.125
  %element.index.34 = add i64 %index.5, 258
  %best.150 = call half @llvm.minimumnum.f16(half %best.127, half %element.34)
  %best.bits.34 = bitcast half %best.150 to i16
  %found.136 = icmp sge i64 %best.128, 0
  %bits.69 = bitcast half %best.127 to i16
  %is.best.68 = icmp eq i16 %bits.69, %best.bits.34
  %number.68 = fcmp ord half %best.127, %best.127
  %found.137 = and i1 %found.136, %number.68
  %found.138 = icmp sge i64 %element.index.34, 0
  %bits.70 = bitcast half %element.34 to i16
  %is.best.69 = icmp eq i16 %bits.70, %best.bits.34
  %number.69 = fcmp ord half %element.34, %element.34
  %found.139 = and i1 %found.138, %number.69
  %none.34 = xor i1 %found.137, true
  %worse.34 = xor i1 %is.best.68, true
  %earlier.34 = icmp slt i64 %element.index.34, %best.128
  %over.34 = or i1 %worse.34, %earlier.34
  %better.34 = and i1 %is.best.69, %over.34
  %wins.34 = or i1 %none.34, %better.34
  %takes.34 = and i1 %found.139, %wins.34
  %best.151 = select i1 %takes.34, half %element.34, half %best.127
  %best.152 = select i1 %takes.34, i64 %element.index.34, i64 %best.128
  %element.index.35 = add i64 %index.5, 259
  %best.153 = call half @llvm.minimumnum.f16(half %best.130, half %element.35)
  %best.bits.35 = bitcast half %best.153 to i16
  %found.140 = icmp sge i64 %best.131, 0
  %bits.71 = bitcast half %best.130 to i16
  %is.best.70 = icmp eq i16 %bits.71, %best.bits.35
  %number.70 = fcmp ord half %best.130, %best.130
  %found.141 = and i1 %found.140, %number.70
  %found.142 = icmp sge i64 %element.index.35, 0
  %bits.72 = bitcast half %element.35 to i16
  %is.best.71 = icmp eq i16 %bits.72, %best.bits.35
  %number.71 = fcmp ord half %element.35, %element.35
  %found.143 = and i1 %found.142, %number.71
  %none.35 = xor i1 %found.141, true
  %worse.35 = xor i1 %is.best.70, true
  %earlier.35 = icmp slt i64 %element.index.35, %best.131
  %over.35 = or i1 %worse.35, %earlier.35
  %better.35 = and i1 %is.best.71, %over.35
  %wins.35 = or i1 %none.35, %better.35
  %takes.35 = and i1 %found.143, %wins.35
  %best.154 = select i1 %takes.35, half %element.35, half %best.130
  %best.155 = select i1 %takes.35, i64 %element.index.35, i64 %best.131
  %element.index.36 = add i64 %index.5, 260
  %best.156 = call half @llvm.minimumnum.f16(half %best.133, half %element.36)
  %best.bits.36 = bitcast half %best.156 to i16
  %found.144 = icmp sge i64 %best.134, 0
  %bits.73 = bitcast half %best.133 to i16
  %is.best.72 = icmp eq i16 %bits.73, %best.bits.36
  %number.72 = fcmp ord half %best.133, %best.133
  %found.145 = and i1 %found.144, %number.72
  %found.146 = icmp sge i64 %element.index.36, 0
  %bits.74 = bitcast half %element.36 to i16
  %is.best.73 = icmp eq i16 %bits.74, %best.bits.36
  %number.73 = fcmp ord half %element.36, %element.36
  %found.147 = and i1 %found.146, %number.73
  %none.36 = xor i1 %found.145, true
  %worse.36 = xor i1 %is.best.72, true
  %earlier.36 = icmp slt i64 %element.index.36, %best.134
  %over.36 = or i1 %worse.36, %earlier.36
  %better.36 = and i1 %is.best.73, %over.36
  %wins.36 = or i1 %none.36, %better.36
  %takes.36 = and i1 %found.147, %wins.36
  %best.157 = select i1 %takes.36, half %element.36, half %best.133
  %best.158 = select i1 %takes.36, i64 %element.index.36, i64 %best.134
  %element.index.37 = add i64 %index.5, 261
  %best.159 = call half @llvm.minimumnum.f16(half %best.136, half %element.37)
  %best.bits.37 = bitcast half %best.159 to i16
  %found.148 = icmp sge i64 %best.137, 0
  %bits.75 = bitcast half %best.136 to i16
  %is.best.74 = icmp eq i16 %bits.75, %best.bits.37
  %number.74 = fcmp ord half %best.136, %best.136
  %found.149 = and i1 %found.148, %number.74
  %found.150 = icmp sge i64 %element.index.37, 0
  %bits.76 = bitcast half %element.37 to i16
  %is.best.75 = icmp eq i16 %bits.76, %best.bits.37
  %number.75 = fcmp ord half %element.37, %element.37
  %found.151 = and i1 %found.150, %number.75
  %none.37 = xor i1 %found.149, true
  %worse.37 = xor i1 %is.best.74, true
  %earlier.37 = icmp slt i64 %element.index.37, %best.137
  %over.37 = or i1 %worse.37, %earlier.37
  %better.37 = and i1 %is.best.75, %over.37
  %wins.37 = or i1 %none.37, %better.37
  %takes.37 = and i1 %found.151, %wins.37
  %best.160 = select i1 %takes.37, half %element.37, half %best.136
  %best.161 = select i1 %takes.37, i64 %element.index.37, i64 %best.137
  %element.index.38 = add i64 %index.5, 262
  %best.162 = call half @llvm.minimumnum.f16(half %best.139, half %element.38)
  %best.bits.38 = bitcast half %best.162 to i16
  %found.152 = icmp sge i64 %best.140, 0
  %bits.77 = bitcast half %best.139 to i16
  %is.best.76 = icmp eq i16 %bits.77, %best.bits.38
  %number.76 = fcmp ord half %best.139, %best.139
  %found.153 = and i1 %found.152, %number.76
  %found.154 = icmp sge i64 %element.index.38, 0
  %bits.78 = bitcast half %element.38 to i16
  %is.best.77 = icmp eq i16 %bits.78, %best.bits.38
  %number.77 = fcmp ord half %element.38, %element.38
  %found.155 = and i1 %found.154, %number.77
  %none.38 = xor i1 %found.153, true
  %worse.38 = xor i1 %is.best.76, true
  %earlier.38 = icmp slt i64 %element.index.38, %best.140
  %over.38 = or i1 %worse.38, %earlier.38
  %better.38 = and i1 %is.best.77, %over.38
  %wins.38 = or i1 %none.38, %better.38
  %takes.38 = and i1 %found.155, %wins.38
  %best.163 = select i1 %takes.38, half %element.38, half %best.139
  %best.164 = select i1 %takes.38, i64 %element.index.38, i64 %best.140
  %element.index.39 = add i64 %index.5, 263
  %best.165 = call half @llvm.minimumnum.f16(half %best.142, half %element.39)
  %best.bits.39 = bitcast half %best.165 to i16
  %found.156 = icmp sge i64 %best.143, 0
  %bits.79 = bitcast half %best.142 to i16
  %is.best.78 = icmp eq i16 %bits.79, %best.bits.39
  %number.78 = fcmp ord half %best.142, %best.142
  %found.157 = and i1 %found.156, %number.78
  %found.158 = icmp sge i64 %element.index.39, 0
  %bits.80 = bitcast half %element.39 to i16
  %is.best.79 = icmp eq i16 %bits.80, %best.bits.39
  %number.79 = fcmp ord half %element.39, %element.39
  %found.159 = and i1 %found.158, %number.79
  %none.39 = xor i1 %found.157, true
  %worse.39 = xor i1 %is.best.78, true
  %earlier.39 = icmp slt i64 %element.index.39, %best.143
  %over.39 = or i1 %worse.39, %earlier.39
  %better.39 = and i1 %is.best.79, %over.39
  %wins.39 = or i1 %none.39, %better.39
  %takes.39 = and i1 %found.159, %wins.39
  %best.166 = select i1 %takes.39, half %element.39, half %best.142
  %best.167 = select i1 %takes.39, i64 %element.index.39, i64 %best.143
  %at.24 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 %stride.2
  %next.2 = add i64 %counter.2, %step.1
  %elements.2 = mul i64 %step.1, 8
  %next.index.2 = add i64 %index.5, %elements.2
  br label %narrow.tiles, !llvm.loop !6

narrow.tiles.end:
  %taken.1 = sub i64 %counter.2, %step.1
  %first.1 = add i64 %taken.1, %grid.thread
  %offset.3 = mul i64 %first.1, 16
  %at.25 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.3
  %stride.3 = mul i64 %grid.threads, 16
  %before.4 = mul i64 %first.1, 8
  %index.6 = add i64 %first.index, %before.4
  br label %narrow.rest

narrow.rest:
  %counter.3 = phi i64 [ %first.1, %narrow.tiles.end ], [ %next.3, %narrow.rest.body ]
  %pointer0.3 = phi ptr addrspace(1) [ %at.25, %narrow.tiles.end ], [ %at.34, %narrow.rest.body ]
  %index.7 = phi i64 [ %index.6, %narrow.tiles.end ], [ %next.index.3, %narrow.rest.body ]
  %best.168 = phi half [ %best.104, %narrow.tiles.end ], [ %best.185, %narrow.rest.body ]
  %best.169 = phi i64 [ %best.105, %narrow.tiles.end ], [ %best.186, %narrow.rest.body ]
  %best.170 = phi half [ %best.106, %narrow.tiles.end ], [ %best.188, %narrow.rest.body ]
  %best.171 = phi i64 [ %best.107, %narrow.tiles.end ], [ %best.189, %narrow.rest.body ]
  %best.172 = phi half [ %best.108, %narrow.tiles.end ], [ %best.191, %narrow.rest.body ]
  %best.173 = phi i64 [ %best.109, %narrow.tiles.end ], [ %best.192, %narrow.rest.body ]
  %best.174 = phi half [ %best.110, %narrow.tiles.end ], [ %best.194, %narrow.rest.body ]
  %best.175 = phi i64 [ %best.111, %narrow.tiles.end ], [ %best.195, %narrow.rest.body ]
  %best.176 = phi half [ %best.112, %narrow.tiles.end ], [ %best.197, %narrow.rest.body ]
  %best.177 = phi i64 [ %best.113, %narrow.tiles.end ], [ %best.198, %narrow.rest.body ]
  %best.178 = phi half [ %best.114, %narrow.tiles.end ], [ %best.200, %narrow.rest.body ]
  %best.179 = phi i64 [ %best.115, %narrow.tiles.end ], [ %best.201, %narrow.rest.body ]
  %best.180 = phi half [ %best.116, %narrow.tiles.end ], [ %best.203, %narrow.rest.body ]
  %best.181 = phi i64 [ %best.117, %narrow.tiles.end ], [ %best.204, %narrow.rest.body ]
  %best.182 = phi half [ %best.118, %narrow.tiles.end ], [ %best.206, %narrow.rest.body ]
  %best.183 = phi i64 [ %best.119, %narrow.tiles.end ], [ %best.207, %narrow.rest.body ]
  %goes.on.3 = icmp ult i64 %counter.3, %groups
  br i1 %goes.on.3, label %narrow.rest.body, label %narrow.rest.end

narrow.rest.body:
  %at.26 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 0
  %element.40 = load half, ptr addrspace(1) %at.26, align 2, !invariant.load !0
  %at.27 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 2
  %element.41 = load half, ptr addrspace(1) %at.27, align 2, !invariant.load !0
  %at.28 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 4
  %element.42 = load half, ptr addrspace(1) %at.28, align 2, !invariant.load !0
  %at.29 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 6
  %element.43 = load half, ptr addrspace(1) %at.29, align 2, !invariant.load !0
  %at.30 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 8
  %element.44 = load half, ptr addrspace(1) %at.30, align 2, !invariant.load !0
  %at.31 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 10
  %element.45 = load half, ptr addrspace(1) %at.31, align 2, !invariant.load !0
  %at.32 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 12
  %element.46 = load half, ptr addrspace(1) %at.32, align 2, !invariant.load !0
  %at.33 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 14
  %element.47 = load half, ptr addrspace(1) %at.33, align 2, !invariant.load !0
  %element.index.40 = add i64 %index.7, 0
  %best.184 = call half @llvm.minimumnum.f16(half %best.168, half %element.40)
  %best.bits.40 = bitcast half %best.184 to i16
  %found.160 = icmp sge i64 %best.169, 0
  %bits.81 = bitcast half %best.168 to i16
  %is.best.80 = icmp eq i16 %bits.81, %best.bits.40
  %number.80 = fcmp ord half %best.168, %best.168
  %found.161 = and i1 %found.160, %number.80
  %found.162 = icmp sge i64 %element.index.40, 0
  %bits.82 = bitcast half %element.40 to i16
  %is.best.81 = icmp eq i16 %bits.82, %best.bits.40
  %number.81 = fcmp ord half %element.40, %element.40
  %found.163 = and i1 %found.162, %number.81
  %none.40 = xor i1 %found.161, true
  %worse.40 = xor i1 %is.best.80, true
  %earlier.40 = icmp slt i64 %element.index.40, %best.169
  %over.40 = or i1 %worse.40, %earlier.40
  %better.40 = and i1 %is.best.81, %over.40
  %wins.40 = or i1 %none.40, %better.40
  %takes.40 = and i1 %found.163, %wins.40
  %best.185 = select i1 %takes.40, half %element.40, half %best.168
  %best.186 = select i1 %takes.40, i64 %element.index.40, i64 %best.169
  %element.index.41 = add i64 %index.7, 1
  %best.187 = call half @llvm.minimumnum.f16(half %best.170, half %element.41)
  %best.bits.41 = bitcast half %best.187 to i16
  %found.164 = icmp sge i64 %best.171, 0
  %bits.83 = bitcast half %best.170 to i16
  %is.best.82 = icmp eq i16 %bits.83, %best.bits.41
  %number.82 = fcmp ord half %best.170, %best.170
  %found.165 = and i1 %found.164, %number.82
  %found.166 = icmp sge i64 %element.index.41, 0
  %bits.84 = bitcast half %element.41 to i16
  %is.best.83 = icmp eq i16 %bits.84, %best.bits.41
  %number.83 = fcmp ord half %element.41, %element.41
  %found.167 = and i1 %found.166, %number.83
  %none.41 = xor i1 %found.165, true
  %worse.41 = xor i1 %is.best.82, true
  %earlier.41 = icmp slt i64 %element.index.41, %best.171
  %over.41 = or i1 %worse.41, %earlier.41
  %better.41 = and i1 %is.best.83, %over.41
  %wins.41 = or i1 %none.41, %better.41
  %takes.41 = and i1 %found.167, %wins.41
  %best.188 = select i1 %takes.41, half %element.41, half %best.170
  %best.189 = select i1 %takes.41, i64 %element.index.41, i64 %best.171
  %element.index.42 = add i64 %index.7, 2
  %best.190 = call half @llvm.minimumnum.f16(half %best.172, half %element.42)
  %best.bits.42 = bitcast half %best.190 to i16
  %found.168 = icmp sge i64 %best.173, 0
  %bits.85 = bitcast half %best.172 to i16
  %is.best.84 = icmp eq i16 %bits.85, %best.bits.42
  %number.84 = fcmp ord half %best.172, %best.172
  %found.169 = and i1 %found.168, %number.84
  %found.170 = icmp sge i64 %element.index.42, 0
  %bits.86 = bitcast half %element.42 to i16
  %is.best.85 = icmp eq i16 %bits.86, %best.bits.42
  %number.85 = fcmp ord half %element.42, %element.42
  %found.171 = and i1 %found.170, %number.85
  %none.42 = xor i1 %found.169, true
  %worse.42 = xor i1 %is.best.84, true
  %earlier.42 = icmp slt i64 %element.index.42, %best.173
  %over.42 = or i1 %worse.42, %earlier.42
  %better.42 = and i1 %is.best.85, %over.42
  %wins.42 = or i1 %none.42, %better.42
  %takes.42 = and i1 %found.171, %wins.42
  %best.191 = select i1 %takes.42, half %element.42, half %best.172
  %best.192 = select i1 %takes.42, i64 %element.index.42, i64 %best.173
  %element.index.43 = add i64 %index.7, 3
  %best.193 = call half @llvm.minimumnum.f16(half %best.174, half %element.43)
  %best.bits.43 = bitcast half %best.193 to i16
  %found.172 = icmp sge i64 %best.175, 0
  %bits.87 = bitcast half %best.174 to i16
  %is.best.86 = icmp eq i16 %bits.87, %best.bits.43
  %number.86 = fcmp ord half %best.174, %best.174
  %found.173 = and i1 %found.172, %number.86
  %found.174 = icmp sge i64 %element.index.43, 0
  %bits.88 = bitcast half %element.43 to i16
  %is.best.87 = icmp eq i16 %bits.88, %best.bits.43
  %number.87 = fcmp ord half %element.43, %element.43
  %found.175 = and i1 %found.174, %number.87
  %none.43 = xor i1 %found.173, true
  %worse.43 = xor i1 %is.best.86, true
  %earlier.43 = icmp slt i64 %element.index.43, %best.175
  %over.43 = or i1 %worse.43, %earlier.43
  %better.43 = and i1 %is.best.87, %over.43
  %wins.43 = or i1 %none.43, %better.43
  %takes.43 = and i1 %found.175, %wins.43
  %best.194 = select i1 %takes.43, half %element.43, half %best.174
  %best.195 = select i1 %takes.43, i64 %element.index.43, i64 %best.175
  %element.index.44 = add i64 %index.7, 4
  %best.196 = call half @llvm.minimumnum.f16(half %best.176, half %element.44)
  %best.bits.44 = bitcast half %best.196 to i16
  %found.176 = icmp sge i64 %best.177, 0
  %bits.89 = bitcast half %best.176 to i16
  %is.best.88 = icmp eq i16 %bits.89, %best.bits.44
  %number.88 = fcmp ord half %best.176, %best.176
  %found.177 = and i1 %found.176, %number.88
  %found.178 = icmp sge i64 %element.index.44, 0
  %bits.90 = bitcast half %element.44 to i16
  %is.best.89 = icmp eq i16 %bits.90, %best.bits.44
  %number.89 = fcmp ord half %element.44, %element.44
  %found.179 = and i1 %found.178, %number.89
  %none.44 = xor i1 %found.177, true
  %worse.44 = xor i1 %is.best.88, true
  %earlier.44 = icmp slt i64 %element.index.44, %best.177
  %over.44 = or i1 %worse.44, %earlier.44
  %better.44 = and i1 %is.best.89, %over.44
  %wins.44 = or i1 %none.44, %better.44
  %takes.44 = and i1 %found.179, %wins.44
  %best.197 = select i1 %takes.44, half %element.44, half %best.176
  %best.198 = select i1 %takes.44, i64 %element.index.44, i64 %best.177
  %element.index.45 = add i64 %index.7, 5
  %best.199 = call half @llvm.minimumnum.f16(half %best.178, half %element.45)
  %best.bits.45 = bitcast half %best.199 to i16
  %found.180 = icmp sge i64 %best.179, 0
  %bits.91 = bitcast half %best.178 to i16
  %is.best.90 = icmp eq i16 %bits.91, %best.bits.45
  %number.90 = fcmp ord half %best.178, %best.178
  %found.181 = and i1 %found.180, %number.90
  %found.182 = icmp sge i64 %element.index.45, 0
  %bits.92 = bitcast half %element.45 to i16
  %is.best.91 = icmp eq i16 %bits.92, %best.bits.45
  %number.91 = fcmp ord half %element.45, %element.45
  %found.183 = and i1 %found.182, %number.91
  %none.45 = xor i1 %found.181, true
  %worse.45 = xor i1 %is.best.90, true
  %earlier.45 = icmp slt i64 %element.index.45, %best.179
  %over.45 = or i1 %worse.45, %earlier.45
  %better.45 = and i1 %is.best.91, %over.45
  %wins.45 = or i1 %none.45, %better.45
  %takes.45 = and i1 %found.183, %wins.45
  %best.200 = select i1 %takes.45, half %element.45, half %best.178
  %best.201 = select i1 %takes.45, i64 %element.index.45, i64 %best.179
  %element.index.46 = add i64 %index.7, 6
  %best.202 = call half @llvm.minimumnum.f16(half %best.180, half %element.46)
  %best.bits.46 = bitcast half %best.202 to i16
  %found.184 = icmp sge i64 %best.181, 0
  %bits.93 = bitcast half %best.180 to i16
  %is.best.92 = icmp eq i16 %bits.93, %best.bits.46
  %number.92 = fcmp ord half %best.180, %best.180
  %found.185 = and i1 %found.184, %number.92
  %found.186 = icmp sge i64 %element.index.46, 0
  %bits.94 = bitcast half %element.46 to i16
  %is.best.93 = icmp eq i16 %bits.94, %best.bits.46
  %number.93 = fcmp ord half %element.46, %element.46
  %found.187 = and i1 %found.186, %number.93
  %none.46 = xor i1 %found.185, true
  %worse.46 = xor i1 %is.best.92, true
  %earlier.46 = icmp slt i64 %element.index.46, %best.181
  %over.46 = or i1 %worse.46, %earlier.46
  %better.46 = and i1 %is.best.93, %over.46
  %wins.46 = or i1 %none.46, %better.46
  %takes.46 = and i1 %found.187, %wins.46
  %best.203 = select i1 %takes.46, half %element.46, half %best.180
  %best.204 = select i1 %takes.46, i64 %element.index.46, i64 %best.181
  %element.index.47 = add i64 %index.7, 7
  %best.205 = call half @llvm.minimumnum.f16(half %best.182, half %element.47)
  %best.bits.47 = bitcast half %best.205 to i16
  %found.188 = icmp sge i64 %best.183, 0
  %bits.95 = bitcast half %best.182 to i16
  %is.best.94 = icmp eq i16 %bits.95, %best.bits.47
  %number.94 = fcmp ord half %best.182, %best.182
  %found.189 = and i1 %found.188, %number.94
  %found.190 = icmp sge i64 %element.index.47, 0
  %bits.96 = bitcast half %element.47 to i16
  %is.best.95 = icmp eq i16 %bits.96, %best.bits.47
  %number.95 = fcmp ord half %element.47, %element.47
  %found.191 = and i1 %found.190, %number.95
  %none.47 = xor i1 %found.189, true
  %worse.47 = xor i1 %is.best.94, true
  %earlier.47 = icmp slt i64 %element.index.47, %best.183
  %over.47 = or i1 %worse.47, %earlier.47
  %better.47 = and i1 %is.best.95, %over.47
  %wins.47 = or i1 %none.47, %better.47
  %takes.47 = and i1 %found.191, %wins.47
  %best.206 = select i1 %takes.47, half %element.47, half %best.182
  %best.207 = select i1 %takes.47, i64 %element.index.47, i64 %best.183
  %at.34 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 %stride.3
  %next.3 = add i64 %counter.3, %grid.threads
  %elements.3 = mul i64 %grid.threads, 8
  %next.index.3 = add i64 %index.7, %elements.3
  br label %narrow.rest, !llvm.loop !8

narrow.rest.end:
  br label %whole

whole:
  %best.208 = phi half [ %best.64, %wide.rest.end ], [ %best.168, %narrow.rest.end ]
  %best.209 = phi i64 [ %best.65, %wide.rest.end ], [ %best.169, %narrow.rest.end ]
  %best.210 = phi half [ %best.66, %wide.rest.end ], [ %best.170, %narrow.rest.end ]
  %best.211 = phi i64 [ %best.67, %wide.rest.end ], [ %best.171, %narrow.rest.end ]
  %best.212 = phi half [ %best.68, %wide.rest.end ], [ %best.172, %narrow.rest.end ]
  %best.213 = phi i64 [ %best.69, %wide.rest.end ], [ %best.173, %narrow.rest.end ]
  %best.214 = phi half [ %best.70, %wide.rest.end ], [ %best.174, %narrow.rest.end ]
  %best.215 = phi i64 [ %best.71, %wide.rest.end ], [ %best.175, %narrow.rest.end ]
  %best.216 = phi half [ %best.72, %wide.rest.end ], [ %best.176, %narrow.rest.end ]
  %best.217 = phi i64 [ %best.73, %wide.rest.end ], [ %best.177, %narrow.rest.end ]
  %best.218 = phi half [ %best.74, %wide.rest.end ], [ %best.178, %narrow.rest.end ]
  %best.219 = phi i64 [ %best.75, %wide.rest.end ], [ %best.179, %narrow.rest.end ]
  %best.220 = phi half [ %best.76, %wide.rest.end ], [ %best.180, %narrow.rest.end ]
  %best.221 = phi i64 [ %best.77, %wide.rest.end ], [ %best.181, %narrow.rest.end ]
  %best.222 = phi half [ %best.78, %wide.rest.end ], [ %best.182, %narrow.rest.end ]
  %best.223 = phi i64 [ %best.79, %wide.rest.end ], [ %best.183, %narrow.rest.end ]
  %best.224 = call half @llvm.minimumnum.f16(half %best.208, half %best.210)
  %best.bits.48 = bitcast half %best.224 to i16
  %found.192 = icmp sge i64 %best.209, 0
  %bits.97 = bitcast half %best.208 to i16
  %is.best.96 = icmp eq i16 %bits.97, %best.bits.48
  %number.96 = fcmp ord half %best.208, %best.208
  %found.193 = and i1 %found.192, %number.96
  %found.194 = icmp sge i64 %best.211, 0
  %bits.98 = bitcast half %best.210 to i16
  %is.best.97 = icmp eq i16 %bits.98, %best.bits.48
  %number.97 = fcmp ord half %best.210, %best.210
  %found.195 = and i1 %found.194, %number.97
  %none.48 = xor i1 %found.193, true
  %worse.48 = xor i1 %is.best.96, true
  %earlier.48 = icmp slt i64 %best.211, %best.209
  %over.48 = or i1 %worse.48, %earlier.48
  %better.48 = and i1 %is.best.97, %over.48
  %wins.48 = or i1 %none.48, %better.48
  %takes.48 = and i1 %found.195, %wins.48
  %best.total = select i1 %takes.48, half %best.210, half %best.208
  %best.total.1 = select i1 %takes.48, i64 %best.211, i64 %best.209
  %best.225 = call half @llvm.minimumnum.f16(half %best.total, half %best.212)
  %best.bits.49 = bitcast half %best.225 to i16
  %found.196 = icmp sge i64 %best.total.1, 0
  %bits.99 = bitcast half %best.total to i16
  %is.best.98 = icmp eq i16 %bits.99, %best.bits.49
  %number.98 = fcmp ord half %best.total, %best.total
  %found.197 = and i1 %found.196, %number.98
  %found.198 = icmp sge i64 %best.213, 0
  %bits.100 = bitcast half %best.212 to i16
  %is.best.99 = icmp eq i16 %bits.100, %best.bits.49
  %number.99 = fcmp ord half %best.212, %best.212
  %found.199 = and i1 %found.198, %number.99
  %none.49 = xor i1 %found.197, true
  %worse.49 = xor i1 %is.best.98, true
  %earlier.49 = icmp slt i64 %best.213, %best.total.1
  %over.49 = or i1 %worse.49, %earlier.49
  %better.49 = and i1 %is.best.99, %over.49
  %wins.49 = or i1 %none.49, %better.49
  %takes.49 = and i1 %found.199, %wins.49
  %best.total.2 = select i1 %takes.49, half %best.212, half %best.total
  %best.total.3 = select i1 %takes.49, i64 %best.213, i64 %best.total.1
  %best.226 = call half @llvm.minimumnum.f16(half %best.total.2, half %best.214)
  %best.bits.50 = bitcast half %best.226 to i16
  %found.200 = icmp sge i64 %best.total.3, 0
  %bits.101 = bitcast half %best.total.2 to i16
  %is.best.100 = icmp eq i16 %bits.101, %best.bits.50
  %number.100 = fcmp ord half %best.total.2, %best.total.2
  %found.201 = and i1 %found.200, %number.100
  %found.202 = icmp sge i64 %best.215, 0
  %bits.102 = bitcast half %best.214 to i16
  %is.best.101 = icmp eq i16 %bits.102, %best.bits.50
  %number.101 = fcmp ord half %best.214, %best.214
  %found.203 = and i1 %found.202, %number.101
  %none.50 = xor i1 %found.201, true
  %worse.50 = xor i1 %is.best.100, true
  %earlier.50 = icmp slt i64 %best.215, %best.total.3
  %over.50 = or i1 %worse.50, %earlier.50
  %better.50 = and i1 %is.best.101, %over.50
  %wins.50 = or i1 %none.50, %better.50
  %takes.50 = and i1 %found.203, %wins.50
  %best.total.4 = select i1 %takes.50, half %best.214, half %best.total.2
  %best.total.5 = select i1 %takes.50, i64 %best.215, i64 %best.total.3
  %best.227 = call half @llvm.minimumnum.f16(half %best.total.4, half %best.216)
  %best.bits.51 = bitcast half %best.227 to i16
  %found.204 = icmp sge i64 %best.total.5, 0
  %bits.103 = bitcast half %best.total.4 to i16
  %is.best.102 = icmp eq i16 %bits.103, %best.bits.51
  %number.102 = fcmp ord half %best.total.4, %best.total.4
  %found.205 = and i1 %found.204, %number.102
  %found.206 = icmp sge i64 %best.217, 0
  %bits.104 = bitcast half %best.216 to i16
  %is.best.103 = icmp eq i16 %bits.104, %best.bits.51
  %number.103 = fcmp ord half %best.216, %best.216
  %found.207 = and i1 %found.206, %number.103
  %none.51 = xor i1 %found.205, true
  %worse.51 = xor i1 %is.best.102, true
  %earlier.51 = icmp slt i64 %best.217, %best.total.5
  %over.51 = or i1 %worse.51, %earlier.51
  %better.51 = and i1 %is.best.103, %over.51
  %wins.51 = or i1 %none.51, %better.51
  %takes.51 = and i1 %found.207, %wins.51
  %best.total.6 = select i1 %takes.51, half %best.216, half %best.total.4
  %best.total.7 = select i1 %takes.51, i64 %best.217, i64 %best.total.5
  %best.228 = call half @llvm.minimumnum.f16(half %best.total.6, half %best.218)
  %best.bits.52 = bitcast half %best.228 to i16
  %found.208 = icmp sge i64 %best.total.7, 0
  %bits.105 = bitcast half %best.total.6 to i16
  %is.best.104 = icmp eq i16 %bits.105, %best.bits.52
  %number.104 = fcmp ord half %best.total.6, %best.total.6
  %found.209 = and i1 %found.208, %number.104
  %found.210 = icmp sge i64 %best.219, 0
  %bits.106 = bitcast half %best.218 to i16
  %is.best.105 = icmp eq i16 %bits.106, %best.bits.52
  %number.105 = fcmp ord half %best.218, %best.218
  %found.211 = and i1 %found.210, %number.105
  %none.52 = xor i1 %found.209, true
  %worse.52 = xor i1 %is.best.104, true
  %earlier.52 = icmp slt i64 %best.219, %best.total.7
  %over.52 = or i1 %worse.52, %earlier.52
  %better.52 = and i1 %is.best.105, %over.52
  %wins.52 = or i1 %none.52, %better.52
  %takes.52 = and i1 %found.211, %wins.52
  %best.total.8 = select i1 %takes.52, half %best.218, half %best.total.6
  %best.total.9 = select i1 %takes.52, i64 %best.219, i64 %best.total.7
  %best.229 = call half @llvm.minimumnum.f16(half %best.total.8, half %best.220)
  %best.bits.53 = bitcast half %best.229 to i16
  %found.212 = icmp sge i64 %best.total.9, 0
  %bits.107 = bitcast half %best.total.8 to i16
  %is.best.106 = icmp eq i16 %bits.107, %best.bits.53
  %number.106 = fcmp ord half %best.total.8, %best.total.8
  %found.213 = and i1 %found.212, %number.106
  %found.214 = icmp sge i64 %best.221, 0
  %bits.108 = bitcast half %best.220 to i16
  %is.best.107 = icmp eq i16 %bits.108, %best.bits.53
  %number.107 = fcmp ord half %best.220, %best.220
  %found.215 = and i1 %found.214, %number.107
  %none.53 = xor i1 %found.213, true
  %worse.53 = xor i1 %is.best.106, true
  %earlier.53 = icmp slt i64 %best.221, %best.total.9
  %over.53 = or i1 %worse.53, %earlier.53
  %better.53 = and i1 %is.best.107, %over.53
  %wins.53 = or i1 %none.53, %better.53
  %takes.53 = and i1 %found.215, %wins.53
  %best.total.10 = select i1 %takes.53, half %best.220, half %best.total.8
  %best.total.11 = select i1 %takes.53, i64 %best.221, i64 %best.total.9
  %best.230 = call half @llvm.minimumnum.f16(half %best.total.10, half %best.222)
  %best.bits.54 = bitcast half %best.230 to i16
  %found.216 = icmp sge i64 %best.total.11, 0
  %bits.109 = bitcast half %best.total.10 to i16
  %is.best.108 = icmp eq i16 %bits.109, %best.bits.54
  %number.108 = fcmp ord half %best.total.10, %best.total.10
  %found.217 = and i1 %found.216, %number.108
  %found.218 = icmp sge i64 %best.223, 0
  %bits.110 = bitcast half %best.222 to i16
  %is.best.109 = icmp eq i16 %bits.110, %best.bits.54
  %number.109 = fcmp ord half %best.222, %best.222
  %found.219 = and i1 %found.218, %number.109
  %none.54 = xor i1 %found.217, true
  %worse.54 = xor i1 %is.best.108, true
  %earlier.54 = icmp slt i64 %best.223, %best.total.11
  %over.54 = or i1 %worse.54, %earlier.54
  %better.54 = and i1 %is.best.109, %over.54
  %wins.54 = or i1 %none.54, %better.54
  %takes.54 = and i1 %found.219, %wins.54
  %best.total.12 = select i1 %takes.54, half %best.222, half %best.total.10
  %best.total.13 = select i1 %takes.54, i64 %best.223, i64 %best.total.11
  %grouped = mul i64 %groups, 8
  %first.2 = add i64 %grouped, %grid.thread
  br label %tail

tail:
  %index.8 = phi i64 [ %first.2, %whole ], [ %next.4, %tail.body ]
  %best.231 = phi half [ %best.total.12, %whole ], [ %best.234, %tail.body ]
  %best.232 = phi i64 [ %best.total.13, %whole ], [ %best.235, %tail.body ]
  %goes.on.4 = icmp ult i64 %index.8, %n
  br i1 %goes.on.4, label %tail.body, label %tail.end

tail.body:
  %at.35 = getelementptr inbounds half, ptr addrspace(1) %array0, i64 %index.8
  %element.48 = load half, ptr addrspace(1) %at.35, align 2, !invariant.load !0
  %element.index.48 = add i64 %first.index, %index.8
  %best.233 = call half @llvm.minimumnum.f16(half %best.231, half %element.48)
  %best.bits.55 = bitcast half %best.233 to i16
  %found.220 = icmp sge i64 %best.232, 0
  %bits.111 = bitcast half %best.231 to i16
  %is.best.110 = icmp eq i16 %bits.111, %best.bits.55
  %number.110 = fcmp ord half %best.231, %best.231
  %found.221 = and i1 %found.220, %number.110
  %found.222 = icmp sge i64 %element.index.48, 0
  %bits.112 = bitcast half %element.48 to i16
  %is.best.111 = icmp eq i16 %bits.112, %best.bits.55
  %number.111 = fcmp ord half %element.48, %element.48
  %found.223 = and i1 %found.222, %number.111
  %none.55 = xor i1 %found.221, true
  %worse.55 = xor i1 %is.best.110, true
  %earlier.55 = icmp slt i64 %element.index.48, %best.232
  %over.55 = or i1 %worse.55, %earlier.55
  %better.55 = and i1 %is.best.111, %over.55
  %wins.55 = or i1 %none.55, %better.55
  %takes.55 = and i1 %found.223, %wins.55
  %best.234 = select i1 %takes.55, half %element.48, half %best.231
  %best.235 = select i1 %takes.55, i64 %element.index.48, i64 %best.232
  %next.4 = add i64 %index.8, %grid.threads
  br label %tail, !llvm.loop !10

tail.end:
  %best.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %best.private = load ptr, ptr %best.entry, align 8
  store half %best.231, ptr %best.private, align 2
  %best.at = getelementptr inbounds i8, ptr %best.private, i64 8
  store i64 %best.232, ptr %best.at, align 8
  ret void
}

define ptx_kernel void @warpfold_reduce(i64 %n, i64 %first, ptr addrspace(1) align 16 %workspace, ptr addrspace(1) align 8 %result, ptr addrspace(1) noalias readonly align 2 %array0) convergent mustprogress nounwind "nvvm.maxntid"="256" {
entry:
  %private = alloca %warpfold.record, align 8
  %list = alloca [1 x ptr], align 8
  %best.member = getelementptr inbounds %warpfold.record, ptr %private, i64 0, i32 0
  %best.entry = getelementptr inbounds ptr, ptr %list, i64 0
  store ptr %best.member, ptr %best.entry, align 8
  call void @warpfold_accumulate(ptr %list, i64 %n, i64 %first, ptr addrspace(1) %array0)
  %generic = addrspacecast ptr addrspace(1) %workspace to ptr
  %holds = call i32 @__warpfold_grid_reduce(ptr %generic, ptr %list, ptr @warpfold_shuffle_and_reduce, ptr @warpfold_inter_warp_copy, ptr @warpfold_list_to_global_copy, ptr @warpfold_global_to_list_copy, ptr @warpfold_global_to_list_reduce)
  %is.last = icmp ne i32 %holds, 0
  br i1 %is.last, label %fold, label %done

fold:
  %generic.1 = addrspacecast ptr addrspace(1) %result to ptr
  call void @warpfold_list_to_global_reduce(ptr %generic.1, i32 0, ptr %list)
  br label %done

done:
  ret void
}

define ptx_kernel void @warpfold_partial(i64 %n, i64 %first, ptr addrspace(1) align 16 %workspace, ptr addrspace(1) noalias readonly align 2 %array0) convergent mustprogress nounwind "nvvm.maxntid"="256" {
entry:
  %private = alloca %warpfold.record, align 8
  %list = alloca [1 x ptr], align 8
  %best.member = getelementptr inbounds %warpfold.record, ptr %private, i64 0, i32 0
  %best.entry = getelementptr inbounds ptr, ptr %list, i64 0
  store ptr %best.member, ptr %best.entry, align 8
  call void @warpfold_accumulate(ptr %list, i64 %n, i64 %first, ptr addrspace(1) %array0)
  %generic = addrspacecast ptr addrspace(1) %workspace to ptr
  call void @__warpfold_grid_store(ptr %generic, ptr %list, ptr @warpfold_shuffle_and_reduce, ptr @warpfold_inter_warp_copy, ptr @warpfold_list_to_global_copy)
  ret void
}

define ptx_kernel void @warpfold_finalize(ptr addrspace(1) align 16 %workspace, i32 %num_slots, ptr addrspace(1) align 8 %result) convergent mustprogress nounwind "nvvm.maxntid"="256" {
entry:
  %private = alloca %warpfold.record, align 8
  %list = alloca [1 x ptr], align 8
  %best.member = getelementptr inbounds %warpfold.record, ptr %private, i64 0, i32 0
  %best.entry = getelementptr inbounds ptr, ptr %list, i64 0
  store ptr %best.member, ptr %best.entry, align 8
  call void @warpfold_initialize(ptr %list)
  %generic = addrspacecast ptr addrspace(1) %workspace to ptr
  %holds = call i32 @__warpfold_grid_finalize(ptr %generic, i32 %num_slots, ptr %list, ptr @warpfold_shuffle_and_reduce, ptr @warpfold_inter_warp_copy, ptr @warpfold_global_to_list_copy, ptr @warpfold_global_to_list_reduce)
  %is.last = icmp ne i32 %holds, 0
  br i1 %is.last, label %fold, label %done

fold:
  %generic.1 = addrspacecast ptr addrspace(1) %result to ptr
  call void @warpfold_list_to_global_reduce(ptr %generic.1, i32 0, ptr %list)
  br label %done

done:
  ret void
}

declare half @llvm.minimumnum.f16(half, half)
declare i32 @__warpfold_grid_finalize(ptr, i32, ptr, ptr, ptr, ptr, ptr) convergent nounwind
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
declare void @__warpfold_grid_store(ptr, ptr, ptr, ptr, ptr) convergent nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

!0 = !{}
!1 = !{!"llvm.loop.unroll.disable"}
!2 = distinct !{!2, !1}
!3 = !{!"llvm.loop.unroll.disable"}
!4 = distinct !{!4, !3}
!5 = !{!"llvm.loop.unroll.disable"}
!6 = distinct !{!6, !5}
!7 = !{!"llvm.loop.unroll.disable"}
!8 = distinct !{!8, !7}
!9 = !{!"llvm.loop.unroll.disable"}
!10 = distinct !{!10, !9}
