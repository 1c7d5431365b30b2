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
  %words.1 = call double @llvm.nvvm.lohi.i2d(i32 %shuffled, i32 %shuffled.1)
  %remote.1 = bitcast double %words.1 to i64
  %best.kept = select i1 %copies, half %remote, half %best.own
  %best.kept.1 = select i1 %copies, i64 %remote.1, i64 %best.own.1
  %compared = fcmp olt half %remote, %best.own
  %compared.1 = fcmp oeq half %remote, %best.own
  %earlier = icmp ult i64 %remote.1, %best.own.1
  %before = and i1 %compared.1, %earlier
  %takes = or i1 %compared, %before
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

; Every thread of the block calls it, converged, with the same num_warps <= 32, and the block meets a
; barrier before the next call. The barrier orders the stores of each warp's lane 0 before the loads.
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
  %compared = fcmp olt half %best.given, %best.held
  %compared.1 = fcmp oeq half %best.given, %best.held
  %earlier = icmp ult i64 %best.given.1, %best.held.1
  %before = and i1 %compared.1, %earlier
  %takes = or i1 %compared, %before
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
define internal void @warpfold_accumulate(ptr %list, i64 %n, i64 %first.index, ptr addrspace(1) noalias readonly align 2 %array0) alwaysinline convergent mustprogress nounwind willreturn {
entry:
  %tid.x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ctaid.x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %ntid.x = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %nctaid.x = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %lane = and i32 %tid.x, 31
  %block.first = mul i32 %ctaid.x, %ntid.x
  %grid.thread = add i32 %block.first, %tid.x
  %grid.threads = mul i32 %nctaid.x, %ntid.x
  %warps = lshr i32 %grid.thread, 5
  %warps.1 = lshr i32 %grid.threads, 5
  %tiles = udiv i64 %n, 512
  %narrow = trunc i64 %tiles to i32
  %tiles.1 = urem i64 %n, 512
  %narrow.1 = trunc i64 %tiles.1 to i32
  %first = sub i32 %narrow, %warps
  %address = ptrtoint ptr addrspace(1) %array0 to i64
  %bits = or i64 0, %address
  %low = and i64 %bits, 15
  %is.unaligned = icmp ne i64 %low, 0
  br i1 %is.unaligned, label %unaligned, label %aligned, !prof !1

aligned:
  %is.idle = icmp slt i32 %first, 1
  br i1 %is.idle, label %wide.tiles.end, label %wide.first, !prof !2

wide.first:
  %wide = zext i32 %lane to i64
  %wide.1 = sext i32 %first to i64
  %offset = mul i64 %wide, 16
  %offset.1 = mul i64 %wide.1, 1024
  %offset.2 = add i64 %offset, %offset.1
  %offset.3 = mul i64 %offset.2, 1
  %at = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.3
  %at.1 = getelementptr i8, ptr addrspace(1) %at, i64 -512
  %loaded = load <8 x half>, ptr addrspace(1) %at.1, align 16, !invariant.load !0
  %element = extractelement <8 x half> %loaded, i32 0
  %element.1 = extractelement <8 x half> %loaded, i32 1
  %element.2 = extractelement <8 x half> %loaded, i32 2
  %element.3 = extractelement <8 x half> %loaded, i32 3
  %element.4 = extractelement <8 x half> %loaded, i32 4
  %element.5 = extractelement <8 x half> %loaded, i32 5
  %element.6 = extractelement <8 x half> %loaded, i32 6
  %element.7 = extractelement <8 x half> %loaded, i32 7
  %at.2 = getelementptr i8, ptr addrspace(1) %at, i64 -1024
  %loaded.1 = load <8 x half>, ptr addrspace(1) %at.2, align 16, !invariant.load !0
  %element.8 = extractelement <8 x half> %loaded.1, i32 0
  %element.9 = extractelement <8 x half> %loaded.1, i32 1
  %element.10 = extractelement <8 x half> %loaded.1, i32 2
  %element.11 = extractelement <8 x half> %loaded.1, i32 3
  %element.12 = extractelement <8 x half> %loaded.1, i32 4
  %element.13 = extractelement <8 x half> %loaded.1, i32 5
  %element.14 = extractelement <8 x half> %loaded.1, i32 6
  %element.15 = extractelement <8 x half> %loaded.1, i32 7
  %ordinal = add i32 0, 1
  %compared = fcmp ole half %element.7, 0xH7C00
  %best = select i1 %compared, half %element.7, half 0xH7C00
  %best.1 = select i1 %compared, i32 %ordinal, i32 0
  %compared.1 = fcmp ole half %element.6, 0xH7C00
  %best.2 = select i1 %compared.1, half %element.6, half 0xH7C00
  %best.3 = select i1 %compared.1, i32 %ordinal, i32 0
  %compared.2 = fcmp ole half %element.5, 0xH7C00
  %best.4 = select i1 %compared.2, half %element.5, half 0xH7C00
  %best.5 = select i1 %compared.2, i32 %ordinal, i32 0
  %compared.3 = fcmp ole half %element.4, 0xH7C00
  %best.6 = select i1 %compared.3, half %element.4, half 0xH7C00
  %best.7 = select i1 %compared.3, i32 %ordinal, i32 0
  %compared.4 = fcmp ole half %element.3, 0xH7C00
  %best.8 = select i1 %compared.4, half %element.3, half 0xH7C00
  %best.9 = select i1 %compared.4, i32 %ordinal, i32 0
  %compared.5 = fcmp ole half %element.2, 0xH7C00
  %best.10 = select i1 %compared.5, half %element.2, half 0xH7C00
  %best.11 = select i1 %compared.5, i32 %ordinal, i32 0
  %compared.6 = fcmp ole half %element.1, 0xH7C00
  %best.12 = select i1 %compared.6, half %element.1, half 0xH7C00
  %best.13 = select i1 %compared.6, i32 %ordinal, i32 0
  %compared.7 = fcmp ole half %element, 0xH7C00
  %best.14 = select i1 %compared.7, half %element, half 0xH7C00
  %best.15 = select i1 %compared.7, i32 %ordinal, i32 0
  %ordinal.1 = add i32 0, 2
  %compared.8 = fcmp ole half %element.15, %best
  %best.16 = select i1 %compared.8, half %element.15, half %best
  %best.17 = select i1 %compared.8, i32 %ordinal.1, i32 %best.1
  %compared.9 = fcmp ole half %element.14, %best.2
  %best.18 = select i1 %compared.9, half %element.14, half %best.2
  %best.19 = select i1 %compared.9, i32 %ordinal.1, i32 %best.3
  %compared.10 = fcmp ole half %element.13, %best.4
  %best.20 = select i1 %compared.10, half %element.13, half %best.4
  %best.21 = select i1 %compared.10, i32 %ordinal.1, i32 %best.5
  %compared.11 = fcmp ole half %element.12, %best.6
  %best.22 = select i1 %compared.11, half %element.12, half %best.6
  %best.23 = select i1 %compared.11, i32 %ordinal.1, i32 %best.7
  %compared.12 = fcmp ole half %element.11, %best.8
  %best.24 = select i1 %compared.12, half %element.11, half %best.8
  %best.25 = select i1 %compared.12, i32 %ordinal.1, i32 %best.9
  %compared.13 = fcmp ole half %element.10, %best.10
  %best.26 = select i1 %compared.13, half %element.10, half %best.10
  %best.27 = select i1 %compared.13, i32 %ordinal.1, i32 %best.11
  %compared.14 = fcmp ole half %element.9, %best.12
  %best.28 = select i1 %compared.14, half %element.9, half %best.12
  %best.29 = select i1 %compared.14, i32 %ordinal.1, i32 %best.13
  %compared.15 = fcmp ole half %element.8, %best.14
  %best.30 = select i1 %compared.15, half %element.8, half %best.14
  %best.31 = select i1 %compared.15, i32 %ordinal.1, i32 %best.15
  %next = sub i32 %first, %warps.1
  br label %wide.tiles

wide.tiles:
  %tiles.left = phi i32 [ %next, %wide.first ], [ %next.1, %wide.tiles.body ]
  %groups.taken = phi i32 [ 2, %wide.first ], [ %groups.taken.1, %wide.tiles.body ]
  %best.32 = phi half [ %best.30, %wide.first ], [ %best.70, %wide.tiles.body ]
  %ordinal.2 = phi i32 [ %best.31, %wide.first ], [ %best.71, %wide.tiles.body ]
  %best.33 = phi half [ %best.28, %wide.first ], [ %best.68, %wide.tiles.body ]
  %ordinal.3 = phi i32 [ %best.29, %wide.first ], [ %best.69, %wide.tiles.body ]
  %best.34 = phi half [ %best.26, %wide.first ], [ %best.66, %wide.tiles.body ]
  %ordinal.4 = phi i32 [ %best.27, %wide.first ], [ %best.67, %wide.tiles.body ]
  %best.35 = phi half [ %best.24, %wide.first ], [ %best.64, %wide.tiles.body ]
  %ordinal.5 = phi i32 [ %best.25, %wide.first ], [ %best.65, %wide.tiles.body ]
  %best.36 = phi half [ %best.22, %wide.first ], [ %best.62, %wide.tiles.body ]
  %ordinal.6 = phi i32 [ %best.23, %wide.first ], [ %best.63, %wide.tiles.body ]
  %best.37 = phi half [ %best.20, %wide.first ], [ %best.60, %wide.tiles.body ]
  %ordinal.7 = phi i32 [ %best.21, %wide.first ], [ %best.61, %wide.tiles.body ]
  %best.38 = phi half [ %best.18, %wide.first ], [ %best.58, %wide.tiles.body ]
  %ordinal.8 = phi i32 [ %best.19, %wide.first ], [ %best.59, %wide.tiles.body ]
  %best.39 = phi half [ %best.16, %wide.first ], [ %best.56, %wide.tiles.body ]
  %ordinal.9 = phi i32 [ %best.17, %wide.first ], [ %best.57, %wide.tiles.body ]
  %goes.on = icmp sge i32 %tiles.left, 1
  br i1 %goes.on, label %wide.tiles.body, label %wide.tiles.last

wide.tiles.body:
  %wide.2 = zext i32 %lane to i64
  %wide.3 = sext i32 %tiles.left to i64
  %offset.4 = mul i64 %wide.2, 16
  %offset.5 = mul i64 %wide.3, 1024
  %offset.6 = add i64 %offset.4, %offset.5
  %offset.7 = mul i64 %offset.6, 1
  %at.3 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.7
  %at.4 = getelementptr i8, ptr addrspace(1) %at.3, i64 -512
  %loaded.2 = load <8 x half>, ptr addrspace(1) %at.4, align 16, !invariant.load !0
  %element.16 = extractelement <8 x half> %loaded.2, i32 0
  %element.17 = extractelement <8 x half> %loaded.2, i32 1
  %element.18 = extractelement <8 x half> %loaded.2, i32 2
  %element.19 = extractelement <8 x half> %loaded.2, i32 3
  %element.20 = extractelement <8 x half> %loaded.2, i32 4
  %element.21 = extractelement <8 x half> %loaded.2, i32 5
  %element.22 = extractelement <8 x half> %loaded.2, i32 6
  %element.23 = extractelement <8 x half> %loaded.2, i32 7
  %at.5 = getelementptr i8, ptr addrspace(1) %at.3, i64 -1024
  %loaded.3 = load <8 x half>, ptr addrspace(1) %at.5, align 16, !invariant.load !0
  %element.24 = extractelement <8 x half> %loaded.3, i32 0
  %element.25 = extractelement <8 x half> %loaded.3, i32 1
  %element.26 = extractelement <8 x half> %loaded.3, i32 2
  %element.27 = extractelement <8 x half> %loaded.3, i32 3
  %element.28 = extractelement <8 x half> %loaded.3, i32 4
  %element.29 = extractelement <8 x half> %loaded.3, i32 5
  %element.30 = extractelement <8 x half> %loaded.3, i32 6
  %element.31 = extractelement <8 x half> %loaded.3, i32 7
  %ordinal.10 = add i32 %groups.taken, 1
  %compared.16 = fcmp ole half %element.23, %best.39
  %best.40 = select i1 %compared.16, half %element.23, half %best.39
  %best.41 = select i1 %compared.16, i32 %ordinal.10, i32 %ordinal.9
  %compared.17 = fcmp ole half %element.22, %best.38
  %best.42 = select i1 %compared.17, half %element.22, half %best.38
  %best.43 = select i1 %compared.17, i32 %ordinal.10, i32 %ordinal.8
  %compared.18 = fcmp ole half %element.21, %best.37
  %best.44 = select i1 %compared.18, half %element.21, half %best.37
  %best.45 = select i1 %compared.18, i32 %ordinal.10, i32 %ordinal.7
  %compared.19 = fcmp ole half %element.20, %best.36
  %best.46 = select i1 %compared.19, half %element.20, half %best.36
  %best.47 = select i1 %compared.19, i32 %ordinal.10, i32 %ordinal.6
  %compared.20 = fcmp ole half %element.19, %best.35
  %best.48 = select i1 %compared.20, half %element.19, half %best.35
  %best.49 = select i1 %compared.20, i32 %ordinal.10, i32 %ordinal.5
  %compared.21 = fcmp ole half %element.18, %best.34
  %best.50 = select i1 %compared.21, half %element.18, half %best.34
  %best.51 = select i1 %compared.21, i32 %ordinal.10, i32 %ordinal.4
  %compared.22 = fcmp ole half %element.17, %best.33
  %best.52 = select i1 %compared.22, half %element.17, half %best.33
  %best.53 = select i1 %compared.22, i32 %ordinal.10, i32 %ordinal.3
  %compared.23 = fcmp ole half %element.16, %best.32
  %best.54 = select i1 %compared.23, half %element.16, half %best.32
  %best.55 = select i1 %compared.23, i32 %ordinal.10, i32 %ordinal.2
  %ordinal.11 = add i32 %groups.taken, 2
  %compared.24 = fcmp ole half %element.31, %best.40
  %best.56 = select i1 %compared.24, half %element.31, half %best.40
  %best.57 = select i1 %compared.24, i32 %ordinal.11, i32 %best.41
  %compared.25 = fcmp ole half %element.30, %best.42
  %best.58 = select i1 %compared.25, half %element.30, half %best.42
  %best.59 = select i1 %compared.25, i32 %ordinal.11, i32 %best.43
  %compared.26 = fcmp ole half %element.29, %best.44
  %best.60 = select i1 %compared.26, half %element.29, half %best.44
  %best.61 = select i1 %compared.26, i32 %ordinal.11, i32 %best.45
  %compared.27 = fcmp ole half %element.28, %best.46
  %best.62 = select i1 %compared.27, half %element.28, half %best.46
  %best.63 = select i1 %compared.27, i32 %ordinal.11, i32 %best.47
  %compared.28 = fcmp ole half %element.27, %best.48
  %best.64 = select i1 %compared.28, half %element.27, half %best.48
  %best.65 = select i1 %compared.28, i32 %ordinal.11, i32 %best.49
  %compared.29 = fcmp ole half %element.26, %best.50
  %best.66 = select i1 %compared.29, half %element.26, half %best.50
  %best.67 = select i1 %compared.29, i32 %ordinal.11, i32 %best.51
  %compared.30 = fcmp ole half %element.25, %best.52
  %best.68 = select i1 %compared.30, half %element.25, half %best.52
  %best.69 = select i1 %compared.30, i32 %ordinal.11, i32 %best.53
  %compared.31 = fcmp ole half %element.24, %best.54
  %best.70 = select i1 %compared.31, half %element.24, half %best.54
  %best.71 = select i1 %compared.31, i32 %ordinal.11, i32 %best.55
  %next.1 = sub i32 %tiles.left, %warps.1
  %groups.taken.1 = add i32 %groups.taken, 2
  br label %wide.tiles, !llvm.loop !4

wide.tiles.last:
  %of.group = mul i32 %ordinal.2, 8
  %ordinal.12 = add i32 %of.group, 7
  %of.group.1 = mul i32 %ordinal.3, 8
  %ordinal.13 = add i32 %of.group.1, 6
  %compared.32 = fcmp olt half %best.33, %best.32
  %compared.33 = fcmp oeq half %best.33, %best.32
  %earlier = icmp ugt i32 %ordinal.13, %ordinal.12
  %before = and i1 %compared.33, %earlier
  %takes = or i1 %compared.32, %before
  %best.total = select i1 %takes, half %best.33, half %best.32
  %best.total.1 = select i1 %takes, i32 %ordinal.13, i32 %ordinal.12
  %of.group.2 = mul i32 %ordinal.4, 8
  %ordinal.14 = add i32 %of.group.2, 5
  %compared.34 = fcmp olt half %best.34, %best.total
  %compared.35 = fcmp oeq half %best.34, %best.total
  %earlier.1 = icmp ugt i32 %ordinal.14, %best.total.1
  %before.1 = and i1 %compared.35, %earlier.1
  %takes.1 = or i1 %compared.34, %before.1
  %best.total.2 = select i1 %takes.1, half %best.34, half %best.total
  %best.total.3 = select i1 %takes.1, i32 %ordinal.14, i32 %best.total.1
  %of.group.3 = mul i32 %ordinal.5, 8
  %ordinal.15 = add i32 %of.group.3, 4
  %compared.36 = fcmp olt half %best.35, %best.total.2
  %compared.37 = fcmp oeq half %best.35, %best.total.2
  %earlier.2 = icmp ugt i32 %ordinal.15, %best.total.3
  %before.2 = and i1 %compared.37, %earlier.2
  %takes.2 = or i1 %compared.36, %before.2
  %best.total.4 = select i1 %takes.2, half %best.35, half %best.total.2
  %best.total.5 = select i1 %takes.2, i32 %ordinal.15, i32 %best.total.3
  %of.group.4 = mul i32 %ordinal.6, 8
  %ordinal.16 = add i32 %of.group.4, 3
  %compared.38 = fcmp olt half %best.36, %best.total.4
  %compared.39 = fcmp oeq half %best.36, %best.total.4
  %earlier.3 = icmp ugt i32 %ordinal.16, %best.total.5
  %before.3 = and i1 %compared.39, %earlier.3
  %takes.3 = or i1 %compared.38, %before.3
  %best.total.6 = select i1 %takes.3, half %best.36, half %best.total.4
  %best.total.7 = select i1 %takes.3, i32 %ordinal.16, i32 %best.total.5
  %of.group.5 = mul i32 %ordinal.7, 8
  %ordinal.17 = add i32 %of.group.5, 2
  %compared.40 = fcmp olt half %best.37, %best.total.6
  %compared.41 = fcmp oeq half %best.37, %best.total.6
  %earlier.4 = icmp ugt i32 %ordinal.17, %best.total.7
  %before.4 = and i1 %compared.41, %earlier.4
  %takes.4 = or i1 %compared.40, %before.4
  %best.total.8 = select i1 %takes.4, half %best.37, half %best.total.6
  %best.total.9 = select i1 %takes.4, i32 %ordinal.17, i32 %best.total.7
  %of.group.6 = mul i32 %ordinal.8, 8
  %ordinal.18 = add i32 %of.group.6, 1
  %compared.42 = fcmp olt half %best.38, %best.total.8
  %compared.43 = fcmp oeq half %best.38, %best.total.8
  %earlier.5 = icmp ugt i32 %ordinal.18, %best.total.9
  %before.5 = and i1 %compared.43, %earlier.5
  %takes.5 = or i1 %compared.42, %before.5
  %best.total.10 = select i1 %takes.5, half %best.38, half %best.total.8
  %best.total.11 = select i1 %takes.5, i32 %ordinal.18, i32 %best.total.9
  %of.group.7 = mul i32 %ordinal.9, 8
  %ordinal.19 = add i32 %of.group.7, 0
  %compared.44 = fcmp olt half %best.39, %best.total.10
  %compared.45 = fcmp oeq half %best.39, %best.total.10
  %earlier.6 = icmp ugt i32 %ordinal.19, %best.total.11
  %before.6 = and i1 %compared.45, %earlier.6
  %takes.6 = or i1 %compared.44, %before.6
  %best.total.12 = select i1 %takes.6, half %best.39, half %best.total.10
  %best.total.13 = select i1 %takes.6, i32 %ordinal.19, i32 %best.total.11
  %before.7 = sub i32 %best.total.13, 8
  %turn = udiv i32 %before.7, 16
  %turns = udiv i32 %groups.taken, 2
  %since = sub i32 %turns, %turn
  %in.tile = urem i32 %before.7, 16
  %number = udiv i32 %in.tile, 8
  %in.group = urem i32 %in.tile, 8
  %back = mul i32 %since, %warps.1
  %of.tile = add i32 %tiles.left, %back
  %wide.4 = zext i32 %of.tile to i64
  %wide.5 = zext i32 %lane to i64
  %wide.6 = zext i32 %number to i64
  %wide.7 = zext i32 %in.group to i64
  %of.lane = mul i64 %wide.5, 8
  %of.tile.1 = mul i64 %wide.4, 512
  %of.tile.2 = add i64 %of.tile.1, %of.lane
  %last = add i64 %of.tile.2, -249
  %passed = mul i64 %wide.6, 256
  %at.6 = sub i64 %last, %passed
  %at.7 = sub i64 %at.6, %wide.7
  %index = add i64 %first.index, %at.7
  %is.none = icmp ult i32 %best.total.13, 8
  %index.1 = select i1 %is.none, i64 -1, i64 %index
  br label %wide.tiles.end

wide.tiles.end:
  %best.72 = phi half [ 0xH7C00, %aligned ], [ %best.total.12, %wide.tiles.last ]
  %best.73 = phi i64 [ -1, %aligned ], [ %index.1, %wide.tiles.last ]
  br label %whole

unaligned:
  %is.idle.1 = icmp slt i32 %first, 1
  br i1 %is.idle.1, label %narrow.tiles.end, label %narrow.first, !prof !5

narrow.first:
  %wide.8 = zext i32 %lane to i64
  %wide.9 = sext i32 %first to i64
  %offset.8 = mul i64 %wide.8, 16
  %offset.9 = mul i64 %wide.9, 1024
  %offset.10 = add i64 %offset.8, %offset.9
  %offset.11 = mul i64 %offset.10, 1
  %at.8 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.11
  %at.9 = getelementptr i8, ptr addrspace(1) %at.8, i64 -512
  %element.32 = load half, ptr addrspace(1) %at.9, align 2, !invariant.load !0
  %at.10 = getelementptr i8, ptr addrspace(1) %at.8, i64 -510
  %element.33 = load half, ptr addrspace(1) %at.10, align 2, !invariant.load !0
  %at.11 = getelementptr i8, ptr addrspace(1) %at.8, i64 -508
  %element.34 = load half, ptr addrspace(1) %at.11, align 2, !invariant.load !0
  %at.12 = getelementptr i8, ptr addrspace(1) %at.8, i64 -506
  %element.35 = load half, ptr addrspace(1) %at.12, align 2, !invariant.load !0
  %at.13 = getelementptr i8, ptr addrspace(1) %at.8, i64 -504
  %element.36 = load half, ptr addrspace(1) %at.13, align 2, !invariant.load !0
  %at.14 = getelementptr i8, ptr addrspace(1) %at.8, i64 -502
  %element.37 = load half, ptr addrspace(1) %at.14, align 2, !invariant.load !0
  %at.15 = getelementptr i8, ptr addrspace(1) %at.8, i64 -500
  %element.38 = load half, ptr addrspace(1) %at.15, align 2, !invariant.load !0
  %at.16 = getelementptr i8, ptr addrspace(1) %at.8, i64 -498
  %element.39 = load half, ptr addrspace(1) %at.16, align 2, !invariant.load !0
  %at.17 = getelementptr i8, ptr addrspace(1) %at.8, i64 -1024
  %element.40 = load half, ptr addrspace(1) %at.17, align 2, !invariant.load !0
  %at.18 = getelementptr i8, ptr addrspace(1) %at.8, i64 -1022
  %element.41 = load half, ptr addrspace(1) %at.18, align 2, !invariant.load !0
  %at.19 = getelementptr i8, ptr addrspace(1) %at.8, i64 -1020
  %element.42 = load half, ptr addrspace(1) %at.19, align 2, !invariant.load !0
  %at.20 = getelementptr i8, ptr addrspace(1) %at.8, i64 -1018
  %element.43 = load half, ptr addrspace(1) %at.20, align 2, !invariant.load !0
  %at.21 = getelementptr i8, ptr addrspace(1) %at.8, i64 -1016
  %element.44 = load half, ptr addrspace(1) %at.21, align 2, !invariant.load !0
  %at.22 = getelementptr i8, ptr addrspace(1) %at.8, i64 -1014
  %element.45 = load half, ptr addrspace(1) %at.22, align 2, !invariant.load !0
  %at.23 = getelementptr i8, ptr addrspace(1) %at.8, i64 -1012
  %element.46 = load half, ptr addrspace(1) %at.23, align 2, !invariant.load !0
  %at.24 = getelementptr i8, ptr addrspace(1) %at.8, i64 -1010
  %element.47 = load half, ptr addrspace(1) %at.24, align 2, !invariant.load !0
  %ordinal.20 = add i32 0, 1
  %compared.46 = fcmp ole half %element.39, 0xH7C00
  %best.74 = select i1 %compared.46, half %element.39, half 0xH7C00
  %best.75 = select i1 %compared.46, i32 %ordinal.20, i32 0
  %compared.47 = fcmp ole half %element.38, 0xH7C00
  %best.76 = select i1 %compared.47, half %element.38, half 0xH7C00
  %best.77 = select i1 %compared.47, i32 %ordinal.20, i32 0
  %compared.48 = fcmp ole half %element.37, 0xH7C00
  %best.78 = select i1 %compared.48, half %element.37, half 0xH7C00
  %best.79 = select i1 %compared.48, i32 %ordinal.20, i32 0
  %compared.49 = fcmp ole half %element.36, 0xH7C00
  %best.80 = select i1 %compared.49, half %element.36, half 0xH7C00
  %best.81 = select i1 %compared.49, i32 %ordinal.20, i32 0
  %compared.50 = fcmp ole half %element.35, 0xH7C00
  %best.82 = select i1 %compared.50, half %element.35, half 0xH7C00
  %best.83 = select i1 %compared.50, i32 %ordinal.20, i32 0
  %compared.51 = fcmp ole half %element.34, 0xH7C00
  %best.84 = select i1 %compared.51, half %element.34, half 0xH7C00
  %best.85 = select i1 %compared.51, i32 %ordinal.20, i32 0
  %compared.52 = fcmp ole half %element.33, 0xH7C00
  %best.86 = select i1 %compared.52, half %element.33, half 0xH7C00
  %best.87 = select i1 %compared.52, i32 %ordinal.20, i32 0
  %compared.53 = fcmp ole half %element.32, 0xH7C00
  %best.88 = select i1 %compared.53, half %element.32, half 0xH7C00
  %best.89 = select i1 %compared.53, i32 %ordinal.20, i32 0
  %ordinal.21 = add i32 0, 2
  %compared.54 = fcmp ole half %element.47, %best.74
  %best.90 = select i1 %compared.54, half %element.47, half %best.74
  %best.91 = select i1 %compared.54, i32 %ordinal.21, i32 %best.75
  %compared.55 = fcmp ole half %element.46, %best.76
  %best.92 = select i1 %compared.55, half %element.46, half %best.76
  %best.93 = select i1 %compared.55, i32 %ordinal.21, i32 %best.77
  %compared.56 = fcmp ole half %element.45, %best.78
  %best.94 = select i1 %compared.56, half %element.45, half %best.78
  %best.95 = select i1 %compared.56, i32 %ordinal.21, i32 %best.79
  %compared.57 = fcmp ole half %element.44, %best.80
  %best.96 = select i1 %compared.57, half %element.44, half %best.80
  %best.97 = select i1 %compared.57, i32 %ordinal.21, i32 %best.81
  %compared.58 = fcmp ole half %element.43, %best.82
  %best.98 = select i1 %compared.58, half %element.43, half %best.82
  %best.99 = select i1 %compared.58, i32 %ordinal.21, i32 %best.83
  %compared.59 = fcmp ole half %element.42, %best.84
  %best.100 = select i1 %compared.59, half %element.42, half %best.84
  %best.101 = select i1 %compared.59, i32 %ordinal.21, i32 %best.85
  %compared.60 = fcmp ole half %element.41, %best.86
  %best.102 = select i1 %compared.60, half %element.41, half %best.86
  %best.103 = select i1 %compared.60, i32 %ordinal.21, i32 %best.87
  %compared.61 = fcmp ole half %element.40, %best.88
  %best.104 = select i1 %compared.61, half %element.40, half %best.88
  %best.105 = select i1 %compared.61, i32 %ordinal.21, i32 %best.89
  %next.2 = sub i32 %first, %warps.1
  br label %narrow.tiles

narrow.tiles:
  %tiles.left.1 = phi i32 [ %next.2, %narrow.first ], [ %next.3, %narrow.tiles.body ]
  %groups.taken.2 = phi i32 [ 2, %narrow.first ], [ %groups.taken.3, %narrow.tiles.body ]
  %best.106 = phi half [ %best.104, %narrow.first ], [ %best.144, %narrow.tiles.body ]
  %ordinal.22 = phi i32 [ %best.105, %narrow.first ], [ %best.145, %narrow.tiles.body ]
  %best.107 = phi half [ %best.102, %narrow.first ], [ %best.142, %narrow.tiles.body ]
  %ordinal.23 = phi i32 [ %best.103, %narrow.first ], [ %best.143, %narrow.tiles.body ]
  %best.108 = phi half [ %best.100, %narrow.first ], [ %best.140, %narrow.tiles.body ]
  %ordinal.24 = phi i32 [ %best.101, %narrow.first ], [ %best.141, %narrow.tiles.body ]
  %best.109 = phi half [ %best.98, %narrow.first ], [ %best.138, %narrow.tiles.body ]
  %ordinal.25 = phi i32 [ %best.99, %narrow.first ], [ %best.139, %narrow.tiles.body ]
  %best.110 = phi half [ %best.96, %narrow.first ], [ %best.136, %narrow.tiles.body ]
  %ordinal.26 = phi i32 [ %best.97, %narrow.first ], [ %best.137, %narrow.tiles.body ]
  %best.111 = phi half [ %best.94, %narrow.first ], [ %best.134, %narrow.tiles.body ]
  %ordinal.27 = phi i32 [ %best.95, %narrow.first ], [ %best.135, %narrow.tiles.body ]
  %best.112 = phi half [ %best.92, %narrow.first ], [ %best.132, %narrow.tiles.body ]
  %ordinal.28 = phi i32 [ %best.93, %narrow.first ], [ %best.133, %narrow.tiles.body ]
  %best.113 = phi half [ %best.90, %narrow.first ], [ %best.130, %narrow.tiles.body ]
  %ordinal.29 = phi i32 [ %best.91, %narrow.first ], [ %best.131, %narrow.tiles.body ]
  %goes.on.1 = icmp sge i32 %tiles.left.1, 1
  br i1 %goes.on.1, label %narrow.tiles.body, label %narrow.tiles.last

narrow.tiles.body:
  %wide.10 = zext i32 %lane to i64
  %wide.11 = sext i32 %tiles.left.1 to i64
  %offset.12 = mul i64 %wide.10, 16
  %offset.13 = mul i64 %wide.11, 1024
  %offset.14 = add i64 %offset.12, %offset.13
  %offset.15 = mul i64 %offset.14, 1
  %at.25 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.15
  %at.26 = getelementptr i8, ptr addrspace(1) %at.25, i64 -512
  %element.48 = load half, ptr addrspace(1) %at.26, align 2, !invariant.load !0
  %at.27 = getelementptr i8, ptr addrspace(1) %at.25, i64 -510
  %element.49 = load half, ptr addrspace(1) %at.27, align 2, !invariant.load !0
  %at.28 = getelementptr i8, ptr addrspace(1) %at.25, i64 -508
  %element.50 = load half, ptr addrspace(1) %at.28, align 2, !invariant.load !0
  %at.29 = getelementptr i8, ptr addrspace(1) %at.25, i64 -506
  %element.51 = load half, ptr addrspace(1) %at.29, align 2, !invariant.load !0
  %at.30 = getelementptr i8, ptr addrspace(1) %at.25, i64 -504
  %element.52 = load half, ptr addrspace(1) %at.30, align 2, !invariant.load !0
  %at.31 = getelementptr i8, ptr addrspace(1) %at.25, i64 -502
  %element.53 = load half, ptr addrspace(1) %at.31, align 2, !invariant.load !0
  %at.32 = getelementptr i8, ptr addrspace(1) %at.25, i64 -500
  %element.54 = load half, ptr addrspace(1) %at.32, align 2, !invariant.load !0
  %at.33 = getelementptr i8, ptr addrspace(1) %at.25, i64 -498
  %element.55 = load half, ptr addrspace(1) %at.33, align 2, !invariant.load !0
  %at.34 = getelementptr i8, ptr addrspace(1) %at.25, i64 -1024
  %element.56 = load half, ptr addrspace(1) %at.34, align 2, !invariant.load !0
  %at.35 = getelementptr i8, ptr addrspace(1) %at.25, i64 -1022
  %element.57 = load half, ptr addrspace(1) %at.35, align 2, !invariant.load !0
  %at.36 = getelementptr i8, ptr addrspace(1) %at.25, i64 -1020
  %element.58 = load half, ptr addrspace(1) %at.36, align 2, !invariant.load !0
  %at.37 = getelementptr i8, ptr addrspace(1) %at.25, i64 -1018
  %element.59 = load half, ptr addrspace(1) %at.37, align 2, !invariant.load !0
  %at.38 = getelementptr i8, ptr addrspace(1) %at.25, i64 -1016
  %element.60 = load half, ptr addrspace(1) %at.38, align 2, !invariant.load !0
  %at.39 = getelementptr i8, ptr addrspace(1) %at.25, i64 -1014
  %element.61 = load half, ptr addrspace(1) %at.39, align 2, !invariant.load !0
  %at.40 = getelementptr i8, ptr addrspace(1) %at.25, i64 -1012
  %element.62 = load half, ptr addrspace(1) %at.40, align 2, !invariant.load !0
  %at.41 = getelementptr i8, ptr addrspace(1) %at.25, i64 -1010
  %element.63 = load half, ptr addrspace(1) %at.41, align 2, !invariant.load !0
  %ordinal.30 = add i32 %groups.taken.2, 1
  %compared.62 = fcmp ole half %element.55, %best.113
  %best.114 = select i1 %compared.62, half %element.55, half %best.113
  %best.115 = select i1 %compared.62, i32 %ordinal.30, i32 %ordinal.29
  %compared.63 = fcmp ole half %element.54, %best.112
  %best.116 = select i1 %compared.63, half %element.54, half %best.112
  %best.117 = select i1 %compared.63, i32 %ordinal.30, i32 %ordinal.28
  %compared.64 = fcmp ole half %element.53, %best.111
  %best.118 = select i1 %compared.64, half %element.53, half %best.111
  %best.119 = select i1 %compared.64, i32 %ordinal.30, i32 %ordinal.27
  %compared.65 = fcmp ole half %element.52, %best.110
  %best.120 = select i1 %compared.65, half %element.52, half %best.110
  %best.121 = select i1 %compared.65, i32 %ordinal.30, i32 %ordinal.26
  %compared.66 = fcmp ole half %element.51, %best.109
  %best.122 = select i1 %compared.66, half %element.51, half %best.109
  %best.123 = select i1 %compared.66, i32 %ordinal.30, i32 %ordinal.25
  %compared.67 = fcmp ole half %element.50, %best.108
  %best.124 = select i1 %compared.67, half %element.50, half %best.108
  %best.125 = select i1 %compared.67, i32 %ordinal.30, i32 %ordinal.24
  %compared.68 = fcmp ole half %element.49, %best.107
  %best.126 = select i1 %compared.68, half %element.49, half %best.107
  %best.127 = select i1 %compared.68, i32 %ordinal.30, i32 %ordinal.23
  %compared.69 = fcmp ole half %element.48, %best.106
  %best.128 = select i1 %compared.69, half %element.48, half %best.106
  %best.129 = select i1 %compared.69, i32 %ordinal.30, i32 %ordinal.22
  %ordinal.31 = add i32 %groups.taken.2, 2
  %compared.70 = fcmp ole half %element.63, %best.114
  %best.130 = select i1 %compared.70, half %element.63, half %best.114
  %best.131 = select i1 %compared.70, i32 %ordinal.31, i32 %best.115
  %compared.71 = fcmp ole half %element.62, %best.116
  %best.132 = select i1 %compared.71, half %element.62, half %best.116
  %best.133 = select i1 %compared.71, i32 %ordinal.31, i32 %best.117
  %compared.72 = fcmp ole half %element.61, %best.118
  %best.134 = select i1 %compared.72, half %element.61, half %best.118
  %best.135 = select i1 %compared.72, i32 %ordinal.31, i32 %best.119
  %compared.73 = fcmp ole half %element.60, %best.120
  %best.136 = select i1 %compared.73, half %element.60, half %best.120
  %best.137 = select i1 %compared.73, i32 %ordinal.31, i32 %best.121
  %compared.74 = fcmp ole half %element.59, %best.122
  %best.138 = select i1 %compared.74, half %element.59, half %best.122
  %best.139 = select i1 %compared.74, i32 %ordinal.31, i32 %best.123
  %compared.75 = fcmp ole half %element.58, %best.124
  %best.140 = select i1 %compared.75, half %element.58, half %best.124
  %best.141 = select i1 %compared.75, i32 %ordinal.31, i32 %best.125
  %compared.76 = fcmp ole half %element.57, %best.126
  %best.142 = select i1 %compared.76, half %element.57, half %best.126
  %best.143 = select i1 %compared.76, i32 %ordinal.31, i32 %best.127
  %compared.77 = fcmp ole half %element.56, %best.128
  %best.144 = select i1 %compared.77, half %element.56, half %best.128
  %best.145 = select i1 %compared.77, i32 %ordinal.31, i32 %best.129
  %next.3 = sub i32 %tiles.left.1, %warps.1
  %groups.taken.3 = add i32 %groups.taken.2, 2
  br label %narrow.tiles, !llvm.loop !7

narrow.tiles.last:
  %of.group.8 = mul i32 %ordinal.22, 8
  %ordinal.32 = add i32 %of.group.8, 7
  %of.group.9 = mul i32 %ordinal.23, 8
  %ordinal.33 = add i32 %of.group.9, 6
  %compared.78 = fcmp olt half %best.107, %best.106
  %compared.79 = fcmp oeq half %best.107, %best.106
  %earlier.7 = icmp ugt i32 %ordinal.33, %ordinal.32
  %before.8 = and i1 %compared.79, %earlier.7
  %takes.7 = or i1 %compared.78, %before.8
  %best.total.14 = select i1 %takes.7, half %best.107, half %best.106
  %best.total.15 = select i1 %takes.7, i32 %ordinal.33, i32 %ordinal.32
  %of.group.10 = mul i32 %ordinal.24, 8
  %ordinal.34 = add i32 %of.group.10, 5
  %compared.80 = fcmp olt half %best.108, %best.total.14
  %compared.81 = fcmp oeq half %best.108, %best.total.14
  %earlier.8 = icmp ugt i32 %ordinal.34, %best.total.15
  %before.9 = and i1 %compared.81, %earlier.8
  %takes.8 = or i1 %compared.80, %before.9
  %best.total.16 = select i1 %takes.8, half %best.108, half %best.total.14
  %best.total.17 = select i1 %takes.8, i32 %ordinal.34, i32 %best.total.15
  %of.group.11 = mul i32 %ordinal.25, 8
  %ordinal.35 = add i32 %of.group.11, 4
  %compared.82 = fcmp olt half %best.109, %best.total.16
  %compared.83 = fcmp oeq half %best.109, %best.total.16
  %earlier.9 = icmp ugt i32 %ordinal.35, %best.total.17
  %before.10 = and i1 %compared.83, %earlier.9
  %takes.9 = or i1 %compared.82, %before.10
  %best.total.18 = select i1 %takes.9, half %best.109, half %best.total.16
  %best.total.19 = select i1 %takes.9, i32 %ordinal.35, i32 %best.total.17
  %of.group.12 = mul i32 %ordinal.26, 8
  %ordinal.36 = add i32 %of.group.12, 3
  %compared.84 = fcmp olt half %best.110, %best.total.18
  %compared.85 = fcmp oeq half %best.110, %best.total.18
  %earlier.10 = icmp ugt i32 %ordinal.36, %best.total.19
  %before.11 = and i1 %compared.85, %earlier.10
  %takes.10 = or i1 %compared.84, %before.11
  %best.total.20 = select i1 %takes.10, half %best.110, half %best.total.18
  %best.total.21 = select i1 %takes.10, i32 %ordinal.36, i32 %best.total.19
  %of.group.13 = mul i32 %ordinal.27, 8
  %ordinal.37 = add i32 %of.group.13, 2
  %compared.86 = fcmp olt half %best.111, %best.total.20
  %compared.87 = fcmp oeq half %best.111, %best.total.20
  %earlier.11 = icmp ugt i32 %ordinal.37, %best.total.21
  %before.12 = and i1 %compared.87, %earlier.11
  %takes.11 = or i1 %compared.86, %before.12
  %best.total.22 = select i1 %takes.11, half %best.111, half %best.total.20
  %best.total.23 = select i1 %takes.11, i32 %ordinal.37, i32 %best.total.21
  %of.group.14 = mul i32 %ordinal.28, 8
  %ordinal.38 = add i32 %of.group.14, 1
  %compared.88 = fcmp olt half %best.112, %best.total.22
  %compared.89 = fcmp oeq half %best.112, %best.total.22
  %earlier.12 = icmp ugt i32 %ordinal.38, %best.total.23
  %before.13 = and i1 %compared.89, %earlier.12
  %takes.12 = or i1 %compared.88, %before.13
  %best.total.24 = select i1 %takes.12, half %best.112, half %best.total.22
  %best.total.25 = select i1 %takes.12, i32 %ordinal.38, i32 %best.total.23
  %of.group.15 = mul i32 %ordinal.29, 8
  %ordinal.39 = add i32 %of.group.15, 0
  %compared.90 = fcmp olt half %best.113, %best.total.24
  %compared.91 = fcmp oeq half %best.113, %best.total.24
  %earlier.13 = icmp ugt i32 %ordinal.39, %best.total.25
  %before.14 = and i1 %compared.91, %earlier.13
  %takes.13 = or i1 %compared.90, %before.14
  %best.total.26 = select i1 %takes.13, half %best.113, half %best.total.24
  %best.total.27 = select i1 %takes.13, i32 %ordinal.39, i32 %best.total.25
  %before.15 = sub i32 %best.total.27, 8
  %turn.1 = udiv i32 %before.15, 16
  %turns.1 = udiv i32 %groups.taken.2, 2
  %since.1 = sub i32 %turns.1, %turn.1
  %in.tile.1 = urem i32 %before.15, 16
  %number.1 = udiv i32 %in.tile.1, 8
  %in.group.1 = urem i32 %in.tile.1, 8
  %back.1 = mul i32 %since.1, %warps.1
  %of.tile.3 = add i32 %tiles.left.1, %back.1
  %wide.12 = zext i32 %of.tile.3 to i64
  %wide.13 = zext i32 %lane to i64
  %wide.14 = zext i32 %number.1 to i64
  %wide.15 = zext i32 %in.group.1 to i64
  %of.lane.1 = mul i64 %wide.13, 8
  %of.tile.4 = mul i64 %wide.12, 512
  %of.tile.5 = add i64 %of.tile.4, %of.lane.1
  %last.1 = add i64 %of.tile.5, -249
  %passed.1 = mul i64 %wide.14, 256
  %at.42 = sub i64 %last.1, %passed.1
  %at.43 = sub i64 %at.42, %wide.15
  %index.2 = add i64 %first.index, %at.43
  %is.none.1 = icmp ult i32 %best.total.27, 8
  %index.3 = select i1 %is.none.1, i64 -1, i64 %index.2
  br label %narrow.tiles.end

narrow.tiles.end:
  %best.146 = phi half [ 0xH7C00, %unaligned ], [ %best.total.26, %narrow.tiles.last ]
  %best.147 = phi i64 [ -1, %unaligned ], [ %index.3, %narrow.tiles.last ]
  br label %whole

whole:
  %best.148 = phi half [ %best.72, %wide.tiles.end ], [ %best.146, %narrow.tiles.end ]
  %best.149 = phi i64 [ %best.73, %wide.tiles.end ], [ %best.147, %narrow.tiles.end ]
  %has.tail = icmp ult i32 %grid.thread, %narrow.1
  br i1 %has.tail, label %tail.some, label %tail.end, !prof !8

tail.some:
  %are.few = icmp ult i32 %grid.threads, 512
  %step = select i1 %are.few, i32 %grid.threads, i32 512
  %wide.16 = zext i32 %narrow.1 to i64
  %tiled = sub i64 %n, %wide.16
  %offset.16 = mul i64 %tiled, 2
  %at.44 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.16
  br label %tail

tail:
  %element.number = phi i32 [ %grid.thread, %tail.some ], [ %next.5, %following.1 ]
  %best.150 = phi half [ %best.148, %tail.some ], [ %best.158, %following.1 ]
  %best.151 = phi i64 [ %best.149, %tail.some ], [ %best.159, %following.1 ]
  %goes.on.2 = icmp ult i32 %element.number, %narrow.1
  br i1 %goes.on.2, label %tail.body, label %tail.end

tail.body:
  %exists = icmp ult i32 %element.number, %narrow.1
  %wide.17 = zext i32 %element.number to i64
  br i1 %exists, label %element.64, label %element.end

element.64:
  %at.45 = getelementptr inbounds half, ptr addrspace(1) %at.44, i64 %wide.17
  %element.65 = load half, ptr addrspace(1) %at.45, align 2, !invariant.load !0
  br label %element.end

element.end:
  %element.66 = phi half [ %element.65, %element.64 ], [ 0xH0000, %tail.body ]
  %next.4 = add i32 %element.number, %step
  %exists.1 = icmp ult i32 %next.4, %narrow.1
  %wide.18 = zext i32 %next.4 to i64
  br i1 %exists.1, label %element.67, label %element.end.1

element.67:
  %at.46 = getelementptr inbounds half, ptr addrspace(1) %at.44, i64 %wide.18
  %element.68 = load half, ptr addrspace(1) %at.46, align 2, !invariant.load !0
  br label %element.end.1

element.end.1:
  %element.69 = phi half [ %element.68, %element.67 ], [ 0xH0000, %element.end ]
  %next.5 = add i32 %next.4, %step
  br i1 %exists, label %one, label %following

one:
  %element.70 = add i64 %tiled, %wide.17
  %index.4 = add i64 %first.index, %element.70
  %compared.92 = fcmp olt half %element.66, %best.150
  %compared.93 = fcmp oeq half %element.66, %best.150
  %earlier.14 = icmp ult i64 %index.4, %best.151
  %before.16 = and i1 %compared.93, %earlier.14
  %takes.14 = or i1 %compared.92, %before.16
  %best.152 = select i1 %takes.14, half %element.66, half %best.150
  %best.153 = select i1 %takes.14, i64 %index.4, i64 %best.151
  br label %following

following:
  %best.154 = phi half [ %best.152, %one ], [ %best.150, %element.end.1 ]
  %best.155 = phi i64 [ %best.153, %one ], [ %best.151, %element.end.1 ]
  br i1 %exists.1, label %one.1, label %following.1

one.1:
  %element.71 = add i64 %tiled, %wide.18
  %index.5 = add i64 %first.index, %element.71
  %compared.94 = fcmp olt half %element.69, %best.154
  %compared.95 = fcmp oeq half %element.69, %best.154
  %earlier.15 = icmp ult i64 %index.5, %best.155
  %before.17 = and i1 %compared.95, %earlier.15
  %takes.15 = or i1 %compared.94, %before.17
  %best.156 = select i1 %takes.15, half %element.69, half %best.154
  %best.157 = select i1 %takes.15, i64 %index.5, i64 %best.155
  br label %following.1

following.1:
  %best.158 = phi half [ %best.156, %one.1 ], [ %best.154, %following ]
  %best.159 = phi i64 [ %best.157, %one.1 ], [ %best.155, %following ]
  br label %tail, !llvm.loop !10

tail.end:
  %best.160 = phi half [ %best.148, %whole ], [ %best.150, %tail ]
  %best.161 = phi i64 [ %best.149, %whole ], [ %best.151, %tail ]
  %best.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %best.private = load ptr, ptr %best.entry, align 8
  store half %best.160, ptr %best.private, align 2
  %best.at = getelementptr inbounds i8, ptr %best.private, i64 8
  store i64 %best.161, ptr %best.at, align 8
  ret void
}

