; best: f16 argmin of array 0
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%warpfold.record = type { { half, i64 } }
@warpfold_inter_warp_buffers = internal addrspace(3) global [32 x [16 x i8]] poison, align 16

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
  %block.first = mul i64 %wide.1, %wide.2
  %grid.thread = add i64 %block.first, %wide
  %grid.threads = mul i64 %wide.3, %wide.2
  %groups = lshr i64 %n, 3
  %address = ptrtoint ptr addrspace(1) %array0 to i64
  %bits = or i64 0, %address
  %low = and i64 %bits, 15
  %is.aligned = icmp eq i64 %low, 0
  br i1 %is.aligned, label %aligned, label %unaligned

aligned:
  %lane = and i64 %grid.thread, 31
  %warp.first = sub i64 %grid.thread, %lane
  %tile = mul i64 %warp.first, 2
  %in.tile = add i64 %tile, %lane
  %step = mul i64 %grid.threads, 2
  %partial.warp = and i64 %grid.threads, 31
  %has.tiles = icmp eq i64 %partial.warp, 0
  %beyond = add i64 %groups, 1
  %limit = select i1 %has.tiles, i64 %beyond, i64 0
  %offset = mul i64 %in.tile, 16
  %at = getelementptr i8, ptr addrspace(1) %array0, i64 %offset
  %stride = mul i64 %step, 16
  %index.offset = mul i64 %in.tile, 8
  %index = add i64 %first.index, %index.offset
  br label %wide.tiles

wide.tiles:
  %counter = phi i64 [ %step, %aligned ], [ %next, %wide.tiles.body ]
  %pointer0 = phi ptr addrspace(1) [ %at, %aligned ], [ %at.3, %wide.tiles.body ]
  %index.1 = phi i64 [ %index, %aligned ], [ %next.index, %wide.tiles.body ]
  %best = phi half [ 0xH7E00, %aligned ], [ %best.32, %wide.tiles.body ]
  %best.1 = phi i64 [ -1, %aligned ], [ %best.33, %wide.tiles.body ]
  %best.2 = phi half [ 0xH7E00, %aligned ], [ %best.34, %wide.tiles.body ]
  %best.3 = phi i64 [ -1, %aligned ], [ %best.35, %wide.tiles.body ]
  %best.4 = phi half [ 0xH7E00, %aligned ], [ %best.36, %wide.tiles.body ]
  %best.5 = phi i64 [ -1, %aligned ], [ %best.37, %wide.tiles.body ]
  %best.6 = phi half [ 0xH7E00, %aligned ], [ %best.38, %wide.tiles.body ]
  %best.7 = phi i64 [ -1, %aligned ], [ %best.39, %wide.tiles.body ]
  %best.8 = phi half [ 0xH7E00, %aligned ], [ %best.40, %wide.tiles.body ]
  %best.9 = phi i64 [ -1, %aligned ], [ %best.41, %wide.tiles.body ]
  %best.10 = phi half [ 0xH7E00, %aligned ], [ %best.42, %wide.tiles.body ]
  %best.11 = phi i64 [ -1, %aligned ], [ %best.43, %wide.tiles.body ]
  %best.12 = phi half [ 0xH7E00, %aligned ], [ %best.44, %wide.tiles.body ]
  %best.13 = phi i64 [ -1, %aligned ], [ %best.45, %wide.tiles.body ]
  %best.14 = phi half [ 0xH7E00, %aligned ], [ %best.46, %wide.tiles.body ]
  %best.15 = phi i64 [ -1, %aligned ], [ %best.47, %wide.tiles.body ]
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
  %found = icmp sge i64 %best.1, 0
  %number = fcmp ord half %best, %best
  %found.1 = and i1 %found, %number
  %found.2 = icmp sge i64 %element.index, 0
  %number.1 = fcmp ord half %element, %element
  %found.3 = and i1 %found.2, %number.1
  %better = fcmp olt half %element, %best
  %equal = fcmp oeq half %element, %best
  %earlier = icmp slt i64 %element.index, %best.1
  %before = and i1 %equal, %earlier
  %wins = or i1 %better, %before
  %none = xor i1 %found.1, true
  %over = or i1 %none, %wins
  %takes = and i1 %found.3, %over
  %best.16 = select i1 %takes, half %element, half %best
  %best.17 = select i1 %takes, i64 %element.index, i64 %best.1
  %element.index.1 = add i64 %index.1, 1
  %found.4 = icmp sge i64 %best.3, 0
  %number.2 = fcmp ord half %best.2, %best.2
  %found.5 = and i1 %found.4, %number.2
  %found.6 = icmp sge i64 %element.index.1, 0
  %number.3 = fcmp ord half %element.1, %element.1
  %found.7 = and i1 %found.6, %number.3
  %better.1 = fcmp olt half %element.1, %best.2
  %equal.1 = fcmp oeq half %element.1, %best.2
  %earlier.1 = icmp slt i64 %element.index.1, %best.3
  %before.1 = and i1 %equal.1, %earlier.1
  %wins.1 = or i1 %better.1, %before.1
  %none.1 = xor i1 %found.5, true
  %over.1 = or i1 %none.1, %wins.1
  %takes.1 = and i1 %found.7, %over.1
  %best.18 = select i1 %takes.1, half %element.1, half %best.2
  %best.19 = select i1 %takes.1, i64 %element.index.1, i64 %best.3
  %element.index.2 = add i64 %index.1, 2
  %found.8 = icmp sge i64 %best.5, 0
  %number.4 = fcmp ord half %best.4, %best.4
  %found.9 = and i1 %found.8, %number.4
  %found.10 = icmp sge i64 %element.index.2, 0
  %number.5 = fcmp ord half %element.2, %element.2
  %found.11 = and i1 %found.10, %number.5
  %better.2 = fcmp olt half %element.2, %best.4
  %equal.2 = fcmp oeq half %element.2, %best.4
  %earlier.2 = icmp slt i64 %element.index.2, %best.5
  %before.2 = and i1 %equal.2, %earlier.2
  %wins.2 = or i1 %better.2, %before.2
  %none.2 = xor i1 %found.9, true
  %over.2 = or i1 %none.2, %wins.2
  %takes.2 = and i1 %found.11, %over.2
  %best.20 = select i1 %takes.2, half %element.2, half %best.4
  %best.21 = select i1 %takes.2, i64 %element.index.2, i64 %best.5
  %element.index.3 = add i64 %index.1, 3
  %found.12 = icmp sge i64 %best.7, 0
  %number.6 = fcmp ord half %best.6, %best.6
  %found.13 = and i1 %found.12, %number.6
  %found.14 = icmp sge i64 %element.index.3, 0
  %number.7 = fcmp ord half %element.3, %element.3
  %found.15 = and i1 %found.14, %number.7
  %better.3 = fcmp olt half %element.3, %best.6
  %equal.3 = fcmp oeq half %element.3, %best.6
  %earlier.3 = icmp slt i64 %element.index.3, %best.7
  %before.3 = and i1 %equal.3, %earlier.3
  %wins.3 = or i1 %better.3, %before.3
  %none.3 = xor i1 %found.13, true
  %over.3 = or i1 %none.3, %wins.3
  %takes.3 = and i1 %found.15, %over.3
  %best.22 = select i1 %takes.3, half %element.3, half %best.6
  %best.23 = select i1 %takes.3, i64 %element.index.3, i64 %best.7
  %element.index.4 = add i64 %index.1, 4
  %found.16 = icmp sge i64 %best.9, 0
  %number.8 = fcmp ord half %best.8, %best.8
  %found.17 = and i1 %found.16, %number.8
  %found.18 = icmp sge i64 %element.index.4, 0
  %number.9 = fcmp ord half %element.4, %element.4
  %found.19 = and i1 %found.18, %number.9
  %better.4 = fcmp olt half %element.4, %best.8
  %equal.4 = fcmp oeq half %element.4, %best.8
  %earlier.4 = icmp slt i64 %element.index.4, %best.9
  %before.4 = and i1 %equal.4, %earlier.4
  %wins.4 = or i1 %better.4, %before.4
  %none.4 = xor i1 %found.17, true
  %over.4 = or i1 %none.4, %wins.4
  %takes.4 = and i1 %found.19, %over.4
  %best.24 = select i1 %takes.4, half %element.4, half %best.8
  %best.25 = select i1 %takes.4, i64 %element.index.4, i64 %best.9
  %element.index.5 = add i64 %index.1, 5
  %found.20 = icmp sge i64 %best.11, 0
  %number.10 = fcmp ord half %best.10, %best.10
  %found.21 = and i1 %found.20, %number.10
  %found.22 = icmp sge i64 %element.index.5, 0
  %number.11 = fcmp ord half %element.5, %element.5
  %found.23 = and i1 %found.22, %number.11
  %better.5 = fcmp olt half %element.5, %best.10
  %equal.5 = fcmp oeq half %element.5, %best.10
  %earlier.5 = icmp slt i64 %element.index.5, %best.11
  %before.5 = and i1 %equal.5, %earlier.5
  %wins.5 = or i1 %better.5, %before.5
  %none.5 = xor i1 %found.21, true
  %over.5 = or i1 %none.5, %wins.5
  %takes.5 = and i1 %found.23, %over.5
  %best.26 = select i1 %takes.5, half %element.5, half %best.10
  %best.27 = select i1 %takes.5, i64 %element.index.5, i64 %best.11
  %element.index.6 = add i64 %index.1, 6
  %found.24 = icmp sge i64 %best.13, 0
  %number.12 = fcmp ord half %best.12, %best.12
  %found.25 = and i1 %found.24, %number.12
  %found.26 = icmp sge i64 %element.index.6, 0
  %number.13 = fcmp ord half %element.6, %element.6
  %found.27 = and i1 %found.26, %number.13
  %better.6 = fcmp olt half %element.6, %best.12
  %equal.6 = fcmp oeq half %element.6, %best.12
  %earlier.6 = icmp slt i64 %element.index.6, %best.13
  %before.6 = and i1 %equal.6, %earlier.6
  %wins.6 = or i1 %better.6, %before.6
  %none.6 = xor i1 %found.25, true
  %over.6 = or i1 %none.6, %wins.6
  %takes.6 = and i1 %found.27, %over.6
  %best.28 = select i1 %takes.6, half %element.6, half %best.12
  %best.29 = select i1 %takes.6, i64 %element.index.6, i64 %best.13
  %element.index.7 = add i64 %index.1, 7
  %found.28 = icmp sge i64 %best.15, 0
  %number.14 = fcmp ord half %best.14, %best.14
  %found.29 = and i1 %found.28, %number.14
  %found.30 = icmp sge i64 %element.index.7, 0
  %number.15 = fcmp ord half %element.7, %element.7
  %found.31 = and i1 %found.30, %number.15
  %better.7 = fcmp olt half %element.7, %best.14
  %equal.7 = fcmp oeq half %element.7, %best.14
  %earlier.7 = icmp slt i64 %element.index.7, %best.15
  %before.7 = and i1 %equal.7, %earlier.7
  %wins.7 = or i1 %better.7, %before.7
  %none.7 = xor i1 %found.29, true
  %over.7 = or i1 %none.7, %wins.7
  %takes.7 = and i1 %found.31, %over.7
  %best.30 = select i1 %takes.7, half %element.7, half %best.14
  %best.31 = select i1 %takes.7, i64 %element.index.7, i64 %best.15
  %element.index.8 = add i64 %index.1, 256
  %found.32 = icmp sge i64 %best.17, 0
  %number.16 = fcmp ord half %best.16, %best.16
  %found.33 = and i1 %found.32, %number.16
  %found.34 = icmp sge i64 %element.index.8, 0
  %number.17 = fcmp ord half %element.8, %element.8
  %found.35 = and i1 %found.34, %number.17
  %better.8 = fcmp olt half %element.8, %best.16
  %equal.8 = fcmp oeq half %element.8, %best.16
  %earlier.8 = icmp slt i64 %element.index.8, %best.17
  %before.8 = and i1 %equal.8, %earlier.8
  %wins.8 = or i1 %better.8, %before.8
  %none.8 = xor i1 %found.33, true
  %over.8 = or i1 %none.8, %wins.8
  %takes.8 = and i1 %found.35, %over.8
  %best.32 = select i1 %takes.8, half %element.8, half %best.16
  %best.33 = select i1 %takes.8, i64 %element.index.8, i64 %best.17
  %element.index.9 = add i64 %index.1, 257
  %found.36 = icmp sge i64 %best.19, 0
  %number.18 = fcmp ord half %best.18, %best.18
  %found.37 = and i1 %found.36, %number.18
  %found.38 = icmp sge i64 %element.index.9, 0
  %number.19 = fcmp ord half %element.9, %element.9
  %found.39 = and i1 %found.38, %number.19
  %better.9 = fcmp olt half %element.9, %best.18
  %equal.9 = fcmp oeq half %element.9, %best.18
  %earlier.9 = icmp slt i64 %element.index.9, %best.19
  %before.9 = and i1 %equal.9, %earlier.9
  %wins.9 = or i1 %better.9, %before.9
  %none.9 = xor i1 %found.37, true
  %over.9 = or i1 %none.9, %wins.9
  %takes.9 = and i1 %found.39, %over.9
  %best.34 = select i1 %takes.9, half %element.9, half %best.18
  %best.35 = select i1 %takes.9, i64 %element.index.9, i64 %best.19
  %element.index.10 = add i64 %index.1, 258
  %found.40 = icmp sge i64 %best.21, 0
  %number.20 = fcmp ord half %best.20, %best.20
  %found.41 = and i1 %found.40, %number.20
  %found.42 = icmp sge i64 %element.index.10, 0
  %number.21 = fcmp ord half %element.10, %element.10
  %found.43 = and i1 %found.42, %number.21
  %better.10 = fcmp olt half %element.10, %best.20
  %equal.10 = fcmp oeq half %element.10, %best.20
  %earlier.10 = icmp slt i64 %element.index.10, %best.21
  %before.10 = and i1 %equal.10, %earlier.10
  %wins.10 = or i1 %better.10, %before.10
  %none.10 = xor i1 %found.41, true
  %over.10 = or i1 %none.10, %wins.10
  %takes.10 = and i1 %found.43, %over.10
  %best.36 = select i1 %takes.10, half %element.10, half %best.20
  %best.37 = select i1 %takes.10, i64 %element.index.10, i64 %best.21
  %element.index.11 = add i64 %index.1, 259
  %found.44 = icmp sge i64 %best.23, 0
  %number.22 = fcmp ord half %best.22, %best.22
  %found.45 = and i1 %found.44, %number.22
  %found.46 = icmp sge i64 %element.index.11, 0
  %number.23 = fcmp ord half %element.11, %element.11
  %found.47 = and i1 %found.46, %number.23
  %better.11 = fcmp olt half %element.11, %best.22
  %equal.11 = fcmp oeq half %element.11, %best.22
  %earlier.11 = icmp slt i64 %element.index.11, %best.23
  %before.11 = and i1 %equal.11, %earlier.11
  %wins.11 = or i1 %better.11, %before.11
  %none.11 = xor i1 %found.45, true
  %over.11 = or i1 %none.11, %wins.11
  %takes.11 = and i1 %found.47, %over.11
  %best.38 = select i1 %takes.11, half %element.11, half %best.22
  %best.39 = select i1 %takes.11, i64 %element.index.11, i64 %best.23
  %element.index.12 = add i64 %index.1, 260
  %found.48 = icmp sge i64 %best.25, 0
  %number.24 = fcmp ord half %best.24, %best.24
  %found.49 = and i1 %found.48, %number.24
  %found.50 = icmp sge i64 %element.index.12, 0
  %number.25 = fcmp ord half %element.12, %element.12
  %found.51 = and i1 %found.50, %number.25
  %better.12 = fcmp olt half %element.12, %best.24
  %equal.12 = fcmp oeq half %element.12, %best.24
  %earlier.12 = icmp slt i64 %element.index.12, %best.25
  %before.12 = and i1 %equal.12, %earlier.12
  %wins.12 = or i1 %better.12, %before.12
  %none.12 = xor i1 %found.49, true
  %over.12 = or i1 %none.12, %wins.12
  %takes.12 = and i1 %found.51, %over.12
  %best.40 = select i1 %takes.12, half %element.12, half %best.24
  %best.41 = select i1 %takes.12, i64 %element.index.12, i64 %best.25
  %element.index.13 = add i64 %index.1, 261
  %found.52 = icmp sge i64 %best.27, 0
  %number.26 = fcmp ord half %best.26, %best.26
  %found.53 = and i1 %found.52, %number.26
  %found.54 = icmp sge i64 %element.index.13, 0
  %number.27 = fcmp ord half %element.13, %element.13
  %found.55 = and i1 %found.54, %number.27
  %better.13 = fcmp olt half %element.13, %best.26
  %equal.13 = fcmp oeq half %element.13, %best.26
  %earlier.13 = icmp slt i64 %element.index.13, %best.27
  %before.13 = and i1 %equal.13, %earlier.13
  %wins.13 = or i1 %better.13, %before.13
  %none.13 = xor i1 %found.53, true
  %over.13 = or i1 %none.13, %wins.13
  %takes.13 = and i1 %found.55, %over.13
  %best.42 = select i1 %takes.13, half %element.13, half %best.26
  %best.43 = select i1 %takes.13, i64 %element.index.13, i64 %best.27
  %element.index.14 = add i64 %index.1, 262
  %found.56 = icmp sge i64 %best.29, 0
  %number.28 = fcmp ord half %best.28, %best.28
  %found.57 = and i1 %found.56, %number.28
  %found.58 = icmp sge i64 %element.index.14, 0
  %number.29 = fcmp ord half %element.14, %element.14
  %found.59 = and i1 %found.58, %number.29
  %better.14 = fcmp olt half %element.14, %best.28
  %equal.14 = fcmp oeq half %element.14, %best.28
  %earlier.14 = icmp slt i64 %element.index.14, %best.29
  %before.14 = and i1 %equal.14, %earlier.14
  %wins.14 = or i1 %better.14, %before.14
  %none.14 = xor i1 %found.57, true
  %over.14 = or i1 %none.14, %wins.14
  %takes.14 = and i1 %found.59, %over.14
  %best.44 = select i1 %takes.14, half %element.14, half %best.28
  %best.45 = select i1 %takes.14, i64 %element.index.14, i64 %best.29
  %element.index.15 = add i64 %index.1, 263
  %found.60 = icmp sge i64 %best.31, 0
  %number.30 = fcmp ord half %best.30, %best.30
  %found.61 = and i1 %found.60, %number.30
  %found.62 = icmp sge i64 %element.index.15, 0
  %number.31 = fcmp ord half %element.15, %element.15
  %found.63 = and i1 %found.62, %number.31
  %better.15 = fcmp olt half %element.15, %best.30
  %equal.15 = fcmp oeq half %element.15, %best.30
  %earlier.15 = icmp slt i64 %element.index.15, %best.31
  %before.15 = and i1 %equal.15, %earlier.15
  %wins.15 = or i1 %better.15, %before.15
  %none.15 = xor i1 %found.61, true
  %over.15 = or i1 %none.15, %wins.15
  %takes.15 = and i1 %found.63, %over.15
  %best.46 = select i1 %takes.15, half %element.15, half %best.30
  %best.47 = select i1 %takes.15, i64 %element.index.15, i64 %best.31
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
  %index.offset.1 = mul i64 %first, 8
  %index.2 = add i64 %first.index, %index.offset.1
  br label %wide.rest