define ptx_kernel void @warpfold_reduce(i64 %n, i64 %first, ptr addrspace(1) align 16 %workspace, ptr addrspace(1) align 8 %result, ptr addrspace(1) noalias readonly align 2 %array0) convergent mustprogress nounwind "nvvm.maxntid"="256" {
entry:
  %tid.y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %is.flat = icmp eq i32 %tid.y, 0
  call void @llvm.assume(i1 %is.flat)
  %tid.z = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %is.flat.1 = icmp eq i32 %tid.z, 0
  call void @llvm.assume(i1 %is.flat.1)
  %ctaid.y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %is.flat.2 = icmp eq i32 %ctaid.y, 0
  call void @llvm.assume(i1 %is.flat.2)
  %ctaid.z = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %is.flat.3 = icmp eq i32 %ctaid.z, 0
  call void @llvm.assume(i1 %is.flat.3)
  %ntid.y = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %is.flat.4 = icmp eq i32 %ntid.y, 1
  call void @llvm.assume(i1 %is.flat.4)
  %ntid.z = call i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
  %is.flat.5 = icmp eq i32 %ntid.z, 1
  call void @llvm.assume(i1 %is.flat.5)
  %nctaid.y = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
  %is.flat.6 = icmp eq i32 %nctaid.y, 1
  call void @llvm.assume(i1 %is.flat.6)
  %nctaid.z = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.z()
  %is.flat.7 = icmp eq i32 %nctaid.z, 1
  call void @llvm.assume(i1 %is.flat.7)
  %ntid.x = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %partial.warp = and i32 %ntid.x, 31
  %is.whole = icmp eq i32 %partial.warp, 0
  call void @llvm.assume(i1 %is.whole)
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
  %tid.y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %is.flat = icmp eq i32 %tid.y, 0
  call void @llvm.assume(i1 %is.flat)
  %tid.z = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %is.flat.1 = icmp eq i32 %tid.z, 0
  call void @llvm.assume(i1 %is.flat.1)
  %ctaid.y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %is.flat.2 = icmp eq i32 %ctaid.y, 0
  call void @llvm.assume(i1 %is.flat.2)
  %ctaid.z = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %is.flat.3 = icmp eq i32 %ctaid.z, 0
  call void @llvm.assume(i1 %is.flat.3)
  %ntid.y = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %is.flat.4 = icmp eq i32 %ntid.y, 1
  call void @llvm.assume(i1 %is.flat.4)
  %ntid.z = call i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
  %is.flat.5 = icmp eq i32 %ntid.z, 1
  call void @llvm.assume(i1 %is.flat.5)
  %nctaid.y = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
  %is.flat.6 = icmp eq i32 %nctaid.y, 1
  call void @llvm.assume(i1 %is.flat.6)
  %nctaid.z = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.z()
  %is.flat.7 = icmp eq i32 %nctaid.z, 1
  call void @llvm.assume(i1 %is.flat.7)
  %ntid.x = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %partial.warp = and i32 %ntid.x, 31
  %is.whole = icmp eq i32 %partial.warp, 0
  call void @llvm.assume(i1 %is.whole)
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
  %tid.y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %is.flat = icmp eq i32 %tid.y, 0
  call void @llvm.assume(i1 %is.flat)
  %tid.z = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %is.flat.1 = icmp eq i32 %tid.z, 0
  call void @llvm.assume(i1 %is.flat.1)
  %ctaid.y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %is.flat.2 = icmp eq i32 %ctaid.y, 0
  call void @llvm.assume(i1 %is.flat.2)
  %ctaid.z = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %is.flat.3 = icmp eq i32 %ctaid.z, 0
  call void @llvm.assume(i1 %is.flat.3)
  %ntid.y = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %is.flat.4 = icmp eq i32 %ntid.y, 1
  call void @llvm.assume(i1 %is.flat.4)
  %ntid.z = call i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
  %is.flat.5 = icmp eq i32 %ntid.z, 1
  call void @llvm.assume(i1 %is.flat.5)
  %nctaid.y = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
  %is.flat.6 = icmp eq i32 %nctaid.y, 1
  call void @llvm.assume(i1 %is.flat.6)
  %nctaid.z = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.z()
  %is.flat.7 = icmp eq i32 %nctaid.z, 1
  call void @llvm.assume(i1 %is.flat.7)
  %ntid.x = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %partial.warp = and i32 %ntid.x, 31
  %is.whole = icmp eq i32 %partial.warp, 0
  call void @llvm.assume(i1 %is.whole)
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

declare double @llvm.nvvm.lohi.i2d(i32, i32)
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
declare void @llvm.assume(i1)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

!0 = !{}
!1 = !{!"branch_weights", i32 1, i32 2000}
!2 = !{!"branch_weights", i32 1, i32 2000}
!3 = !{!"llvm.loop.unroll.disable"}
!4 = distinct !{!4, !3}
!5 = !{!"branch_weights", i32 1, i32 2000}
!6 = !{!"llvm.loop.unroll.disable"}
!7 = distinct !{!7, !6}
!8 = !{!"branch_weights", i32 1, i32 2000}
!9 = !{!"llvm.loop.unroll.disable"}
!10 = distinct !{!10, !9}