wide.rest:
  %counter.1 = phi i64 [ %first, %wide.tiles.end ], [ %next.1, %wide.rest.body ]
  %pointer0.1 = phi ptr addrspace(1) [ %at.4, %wide.tiles.end ], [ %at.6, %wide.rest.body ]
  %index.3 = phi i64 [ %index.2, %wide.tiles.end ], [ %next.index.1, %wide.rest.body ]
  %best.48 = phi half [ %best, %wide.tiles.end ], [ %best.64, %wide.rest.body ]
  %best.49 = phi i64 [ %best.1, %wide.tiles.end ], [ %best.65, %wide.rest.body ]
  %best.50 = phi half [ %best.2, %wide.tiles.end ], [ %best.66, %wide.rest.body ]
  %best.51 = phi i64 [ %best.3, %wide.tiles.end ], [ %best.67, %wide.rest.body ]
  %best.52 = phi half [ %best.4, %wide.tiles.end ], [ %best.68, %wide.rest.body ]
  %best.53 = phi i64 [ %best.5, %wide.tiles.end ], [ %best.69, %wide.rest.body ]
  %best.54 = phi half [ %best.6, %wide.tiles.end ], [ %best.70, %wide.rest.body ]
  %best.55 = phi i64 [ %best.7, %wide.tiles.end ], [ %best.71, %wide.rest.body ]
  %best.56 = phi half [ %best.8, %wide.tiles.end ], [ %best.72, %wide.rest.body ]
  %best.57 = phi i64 [ %best.9, %wide.tiles.end ], [ %best.73, %wide.rest.body ]
  %best.58 = phi half [ %best.10, %wide.tiles.end ], [ %best.74, %wide.rest.body ]
  %best.59 = phi i64 [ %best.11, %wide.tiles.end ], [ %best.75, %wide.rest.body ]
  %best.60 = phi half [ %best.12, %wide.tiles.end ], [ %best.76, %wide.rest.body ]
  %best.61 = phi i64 [ %best.13, %wide.tiles.end ], [ %best.77, %wide.rest.body ]
  %best.62 = phi half [ %best.14, %wide.tiles.end ], [ %best.78, %wide.rest.body ]
  %best.63 = phi i64 [ %best.15, %wide.tiles.end ], [ %best.79, %wide.rest.body ]
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
  %found.64 = icmp sge i64 %best.49, 0
  %number.32 = fcmp ord half %best.48, %best.48
  %found.65 = and i1 %found.64, %number.32
  %found.66 = icmp sge i64 %element.index.16, 0
  %number.33 = fcmp ord half %element.16, %element.16
  %found.67 = and i1 %found.66, %number.33
  %better.16 = fcmp olt half %element.16, %best.48
  %equal.16 = fcmp oeq half %element.16, %best.48
  %earlier.16 = icmp slt i64 %element.index.16, %best.49
  %before.16 = and i1 %equal.16, %earlier.16
  %wins.16 = or i1 %better.16, %before.16
  %none.16 = xor i1 %found.65, true
  %over.16 = or i1 %none.16, %wins.16
  %takes.16 = and i1 %found.67, %over.16
  %best.64 = select i1 %takes.16, half %element.16, half %best.48
  %best.65 = select i1 %takes.16, i64 %element.index.16, i64 %best.49
  %element.index.17 = add i64 %index.3, 1
  %found.68 = icmp sge i64 %best.51, 0
  %number.34 = fcmp ord half %best.50, %best.50
  %found.69 = and i1 %found.68, %number.34
  %found.70 = icmp sge i64 %element.index.17, 0
  %number.35 = fcmp ord half %element.17, %element.17
  %found.71 = and i1 %found.70, %number.35
  %better.17 = fcmp olt half %element.17, %best.50
  %equal.17 = fcmp oeq half %element.17, %best.50
  %earlier.17 = icmp slt i64 %element.index.17, %best.51
  %before.17 = and i1 %equal.17, %earlier.17
  %wins.17 = or i1 %better.17, %before.17
  %none.17 = xor i1 %found.69, true
  %over.17 = or i1 %none.17, %wins.17
  %takes.17 = and i1 %found.71, %over.17
  %best.66 = select i1 %takes.17, half %element.17, half %best.50
  %best.67 = select i1 %takes.17, i64 %element.index.17, i64 %best.51
  %element.index.18 = add i64 %index.3, 2
  %found.72 = icmp sge i64 %best.53, 0
  %number.36 = fcmp ord half %best.52, %best.52
  %found.73 = and i1 %found.72, %number.36
  %found.74 = icmp sge i64 %element.index.18, 0
  %number.37 = fcmp ord half %element.18, %element.18
  %found.75 = and i1 %found.74, %number.37
  %better.18 = fcmp olt half %element.18, %best.52
  %equal.18 = fcmp oeq half %element.18, %best.52
  %earlier.18 = icmp slt i64 %element.index.18, %best.53
  %before.18 = and i1 %equal.18, %earlier.18
  %wins.18 = or i1 %better.18, %before.18
  %none.18 = xor i1 %found.73, true
  %over.18 = or i1 %none.18, %wins.18
  %takes.18 = and i1 %found.75, %over.18
  %best.68 = select i1 %takes.18, half %element.18, half %best.52
  %best.69 = select i1 %takes.18, i64 %element.index.18, i64 %best.53
  %element.index.19 = add i64 %index.3, 3
  %found.76 = icmp sge i64 %best.55, 0
  %number.38 = fcmp ord half %best.54, %best.54
  %found.77 = and i1 %found.76, %number.38
  %found.78 = icmp sge i64 %element.index.19, 0
  %number.39 = fcmp ord half %element.19, %element.19
  %found.79 = and i1 %found.78, %number.39
  %better.19 = fcmp olt half %element.19, %best.54
  %equal.19 = fcmp oeq half %element.19, %best.54
  %earlier.19 = icmp slt i64 %element.index.19, %best.55
  %before.19 = and i1 %equal.19, %earlier.19
  %wins.19 = or i1 %better.19, %before.19
  %none.19 = xor i1 %found.77, true
  %over.19 = or i1 %none.19, %wins.19
  %takes.19 = and i1 %found.79, %over.19
  %best.70 = select i1 %takes.19, half %element.19, half %best.54
  %best.71 = select i1 %takes.19, i64 %element.index.19, i64 %best.55
  %element.index.20 = add i64 %index.3, 4
  %found.80 = icmp sge i64 %best.57, 0
  %number.40 = fcmp ord half %best.56, %best.56
  %found.81 = and i1 %found.80, %number.40
  %found.82 = icmp sge i64 %element.index.20, 0
  %number.41 = fcmp ord half %element.20, %element.20
  %found.83 = and i1 %found.82, %number.41
  %better.20 = fcmp olt half %element.20, %best.56
  %equal.20 = fcmp oeq half %element.20, %best.56
  %earlier.20 = icmp slt i64 %element.index.20, %best.57
  %before.20 = and i1 %equal.20, %earlier.20
  %wins.20 = or i1 %better.20, %before.20
  %none.20 = xor i1 %found.81, true
  %over.20 = or i1 %none.20, %wins.20
  %takes.20 = and i1 %found.83, %over.20
  %best.72 = select i1 %takes.20, half %element.20, half %best.56
  %best.73 = select i1 %takes.20, i64 %element.index.20, i64 %best.57
  %element.index.21 = add i64 %index.3, 5
  %found.84 = icmp sge i64 %best.59, 0
  %number.42 = fcmp ord half %best.58, %best.58
  %found.85 = and i1 %found.84, %number.42
  %found.86 = icmp sge i64 %element.index.21, 0
  %number.43 = fcmp ord half %element.21, %element.21
  %found.87 = and i1 %found.86, %number.43
  %better.21 = fcmp olt half %element.21, %best.58
  %equal.21 = fcmp oeq half %element.21, %best.58
  %earlier.21 = icmp slt i64 %element.index.21, %best.59
  %before.21 = and i1 %equal.21, %earlier.21
  %wins.21 = or i1 %better.21, %before.21
  %none.21 = xor i1 %found.85, true
  %over.21 = or i1 %none.21, %wins.21
  %takes.21 = and i1 %found.87, %over.21
  %best.74 = select i1 %takes.21, half %element.21, half %best.58
  %best.75 = select i1 %takes.21, i64 %element.index.21, i64 %best.59
  %element.index.22 = add i64 %index.3, 6
  %found.88 = icmp sge i64 %best.61, 0
  %number.44 = fcmp ord half %best.60, %best.60
  %found.89 = and i1 %found.88, %number.44
  %found.90 = icmp sge i64 %element.index.22, 0
  %number.45 = fcmp ord half %element.22, %element.22
  %found.91 = and i1 %found.90, %number.45
  %better.22 = fcmp olt half %element.22, %best.60
  %equal.22 = fcmp oeq half %element.22, %best.60
  %earlier.22 = icmp slt i64 %element.index.22, %best.61
  %before.22 = and i1 %equal.22, %earlier.22
  %wins.22 = or i1 %better.22, %before.22
  %none.22 = xor i1 %found.89, true
  %over.22 = or i1 %none.22, %wins.22
  %takes.22 = and i1 %found.91, %over.22
  %best.76 = select i1 %takes.22, half %element.22, half %best.60
  %best.77 = select i1 %takes.22, i64 %element.index.22, i64 %best.61
  %element.index.23 = add i64 %index.3, 7
  %found.92 = icmp sge i64 %best.63, 0
  %number.46 = fcmp ord half %best.62, %best.62
  %found.93 = and i1 %found.92, %number.46
  %found.94 = icmp sge i64 %element.index.23, 0
  %number.47 = fcmp ord half %element.23, %element.23
  %found.95 = and i1 %found.94, %number.47
  %better.23 = fcmp olt half %element.23, %best.62
  %equal.23 = fcmp oeq half %element.23, %best.62
  %earlier.23 = icmp slt i64 %element.index.23, %best.63
  %before.23 = and i1 %equal.23, %earlier.23
  %wins.23 = or i1 %better.23, %before.23
  %none.23 = xor i1 %found.93, true
  %over.23 = or i1 %none.23, %wins.23
  %takes.23 = and i1 %found.95, %over.23
  %best.78 = select i1 %takes.23, half %element.23, half %best.62
  %best.79 = select i1 %takes.23, i64 %element.index.23, i64 %best.63
  %at.6 = getelementptr i8, ptr addrspace(1) %pointer0.1, i64 %stride.1
  %next.1 = add i64 %counter.1, %grid.threads
  %elements.1 = mul i64 %grid.threads, 8
  %next.index.1 = add i64 %index.3, %elements.1
  br label %wide.rest, !llvm.loop !4

wide.rest.end:
  br label %whole

unaligned:
  %lane.1 = and i64 %grid.thread, 31
  %warp.first.1 = sub i64 %grid.thread, %lane.1
  %tile.1 = mul i64 %warp.first.1, 2
  %in.tile.1 = add i64 %tile.1, %lane.1
  %step.1 = mul i64 %grid.threads, 2
  %partial.warp.1 = and i64 %grid.threads, 31
  %has.tiles.1 = icmp eq i64 %partial.warp.1, 0
  %beyond.1 = add i64 %groups, 1
  %limit.1 = select i1 %has.tiles.1, i64 %beyond.1, i64 0
  %offset.2 = mul i64 %in.tile.1, 16
  %at.7 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.2
  %stride.2 = mul i64 %step.1, 16
  %index.offset.2 = mul i64 %in.tile.1, 8
  %index.4 = add i64 %first.index, %index.offset.2
  br label %narrow.tiles

narrow.tiles:
  %counter.2 = phi i64 [ %step.1, %unaligned ], [ %next.2, %narrow.tiles.body ]
  %pointer0.2 = phi ptr addrspace(1) [ %at.7, %unaligned ], [ %at.24, %narrow.tiles.body ]
  %index.5 = phi i64 [ %index.4, %unaligned ], [ %next.index.2, %narrow.tiles.body ]
  %best.80 = phi half [ 0xH7E00, %unaligned ], [ %best.112, %narrow.tiles.body ]
  %best.81 = phi i64 [ -1, %unaligned ], [ %best.113, %narrow.tiles.body ]
  %best.82 = phi half [ 0xH7E00, %unaligned ], [ %best.114, %narrow.tiles.body ]
  %best.83 = phi i64 [ -1, %unaligned ], [ %best.115, %narrow.tiles.body ]
  %best.84 = phi half [ 0xH7E00, %unaligned ], [ %best.116, %narrow.tiles.body ]
  %best.85 = phi i64 [ -1, %unaligned ], [ %best.117, %narrow.tiles.body ]
  %best.86 = phi half [ 0xH7E00, %unaligned ], [ %best.118, %narrow.tiles.body ]
  %best.87 = phi i64 [ -1, %unaligned ], [ %best.119, %narrow.tiles.body ]
  %best.88 = phi half [ 0xH7E00, %unaligned ], [ %best.120, %narrow.tiles.body ]
  %best.89 = phi i64 [ -1, %unaligned ], [ %best.121, %narrow.tiles.body ]
  %best.90 = phi half [ 0xH7E00, %unaligned ], [ %best.122, %narrow.tiles.body ]
  %best.91 = phi i64 [ -1, %unaligned ], [ %best.123, %narrow.tiles.body ]
  %best.92 = phi half [ 0xH7E00, %unaligned ], [ %best.124, %narrow.tiles.body ]
  %best.93 = phi i64 [ -1, %unaligned ], [ %best.125, %narrow.tiles.body ]
  %best.94 = phi half [ 0xH7E00, %unaligned ], [ %best.126, %narrow.tiles.body ]
  %best.95 = phi i64 [ -1, %unaligned ], [ %best.127, %narrow.tiles.body ]
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
  %found.96 = icmp sge i64 %best.81, 0
  %number.48 = fcmp ord half %best.80, %best.80
  %found.97 = and i1 %found.96, %number.48
  %found.98 = icmp sge i64 %element.index.24, 0
  %number.49 = fcmp ord half %element.24, %element.24
  %found.99 = and i1 %found.98, %number.49
  %better.24 = fcmp olt half %element.24, %best.80
  %equal.24 = fcmp oeq half %element.24, %best.80
  %earlier.24 = icmp slt i64 %element.index.24, %best.81
  %before.24 = and i1 %equal.24, %earlier.24
  %wins.24 = or i1 %better.24, %before.24
  %none.24 = xor i1 %found.97, true
  %over.24 = or i1 %none.24, %wins.24
  %takes.24 = and i1 %found.99, %over.24
  %best.96 = select i1 %takes.24, half %element.24, half %best.80
  %best.97 = select i1 %takes.24, i64 %element.index.24, i64 %best.81
  %element.index.25 = add i64 %index.5, 1
  %found.100 = icmp sge i64 %best.83, 0
  %number.50 = fcmp ord half %best.82, %best.82
  %found.101 = and i1 %found.100, %number.50
  %found.102 = icmp sge i64 %element.index.25, 0
  %number.51 = fcmp ord half %element.25, %element.25
  %found.103 = and i1 %found.102, %number.51
  %better.25 = fcmp olt half %element.25, %best.82
  %equal.25 = fcmp oeq half %element.25, %best.82
  %earlier.25 = icmp slt i64 %element.index.25, %best.83
  %before.25 = and i1 %equal.25, %earlier.25
  %wins.25 = or i1 %better.25, %before.25
  %none.25 = xor i1 %found.101, true
  %over.25 = or i1 %none.25, %wins.25
  %takes.25 = and i1 %found.103, %over.25
  %best.98 = select i1 %takes.25, half %element.25, half %best.82
  %best.99 = select i1 %takes.25, i64 %element.index.25, i64 %best.83
  %element.index.26 = add i64 %index.5, 2
  %found.104 = icmp sge i64 %best.85, 0
  %number.52 = fcmp ord half %best.84, %best.84
  %found.105 = and i1 %found.104, %number.52
  %found.106 = icmp sge i64 %element.index.26, 0
  %number.53 = fcmp ord half %element.26, %element.26
  %found.107 = and i1 %found.106, %number.53
  %better.26 = fcmp olt half %element.26, %best.84
  %equal.26 = fcmp oeq half %element.26, %best.84
  %earlier.26 = icmp slt i64 %element.index.26, %best.85
  %before.26 = and i1 %equal.26, %earlier.26
  %wins.26 = or i1 %better.26, %before.26
  %none.26 = xor i1 %found.105, true
  %over.26 = or i1 %none.26, %wins.26
  %takes.26 = and i1 %found.107, %over.26
  %best.100 = select i1 %takes.26, half %element.26, half %best.84
  %best.101 = select i1 %takes.26, i64 %element.index.26, i64 %best.85
  %element.index.27 = add i64 %index.5, 3
  %found.108 = icmp sge i64 %best.87, 0
  %number.54 = fcmp ord half %best.86, %best.86
  %found.109 = and i1 %found.108, %number.54
  %found.110 = icmp sge i64 %element.index.27, 0
  %number.55 = fcmp ord half %element.27, %element.27
  %found.111 = and i1 %found.110, %number.55
  %better.27 = fcmp olt half %element.27, %best.86
  %equal.27 = fcmp oeq half %element.27, %best.86
  %earlier.27 = icmp slt i64 %element.index.27, %best.87
  %before.27 = and i1 %equal.27, %earlier.27
  %wins.27 = or i1 %better.27, %before.27
  %none.27 = xor i1 %found.109, true
  %over.27 = or i1 %none.27, %wins.27
  %takes.27 = and i1 %found.111, %over.27
  %best.102 = select i1 %takes.27, half %element.27, half %best.86
  %best.103 = select i1 %takes.27, i64 %element.index.27, i64 %best.87
  %element.index.28 = add i64 %index.5, 4
  %found.112 = icmp sge i64 %best.89, 0
  %number.56 = fcmp ord half %best.88, %best.88
  %found.113 = and i1 %found.112, %number.56
  %found.114 = icmp sge i64 %element.index.28, 0
  %number.57 = fcmp ord half %element.28, %element.28
  %found.115 = and i1 %found.114, %number.57
  %better.28 = fcmp olt half %element.28, %best.88
  %equal.28 = fcmp oeq half %element.28, %best.88
  %earlier.28 = icmp slt i64 %element.index.28, %best.89
  %before.28 = and i1 %equal.28, %earlier.28
  %wins.28 = or i1 %better.28, %before.28
  %none.28 = xor i1 %found.113, true
  %over.28 = or i1 %none.28, %wins.28
  %takes.28 = and i1 %found.115, %over.28
  %best.104 = select i1 %takes.28, half %element.28, half %best.88
  %best.105 = select i1 %takes.28, i64 %element.index.28, i64 %best.89
  %element.index.29 = add i64 %index.5, 5
  %found.116 = icmp sge i64 %best.91, 0
  %number.58 = fcmp ord half %best.90, %best.90
  %found.117 = and i1 %found.116, %number.58
  %found.118 = icmp sge i64 %element.index.29, 0
  %number.59 = fcmp ord half %element.29, %element.29
  %found.119 = and i1 %found.118, %number.59
  %better.29 = fcmp olt half %element.29, %best.90
  %equal.29 = fcmp oeq half %element.29, %best.90
  %earlier.29 = icmp slt i64 %element.index.29, %best.91
  %before.29 = and i1 %equal.29, %earlier.29
  %wins.29 = or i1 %better.29, %before.29
  %none.29 = xor i1 %found.117, true
  %over.29 = or i1 %none.29, %wins.29
  %takes.29 = and i1 %found.119, %over.29
  %best.106 = select i1 %takes.29, half %element.29, half %best.90
  %best.107 = select i1 %takes.29, i64 %element.index.29, i64 %best.91
  %element.index.30 = add i64 %index.5, 6
  %found.120 = icmp sge i64 %best.93, 0
  %number.60 = fcmp ord half %best.92, %best.92
  %found.121 = and i1 %found.120, %number.60
  %found.122 = icmp sge i64 %element.index.30, 0
  %number.61 = fcmp ord half %element.30, %element.30
  %found.123 = and i1 %found.122, %number.61
  %better.30 = fcmp olt half %element.30, %best.92
  %equal.30 = fcmp oeq half %element.30, %best.92
  %earlier.30 = icmp slt i64 %element.index.30, %best.93
  %before.30 = and i1 %equal.30, %earlier.30
  %wins.30 = or i1 %better.30, %before.30
  %none.30 = xor i1 %found.121, true
  %over.30 = or i1 %none.30, %wins.30
  %takes.30 = and i1 %found.123, %over.30
  %best.108 = select i1 %takes.30, half %element.30, half %best.92
  %best.109 = select i1 %takes.30, i64 %element.index.30, i64 %best.93
  %element.index.31 = add i64 %index.5, 7
  %found.124 = icmp sge i64 %best.95, 0
  %number.62 = fcmp ord half %best.94, %best.94
  %found.125 = and i1 %found.124, %number.62
  %found.126 = icmp sge i64 %element.index.31, 0
  %number.63 = fcmp ord half %element.31, %element.31
  %found.127 = and i1 %found.126, %number.63
  %better.31 = fcmp olt half %element.31, %best.94
  %equal.31 = fcmp oeq half %element.31, %best.94
  %earlier.31 = icmp slt i64 %element.index.31, %best.95
  %before.31 = and i1 %equal.31, %earlier.31
  %wins.31 = or i1 %better.31, %before.31
  %none.31 = xor i1 %found.125, true
  %over.31 = or i1 %none.31, %wins.31
  %takes.31 = and i1 %found.127, %over.31
  %best.110 = select i1 %takes.31, half %element.31, half %best.94
  %best.111 = select i1 %takes.31, i64 %element.index.31, i64 %best.95
  %element.index.32 = add i64 %index.5, 256
  %found.128 = icmp sge i64 %best.97, 0
  %number.64 = fcmp ord half %best.96, %best.96
  %found.129 = and i1 %found.128, %number.64
  %found.130 = icmp sge i64 %element.index.32, 0
  %number.65 = fcmp ord half %element.32, %element.32
  %found.131 = and i1 %found.130, %number.65
  %better.32 = fcmp olt half %element.32, %best.96
  %equal.32 = fcmp oeq half %element.32, %best.96
  %earlier.32 = icmp slt i64 %element.index.32, %best.97
  %before.32 = and i1 %equal.32, %earlier.32
  %wins.32 = or i1 %better.32, %before.32
  %none.32 = xor i1 %found.129, true
  %over.32 = or i1 %none.32, %wins.32
  %takes.32 = and i1 %found.131, %over.32
  %best.112 = select i1 %takes.32, half %element.32, half %best.96
  %best.113 = select i1 %takes.32, i64 %element.index.32, i64 %best.97
  %element.index.33 = add i64 %index.5, 257
  %found.132 = icmp sge i64 %best.99, 0
  %number.66 = fcmp ord half %best.98, %best.98
  %found.133 = and i1 %found.132, %number.66
  %found.134 = icmp sge i64 %element.index.33, 0
  %number.67 = fcmp ord half %element.33, %element.33
  %found.135 = and i1 %found.134, %number.67
  %better.33 = fcmp olt half %element.33, %best.98
  %equal.33 = fcmp oeq half %element.33, %best.98
  %earlier.33 = icmp slt i64 %element.index.33, %best.99
  %before.33 = and i1 %equal.33, %earlier.33
  %wins.33 = or i1 %better.33, %before.33
  %none.33 = xor i1 %found.133, true
  %over.33 = or i1 %none.33, %wins.33
  %takes.33 = and i1 %found.135, %over.33
  %best.114 = select i1 %takes.33, half %element.33, half %best.98
  %best.115 = select i1 %takes.33, i64 %element.index.33, i64 %best.99
  %element.index.34 = add i64 %index.5, 258
  %found.136 = icmp sge i64 %best.101, 0
  %number.68 = fcmp ord half %best.100, %best.100
  %found.137 = and i1 %found.136, %number.68
  %found.138 = icmp sge i64 %element.index.34, 0
  %number.69 = fcmp ord half %element.34, %element.34
  %found.139 = and i1 %found.138, %number.69
  %better.34 = fcmp olt half %element.34, %best.100
  %equal.34 = fcmp oeq half %element.34, %best.100
  %earlier.34 = icmp slt i64 %element.index.34, %best.101
  %before.34 = and i1 %equal.34, %earlier.34
  %wins.34 = or i1 %better.34, %before.34
  %none.34 = xor i1 %found.137, true
  %over.34 = or i1 %none.34, %wins.34
  %takes.34 = and i1 %found.139, %over.34
  %best.116 = select i1 %takes.34, half %element.34, half %best.100
  %best.117 = select i1 %takes.34, i64 %element.index.34, i64 %best.101
  %element.index.35 = add i64 %index.5, 259
  %found.140 = icmp sge i64 %best.103, 0
  %number.70 = fcmp ord half %best.102, %best.102
  %found.141 = and i1 %found.140, %number.70
  %found.142 = icmp sge i64 %element.index.35, 0
  %number.71 = fcmp ord half %element.35, %element.35
  %found.143 = and i1 %found.142, %number.71
  %better.35 = fcmp olt half %element.35, %best.102
  %equal.35 = fcmp oeq half %element.35, %best.102
  %earlier.35 = icmp slt i64 %element.index.35, %best.103
  %before.35 = and i1 %equal.35, %earlier.35
  %wins.35 = or i1 %better.35, %before.35
  %none.35 = xor i1 %found.141, true
  %over.35 = or i1 %none.35, %wins.35
  %takes.35 = and i1 %found.143, %over.35
  %best.118 = select i1 %takes.35, half %element.35, half %best.102
  %best.119 = select i1 %takes.35, i64 %element.index.35, i64 %best.103
  %element.index.36 = add i64 %index.5, 260
  %found.144 = icmp sge i64 %best.105, 0
  %number.72 = fcmp ord half %best.104, %best.104
  %found.145 = and i1 %found.144, %number.72
  %found.146 = icmp sge i64 %element.index.36, 0
  %number.73 = fcmp ord half %element.36, %element.36
  %found.147 = and i1 %found.146, %number.73
  %better.36 = fcmp olt half %element.36, %best.104
  %equal.36 = fcmp oeq half %element.36, %best.104
  %earlier.36 = icmp slt i64 %element.index.36, %best.105
  %before.36 = and i1 %equal.36, %earlier.36
  %wins.36 = or i1 %better.36, %before.36
  %none.36 = xor i1 %found.145, true
  %over.36 = or i1 %none.36, %wins.36
  %takes.36 = and i1 %found.147, %over.36
  %best.120 = select i1 %takes.36, half %element.36, half %best.104
  %best.121 = select i1 %takes.36, i64 %element.index.36, i64 %best.105
  %element.index.37 = add i64 %index.5, 261
  %found.148 = icmp sge i64 %best.107, 0
  %number.74 = fcmp ord half %best.106, %best.106
  %found.149 = and i1 %found.148, %number.74
  %found.150 = icmp sge i64 %element.index.37, 0
  %number.75 = fcmp ord half %element.37, %element.37
  %found.151 = and i1 %found.150, %number.75
  %better.37 = fcmp olt half %element.37, %best.106
  %equal.37 = fcmp oeq half %element.37, %best.106
  %earlier.37 = icmp slt i64 %element.index.37, %best.107
  %before.37 = and i1 %equal.37, %earlier.37
  %wins.37 = or i1 %better.37, %before.37
  %none.37 = xor i1 %found.149, true
  %over.37 = or i1 %none.37, %wins.37
  %takes.37 = and i1 %found.151, %over.37
  %best.122 = select i1 %takes.37, half %element.37, half %best.106
  %best.123 = select i1 %takes.37, i64 %element.index.37, i64 %best.107
  %element.index.38 = add i64 %index.5, 262
  %found.152 = icmp sge i64 %best.109, 0
  %number.76 = fcmp ord half %best.108, %best.108
  %found.153 = and i1 %found.152, %number.76
  %found.154 = icmp sge i64 %element.index.38, 0
  %number.77 = fcmp ord half %element.38, %element.38
  %found.155 = and i1 %found.154, %number.77
  %better.38 = fcmp olt half %element.38, %best.108
  %equal.38 = fcmp oeq half %element.38, %best.108
  %earlier.38 = icmp slt i64 %element.index.38, %best.109
  %before.38 = and i1 %equal.38, %earlier.38
  %wins.38 = or i1 %better.38, %before.38
  %none.38 = xor i1 %found.153, true
  %over.38 = or i1 %none.38, %wins.38
  %takes.38 = and i1 %found.155, %over.38
  %best.124 = select i1 %takes.38, half %element.38, half %best.108
  %best.125 = select i1 %takes.38, i64 %element.index.38, i64 %best.109
  %element.index.39 = add i64 %index.5, 263
  %found.156 = icmp sge i64 %best.111, 0
  %number.78 = fcmp ord half %best.110, %best.110
  %found.157 = and i1 %found.156, %number.78
  %found.158 = icmp sge i64 %element.index.39, 0
  %number.79 = fcmp ord half %element.39, %element.39
  %found.159 = and i1 %found.158, %number.79
  %better.39 = fcmp olt half %element.39, %best.110
  %equal.39 = fcmp oeq half %element.39, %best.110
  %earlier.39 = icmp slt i64 %element.index.39, %best.111
  %before.39 = and i1 %equal.39, %earlier.39
  %wins.39 = or i1 %better.39, %before.39
  %none.39 = xor i1 %found.157, true
  %over.39 = or i1 %none.39, %wins.39
  %takes.39 = and i1 %found.159, %over.39
  %best.126 = select i1 %takes.39, half %element.39, half %best.110
  %best.127 = select i1 %takes.39, i64 %element.index.39, i64 %best.111
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
  %index.offset.3 = mul i64 %first.1, 8
  %index.6 = add i64 %first.index, %index.offset.3
  br label %narrow.rest

narrow.rest:
  %counter.3 = phi i64 [ %first.1, %narrow.tiles.end ], [ %next.3, %narrow.rest.body ]
  %pointer0.3 = phi ptr addrspace(1) [ %at.25, %narrow.tiles.end ], [ %at.34, %narrow.rest.body ]
  %index.7 = phi i64 [ %index.6, %narrow.tiles.end ], [ %next.index.3, %narrow.rest.body ]
  %best.128 = phi half [ %best.80, %narrow.tiles.end ], [ %best.144, %narrow.rest.body ]
  %best.129 = phi i64 [ %best.81, %narrow.tiles.end ], [ %best.145, %narrow.rest.body ]
  %best.130 = phi half [ %best.82, %narrow.tiles.end ], [ %best.146, %narrow.rest.body ]
  %best.131 = phi i64 [ %best.83, %narrow.tiles.end ], [ %best.147, %narrow.rest.body ]
  %best.132 = phi half [ %best.84, %narrow.tiles.end ], [ %best.148, %narrow.rest.body ]
  %best.133 = phi i64 [ %best.85, %narrow.tiles.end ], [ %best.149, %narrow.rest.body ]
  %best.134 = phi half [ %best.86, %narrow.tiles.end ], [ %best.150, %narrow.rest.body ]
  %best.135 = phi i64 [ %best.87, %narrow.tiles.end ], [ %best.151, %narrow.rest.body ]
  %best.136 = phi half [ %best.88, %narrow.tiles.end ], [ %best.152, %narrow.rest.body ]
  %best.137 = phi i64 [ %best.89, %narrow.tiles.end ], [ %best.153, %narrow.rest.body ]
  %best.138 = phi half [ %best.90, %narrow.tiles.end ], [ %best.154, %narrow.rest.body ]
  %best.139 = phi i64 [ %best.91, %narrow.tiles.end ], [ %best.155, %narrow.rest.body ]
  %best.140 = phi half [ %best.92, %narrow.tiles.end ], [ %best.156, %narrow.rest.body ]
  %best.141 = phi i64 [ %best.93, %narrow.tiles.end ], [ %best.157, %narrow.rest.body ]
  %best.142 = phi half [ %best.94, %narrow.tiles.end ], [ %best.158, %narrow.rest.body ]
  %best.143 = phi i64 [ %best.95, %narrow.tiles.end ], [ %best.159, %narrow.rest.body ]
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
  %found.160 = icmp sge i64 %best.129, 0
  %number.80 = fcmp ord half %best.128, %best.128
  %found.161 = and i1 %found.160, %number.80
  %found.162 = icmp sge i64 %element.index.40, 0
  %number.81 = fcmp ord half %element.40, %element.40
  %found.163 = and i1 %found.162, %number.81
  %better.40 = fcmp olt half %element.40, %best.128
  %equal.40 = fcmp oeq half %element.40, %best.128
  %earlier.40 = icmp slt i64 %element.index.40, %best.129
  %before.40 = and i1 %equal.40, %earlier.40
  %wins.40 = or i1 %better.40, %before.40
  %none.40 = xor i1 %found.161, true
  %over.40 = or i1 %none.40, %wins.40
  %takes.40 = and i1 %found.163, %over.40
  %best.144 = select i1 %takes.40, half %element.40, half %best.128
  %best.145 = select i1 %takes.40, i64 %element.index.40, i64 %best.129
  %element.index.41 = add i64 %index.7, 1
  %found.164 = icmp sge i64 %best.131, 0
  %number.82 = fcmp ord half %best.130, %best.130
  %found.165 = and i1 %found.164, %number.82
  %found.166 = icmp sge i64 %element.index.41, 0
  %number.83 = fcmp ord half %element.41, %element.41
  %found.167 = and i1 %found.166, %number.83
  %better.41 = fcmp olt half %element.41, %best.130
  %equal.41 = fcmp oeq half %element.41, %best.130
  %earlier.41 = icmp slt i64 %element.index.41, %best.131
  %before.41 = and i1 %equal.41, %earlier.41
  %wins.41 = or i1 %better.41, %before.41
  %none.41 = xor i1 %found.165, true
  %over.41 = or i1 %none.41, %wins.41
  %takes.41 = and i1 %found.167, %over.41
  %best.146 = select i1 %takes.41, half %element.41, half %best.130
  %best.147 = select i1 %takes.41, i64 %element.index.41, i64 %best.131
  %element.index.42 = add i64 %index.7, 2
  %found.168 = icmp sge i64 %best.133, 0
  %number.84 = fcmp ord half %best.132, %best.132
  %found.169 = and i1 %found.168, %number.84
  %found.170 = icmp sge i64 %element.index.42, 0
  %number.85 = fcmp ord half %element.42, %element.42
  %found.171 = and i1 %found.170, %number.85
  %better.42 = fcmp olt half %element.42, %best.132
  %equal.42 = fcmp oeq half %element.42, %best.132
  %earlier.42 = icmp slt i64 %element.index.42, %best.133
  %before.42 = and i1 %equal.42, %earlier.42
  %wins.42 = or i1 %better.42, %before.42
  %none.42 = xor i1 %found.169, true
  %over.42 = or i1 %none.42, %wins.42
  %takes.42 = and i1 %found.171, %over.42
  %best.148 = select i1 %takes.42, half %element.42, half %best.132
  %best.149 = select i1 %takes.42, i64 %element.index.42, i64 %best.133
  %element.index.43 = add i64 %index.7, 3
  %found.172 = icmp sge i64 %best.135, 0
  %number.86 = fcmp ord half %best.134, %best.134
  %found.173 = and i1 %found.172, %number.86
  %found.174 = icmp sge i64 %element.index.43, 0
  %number.87 = fcmp ord half %element.43, %element.43
  %found.175 = and i1 %found.174, %number.87
  %better.43 = fcmp olt half %element.43, %best.134
  %equal.43 = fcmp oeq half %element.43, %best.134
  %earlier.43 = icmp slt i64 %element.index.43, %best.135
  %before.43 = and i1 %equal.43, %earlier.43
  %wins.43 = or i1 %better.43, %before.43
  %none.43 = xor i1 %found.173, true
  %over.43 = or i1 %none.43, %wins.43
  %takes.43 = and i1 %found.175, %over.43
  %best.150 = select i1 %takes.43, half %element.43, half %best.134
  %best.151 = select i1 %takes.43, i64 %element.index.43, i64 %best.135
  %element.index.44 = add i64 %index.7, 4
  %found.176 = icmp sge i64 %best.137, 0
  %number.88 = fcmp ord half %best.136, %best.136
  %found.177 = and i1 %found.176, %number.88
  %found.178 = icmp sge i64 %element.index.44, 0
  %number.89 = fcmp ord half %element.44, %element.44
  %found.179 = and i1 %found.178, %number.89
  %better.44 = fcmp olt half %element.44, %best.136
  %equal.44 = fcmp oeq half %element.44, %best.136
  %earlier.44 = icmp slt i64 %element.index.44, %best.137
  %before.44 = and i1 %equal.44, %earlier.44
  %wins.44 = or i1 %better.44, %before.44
  %none.44 = xor i1 %found.177, true
  %over.44 = or i1 %none.44, %wins.44
  %takes.44 = and i1 %found.179, %over.44
  %best.152 = select i1 %takes.44, half %element.44, half %best.136
  %best.153 = select i1 %takes.44, i64 %element.index.44, i64 %best.137
  %element.index.45 = add i64 %index.7, 5
  %found.180 = icmp sge i64 %best.139, 0
  %number.90 = fcmp ord half %best.138, %best.138
  %found.181 = and i1 %found.180, %number.90
  %found.182 = icmp sge i64 %element.index.45, 0
  %number.91 = fcmp ord half %element.45, %element.45
  %found.183 = and i1 %found.182, %number.91
  %better.45 = fcmp olt half %element.45, %best.138
  %equal.45 = fcmp oeq half %element.45, %best.138
  %earlier.45 = icmp slt i64 %element.index.45, %best.139
  %before.45 = and i1 %equal.45, %earlier.45
  %wins.45 = or i1 %better.45, %before.45
  %none.45 = xor i1 %found.181, true
  %over.45 = or i1 %none.45, %wins.45
  %takes.45 = and i1 %found.183, %over.45
  %best.154 = select i1 %takes.45, half %element.45, half %best.138
  %best.155 = select i1 %takes.45, i64 %element.index.45, i64 %best.139
  %element.index.46 = add i64 %index.7, 6
  %found.184 = icmp sge i64 %best.141, 0
  %number.92 = fcmp ord half %best.140, %best.140
  %found.185 = and i1 %found.184, %number.92
  %found.186 = icmp sge i64 %element.index.46, 0
  %number.93 = fcmp ord half %element.46, %element.46
  %found.187 = and i1 %found.186, %number.93
  %better.46 = fcmp olt half %element.46, %best.140
  %equal.46 = fcmp oeq half %element.46, %best.140
  %earlier.46 = icmp slt i64 %element.index.46, %best.141
  %before.46 = and i1 %equal.46, %earlier.46
  %wins.46 = or i1 %better.46, %before.46
  %none.46 = xor i1 %found.185, true
  %over.46 = or i1 %none.46, %wins.46
  %takes.46 = and i1 %found.187, %over.46
  %best.156 = select i1 %takes.46, half %element.46, half %best.140
  %best.157 = select i1 %takes.46, i64 %element.index.46, i64 %best.141
  %element.index.47 = add i64 %index.7, 7
  %found.188 = icmp sge i64 %best.143, 0
  %number.94 = fcmp ord half %best.142, %best.142
  %found.189 = and i1 %found.188, %number.94
  %found.190 = icmp sge i64 %element.index.47, 0
  %number.95 = fcmp ord half %element.47, %element.47
  %found.191 = and i1 %found.190, %number.95
  %better.47 = fcmp olt half %element.47, %best.142
  %equal.47 = fcmp oeq half %element.47, %best.142
  %earlier.47 = icmp slt i64 %element.index.47, %best.143
  %before.47 = and i1 %equal.47, %earlier.47
  %wins.47 = or i1 %better.47, %before.47
  %none.47 = xor i1 %found.189, true
  %over.47 = or i1 %none.47, %wins.47
  %takes.47 = and i1 %found.191, %over.47
  %best.158 = select i1 %takes.47, half %element.47, half %best.142
  %best.159 = select i1 %takes.47, i64 %element.index.47, i64 %best.143
  %at.34 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 %stride.3
  %next.3 = add i64 %counter.3, %grid.threads
  %elements.3 = mul i64 %grid.threads, 8
  %next.index.3 = add i64 %index.7, %elements.3
  br label %narrow.rest, !llvm.loop !8

narrow.rest.end:
  br label %whole

whole:
  %best.160 = phi half [ %best.48, %wide.rest.end ], [ %best.128, %narrow.rest.end ]
  %best.161 = phi i64 [ %best.49, %wide.rest.end ], [ %best.129, %narrow.rest.end ]
  %best.162 = phi half [ %best.50, %wide.rest.end ], [ %best.130, %narrow.rest.end ]
  %best.163 = phi i64 [ %best.51, %wide.rest.end ], [ %best.131, %narrow.rest.end ]
  %best.164 = phi half [ %best.52, %wide.rest.end ], [ %best.132, %narrow.rest.end ]
  %best.165 = phi i64 [ %best.53, %wide.rest.end ], [ %best.133, %narrow.rest.end ]
  %best.166 = phi half [ %best.54, %wide.rest.end ], [ %best.134, %narrow.rest.end ]
  %best.167 = phi i64 [ %best.55, %wide.rest.end ], [ %best.135, %narrow.rest.end ]
  %best.168 = phi half [ %best.56, %wide.rest.end ], [ %best.136, %narrow.rest.end ]
  %best.169 = phi i64 [ %best.57, %wide.rest.end ], [ %best.137, %narrow.rest.end ]
  %best.170 = phi half [ %best.58, %wide.rest.end ], [ %best.138, %narrow.rest.end ]
  %best.171 = phi i64 [ %best.59, %wide.rest.end ], [ %best.139, %narrow.rest.end ]
  %best.172 = phi half [ %best.60, %wide.rest.end ], [ %best.140, %narrow.rest.end ]
  %best.173 = phi i64 [ %best.61, %wide.rest.end ], [ %best.141, %narrow.rest.end ]
  %best.174 = phi half [ %best.62, %wide.rest.end ], [ %best.142, %narrow.rest.end ]
  %best.175 = phi i64 [ %best.63, %wide.rest.end ], [ %best.143, %narrow.rest.end ]
  %found.192 = icmp sge i64 %best.161, 0
  %number.96 = fcmp ord half %best.160, %best.160
  %found.193 = and i1 %found.192, %number.96
  %found.194 = icmp sge i64 %best.163, 0
  %number.97 = fcmp ord half %best.162, %best.162
  %found.195 = and i1 %found.194, %number.97
  %better.48 = fcmp olt half %best.162, %best.160
  %equal.48 = fcmp oeq half %best.162, %best.160
  %earlier.48 = icmp slt i64 %best.163, %best.161
  %before.48 = and i1 %equal.48, %earlier.48
  %wins.48 = or i1 %better.48, %before.48
  %none.48 = xor i1 %found.193, true
  %over.48 = or i1 %none.48, %wins.48
  %takes.48 = and i1 %found.195, %over.48
  %best.total = select i1 %takes.48, half %best.162, half %best.160
  %best.total.1 = select i1 %takes.48, i64 %best.163, i64 %best.161
  %found.196 = icmp sge i64 %best.total.1, 0
  %number.98 = fcmp ord half %best.total, %best.total
  %found.197 = and i1 %found.196, %number.98
  %found.198 = icmp sge i64 %best.165, 0
  %number.99 = fcmp ord half %best.164, %best.164
  %found.199 = and i1 %found.198, %number.99
  %better.49 = fcmp olt half %best.164, %best.total
  %equal.49 = fcmp oeq half %best.164, %best.total
  %earlier.49 = icmp slt i64 %best.165, %best.total.1
  %before.49 = and i1 %equal.49, %earlier.49
  %wins.49 = or i1 %better.49, %before.49
  %none.49 = xor i1 %found.197, true
  %over.49 = or i1 %none.49, %wins.49
  %takes.49 = and i1 %found.199, %over.49
  %best.total.2 = select i1 %takes.49, half %best.164, half %best.total
  %best.total.3 = select i1 %takes.49, i64 %best.165, i64 %best.total.1
  %found.200 = icmp sge i64 %best.total.3, 0
  %number.100 = fcmp ord half %best.total.2, %best.total.2
  %found.201 = and i1 %found.200, %number.100
  %found.202 = icmp sge i64 %best.167, 0
  %number.101 = fcmp ord half %best.166, %best.166
  %found.203 = and i1 %found.202, %number.101
  %better.50 = fcmp olt half %best.166, %best.total.2
  %equal.50 = fcmp oeq half %best.166, %best.total.2
  %earlier.50 = icmp slt i64 %best.167, %best.total.3
  %before.50 = and i1 %equal.50, %earlier.50
  %wins.50 = or i1 %better.50, %before.50
  %none.50 = xor i1 %found.201, true
  %over.50 = or i1 %none.50, %wins.50
  %takes.50 = and i1 %found.203, %over.50
  %best.total.4 = select i1 %takes.50, half %best.166, half %best.total.2
  %best.total.5 = select i1 %takes.50, i64 %best.167, i64 %best.total.3
  %found.204 = icmp sge i64 %best.total.5, 0
  %number.102 = fcmp ord half %best.total.4, %best.total.4
  %found.205 = and i1 %found.204, %number.102
  %found.206 = icmp sge i64 %best.169, 0
  %number.103 = fcmp ord half %best.168, %best.168
  %found.207 = and i1 %found.206, %number.103
  %better.51 = fcmp olt half %best.168, %best.total.4
  %equal.51 = fcmp oeq half %best.168, %best.total.4
  %earlier.51 = icmp slt i64 %best.169, %best.total.5
  %before.51 = and i1 %equal.51, %earlier.51
  %wins.51 = or i1 %better.51, %before.51
  %none.51 = xor i1 %found.205, true
  %over.51 = or i1 %none.51, %wins.51
  %takes.51 = and i1 %found.207, %over.51
  %best.total.6 = select i1 %takes.51, half %best.168, half %best.total.4
  %best.total.7 = select i1 %takes.51, i64 %best.169, i64 %best.total.5
  %found.208 = icmp sge i64 %best.total.7, 0
  %number.104 = fcmp ord half %best.total.6, %best.total.6
  %found.209 = and i1 %found.208, %number.104
  %found.210 = icmp sge i64 %best.171, 0
  %number.105 = fcmp ord half %best.170, %best.170
  %found.211 = and i1 %found.210, %number.105
  %better.52 = fcmp olt half %best.170, %best.total.6
  %equal.52 = fcmp oeq half %best.170, %best.total.6
  %earlier.52 = icmp slt i64 %best.171, %best.total.7
  %before.52 = and i1 %equal.52, %earlier.52
  %wins.52 = or i1 %better.52, %before.52
  %none.52 = xor i1 %found.209, true
  %over.52 = or i1 %none.52, %wins.52
  %takes.52 = and i1 %found.211, %over.52
  %best.total.8 = select i1 %takes.52, half %best.170, half %best.total.6
  %best.total.9 = select i1 %takes.52, i64 %best.171, i64 %best.total.7
  %found.212 = icmp sge i64 %best.total.9, 0
  %number.106 = fcmp ord half %best.total.8, %best.total.8
  %found.213 = and i1 %found.212, %number.106
  %found.214 = icmp sge i64 %best.173, 0
  %number.107 = fcmp ord half %best.172, %best.172
  %found.215 = and i1 %found.214, %number.107
  %better.53 = fcmp olt half %best.172, %best.total.8
  %equal.53 = fcmp oeq half %best.172, %best.total.8
  %earlier.53 = icmp slt i64 %best.173, %best.total.9
  %before.53 = and i1 %equal.53, %earlier.53
  %wins.53 = or i1 %better.53, %before.53
  %none.53 = xor i1 %found.213, true
  %over.53 = or i1 %none.53, %wins.53
  %takes.53 = and i1 %found.215, %over.53
  %best.total.10 = select i1 %takes.53, half %best.172, half %best.total.8
  %best.total.11 = select i1 %takes.53, i64 %best.173, i64 %best.total.9
  %found.216 = icmp sge i64 %best.total.11, 0
  %number.108 = fcmp ord half %best.total.10, %best.total.10
  %found.217 = and i1 %found.216, %number.108
  %found.218 = icmp sge i64 %best.175, 0
  %number.109 = fcmp ord half %best.174, %best.174
  %found.219 = and i1 %found.218, %number.109
  %better.54 = fcmp olt half %best.174, %best.total.10
  %equal.54 = fcmp oeq half %best.174, %best.total.10
  %earlier.54 = icmp slt i64 %best.175, %best.total.11
  %before.54 = and i1 %equal.54, %earlier.54
  %wins.54 = or i1 %better.54, %before.54
  %none.54 = xor i1 %found.217, true
  %over.54 = or i1 %none.54, %wins.54
  %takes.54 = and i1 %found.219, %over.54
  %best.total.12 = select i1 %takes.54, half %best.174, half %best.total.10
  %best.total.13 = select i1 %takes.54, i64 %best.175, i64 %best.total.11
  %grouped = mul i64 %groups, 8
  %first.2 = add i64 %grouped, %grid.thread
  br label %tail

tail:
  %index.8 = phi i64 [ %first.2, %whole ], [ %next.4, %tail.body ]
  %best.176 = phi half [ %best.total.12, %whole ], [ %best.178, %tail.body ]
  %best.177 = phi i64 [ %best.total.13, %whole ], [ %best.179, %tail.body ]
  %goes.on.4 = icmp ult i64 %index.8, %n
  br i1 %goes.on.4, label %tail.body, label %tail.end

tail.body:
  %at.35 = getelementptr inbounds half, ptr addrspace(1) %array0, i64 %index.8
  %element.48 = load half, ptr addrspace(1) %at.35, align 2, !invariant.load !0
  %element.index.48 = add i64 %first.index, %index.8
  %found.220 = icmp sge i64 %best.177, 0
  %number.110 = fcmp ord half %best.176, %best.176
  %found.221 = and i1 %found.220, %number.110
  %found.222 = icmp sge i64 %element.index.48, 0
  %number.111 = fcmp ord half %element.48, %element.48
  %found.223 = and i1 %found.222, %number.111
  %better.55 = fcmp olt half %element.48, %best.176
  %equal.55 = fcmp oeq half %element.48, %best.176
  %earlier.55 = icmp slt i64 %element.index.48, %best.177
  %before.55 = and i1 %equal.55, %earlier.55
  %wins.55 = or i1 %better.55, %before.55
  %none.55 = xor i1 %found.221, true
  %over.55 = or i1 %none.55, %wins.55
  %takes.55 = and i1 %found.223, %over.55
  %best.178 = select i1 %takes.55, half %element.48, half %best.176
  %best.179 = select i1 %takes.55, i64 %element.index.48, i64 %best.177
  %next.4 = add i64 %index.8, %grid.threads
  br label %tail, !llvm.loop !10

tail.end:
  %best.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %best.private = load ptr, ptr %best.entry, align 8
  store half %best.176, ptr %best.private, align 2
  %best.at = getelementptr inbounds i8, ptr %best.private, i64 8
  store i64 %best.177, ptr %best.at, align 8
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
  %has.result = icmp ne i32 %holds, 0
  br i1 %has.result, label %fold, label %done

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
  %has.result = icmp ne i32 %holds, 0
  br i1 %has.result, label %fold, label %done

fold:
  %generic.1 = addrspacecast ptr addrspace(1) %result to ptr
  call void @warpfold_list_to_global_reduce(ptr %generic.1, i32 0, ptr %list)
  br label %done

done:
  ret void
}

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
