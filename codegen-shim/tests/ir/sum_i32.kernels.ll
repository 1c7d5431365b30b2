; total: i32 sum of array 0
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%warpfold.record = type { i32 }
@warpfold_inter_warp_buffers = internal addrspace(3) global [32 x [4 x i8]] poison, align 16
@warpfold_architecture = private constant [12 x i8] c"__CUDA_ARCH\00"

; Every lane of the warp that exists calls it, converged, with the same offset and algo.
define internal void @warpfold_shuffle_and_reduce(ptr %list, i16 %lane, i16 %offset, i16 %algo) alwaysinline convergent mustprogress nounwind {
entry:
  %full = icmp eq i16 %algo, 0
  %architecture = call i32 @__nvvm_reflect(ptr @warpfold_architecture)
  %has.redux = icmp uge i32 %architecture, 800
  %by.redux = and i1 %full, %has.redux
  br i1 %by.redux, label %full.warp, label %distances

full.warp:
  %is.first = icmp eq i16 %offset, 16
  br i1 %is.first, label %at.first, label %others

at.first:
  %total.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %total.private = load ptr, ptr %total.entry, align 8
  %total.own = load i32, ptr %total.private, align 4
  %total = call i32 @llvm.nvvm.redux.sync.add(i32 %total.own, i32 -1)
  store i32 %total, ptr %total.private, align 4
  br label %others

others:
  %delta = sext i16 %offset to i32
  ret void

distances:
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
  %total.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %total.private = load ptr, ptr %total.entry, align 8
  %total.own = load i32, ptr %total.private, align 4
  %shuffled = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %total.own, i32 %delta, i32 31)
  %total.kept = select i1 %copies, i32 %shuffled, i32 %total.own
  %total.combined = add i32 %total.own, %shuffled
  %total.next = select i1 %reduces, i32 %total.combined, i32 %total.kept
  store i32 %total.next, ptr %total.private, align 4
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
  %total.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %total.private = load ptr, ptr %total.entry, align 8
  %total.own = load i32, ptr %total.private, align 4
  %shuffled = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %total.own, i32 %delta, i32 31)
  %total.combined = add i32 %total.own, %shuffled
  %total.next = select i1 %reduces, i32 %total.combined, i32 %total.own
  store i32 %total.next, ptr %total.private, align 4
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
  %warp.buffer = getelementptr inbounds [4 x i8], ptr addrspace(3) @warpfold_inter_warp_buffers, i32 %warp
  %total.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %total.private = load ptr, ptr %total.entry, align 8
  %total.moved = load i32, ptr %total.private, align 4
  store i32 %total.moved, ptr addrspace(3) %warp.buffer, align 4
  br label %published

published:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %receives, label %collect, label %collected

collect:
  %warp.buffer.1 = getelementptr inbounds [4 x i8], ptr addrspace(3) @warpfold_inter_warp_buffers, i32 %thread
  %total.entry.1 = getelementptr inbounds ptr, ptr %list, i64 0
  %total.private.1 = load ptr, ptr %total.entry.1, align 8
  %total.moved.1 = load i32, ptr addrspace(3) %warp.buffer.1, align 4
  store i32 %total.moved.1, ptr %total.private.1, align 4
  br label %collected

collected:
  ret void
}

define internal void @warpfold_list_to_global_copy(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %total.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %total.private = load ptr, ptr %total.entry, align 8
  %total.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %total.given = load i32, ptr %total.private, align 4
  store i32 %total.given, ptr %total.member, align 4
  ret void
}

define internal void @warpfold_list_to_global_reduce(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %total.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %total.private = load ptr, ptr %total.entry, align 8
  %total.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %total.given = load i32, ptr %total.private, align 4
  %total.held = load i32, ptr %total.member, align 4
  %total.combined = add i32 %total.held, %total.given
  store i32 %total.combined, ptr %total.member, align 4
  ret void
}

define internal void @warpfold_global_to_list_copy(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %total.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %total.private = load ptr, ptr %total.entry, align 8
  %total.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %total.given = load i32, ptr %total.member, align 4
  store i32 %total.given, ptr %total.private, align 4
  ret void
}

define internal void @warpfold_global_to_list_reduce(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %total.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %total.private = load ptr, ptr %total.entry, align 8
  %total.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %total.given = load i32, ptr %total.member, align 4
  %total.held = load i32, ptr %total.private, align 4
  %total.combined = add i32 %total.held, %total.given
  store i32 %total.combined, ptr %total.private, align 4
  ret void
}

define internal void @warpfold_initialize(ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %total.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %total.private = load ptr, ptr %total.entry, align 8
  store i32 0, ptr %total.private, align 4
  ret void
}

; The thread's share of n elements, reduced into its private copies.
define internal void @warpfold_accumulate(ptr %list, i64 %n, i64 %first.index, ptr addrspace(1) noalias readonly align 4 %array0) alwaysinline convergent mustprogress nounwind willreturn {
entry:
  %tid.x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ctaid.x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %ntid.x = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %nctaid.x = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %lane = and i32 %tid.x, 31
  %block.first = mul i32 %ctaid.x, %ntid.x
  %grid.thread = add i32 %block.first, %tid.x
  %grid.threads = mul i32 %nctaid.x, %ntid.x
  %warps = lshr i32 %tid.x, 5
  %warps.1 = lshr i32 %ntid.x, 5
  %block.first.1 = mul i32 %ctaid.x, %warps.1
  %grid.warp = add i32 %block.first.1, %warps
  %grid.warps = mul i32 %nctaid.x, %warps.1
  %tiles = udiv i64 %n, 256
  %narrow = trunc i64 %tiles to i32
  %tiles.1 = urem i64 %n, 256
  %narrow.1 = trunc i64 %tiles.1 to i32
  %first = sub i32 %narrow, %grid.warp
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
  %at = getelementptr i8, ptr addrspace(1) %array0, i64 %offset
  %at.1 = getelementptr i8, ptr addrspace(1) %at, i64 %offset.1
  %at.2 = getelementptr i8, ptr addrspace(1) %at.1, i64 -512
  %loaded = load <4 x i32>, ptr addrspace(1) %at.2, align 16, !invariant.load !0
  %element = extractelement <4 x i32> %loaded, i32 0
  %element.1 = extractelement <4 x i32> %loaded, i32 1
  %element.2 = extractelement <4 x i32> %loaded, i32 2
  %element.3 = extractelement <4 x i32> %loaded, i32 3
  %at.3 = getelementptr i8, ptr addrspace(1) %at.1, i64 -1024
  %loaded.1 = load <4 x i32>, ptr addrspace(1) %at.3, align 16, !invariant.load !0
  %element.4 = extractelement <4 x i32> %loaded.1, i32 0
  %element.5 = extractelement <4 x i32> %loaded.1, i32 1
  %element.6 = extractelement <4 x i32> %loaded.1, i32 2
  %element.7 = extractelement <4 x i32> %loaded.1, i32 3
  %total = add i32 0, %element.3
  %total.1 = add i32 0, %element.2
  %total.2 = add i32 0, %element.1
  %total.3 = add i32 0, %element
  %total.4 = add i32 %total, %element.7
  %total.5 = add i32 %total.1, %element.6
  %total.6 = add i32 %total.2, %element.5
  %total.7 = add i32 %total.3, %element.4
  %next = sub i32 %first, %grid.warps
  br label %wide.tiles

wide.tiles:
  %tiles.left = phi i32 [ %next, %wide.first ], [ %next.1, %wide.tiles.body ]
  %total.8 = phi i32 [ %total.7, %wide.first ], [ %total.19, %wide.tiles.body ]
  %total.9 = phi i32 [ %total.6, %wide.first ], [ %total.18, %wide.tiles.body ]
  %total.10 = phi i32 [ %total.5, %wide.first ], [ %total.17, %wide.tiles.body ]
  %total.11 = phi i32 [ %total.4, %wide.first ], [ %total.16, %wide.tiles.body ]
  %goes.on = icmp sge i32 %tiles.left, 1
  br i1 %goes.on, label %wide.tiles.body, label %wide.tiles.last

wide.tiles.body:
  %wide.2 = zext i32 %lane to i64
  %wide.3 = sext i32 %tiles.left to i64
  %offset.2 = mul i64 %wide.2, 16
  %offset.3 = mul i64 %wide.3, 1024
  %at.4 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.2
  %at.5 = getelementptr i8, ptr addrspace(1) %at.4, i64 %offset.3
  %at.6 = getelementptr i8, ptr addrspace(1) %at.5, i64 -512
  %loaded.2 = load <4 x i32>, ptr addrspace(1) %at.6, align 16, !invariant.load !0
  %element.8 = extractelement <4 x i32> %loaded.2, i32 0
  %element.9 = extractelement <4 x i32> %loaded.2, i32 1
  %element.10 = extractelement <4 x i32> %loaded.2, i32 2
  %element.11 = extractelement <4 x i32> %loaded.2, i32 3
  %at.7 = getelementptr i8, ptr addrspace(1) %at.5, i64 -1024
  %loaded.3 = load <4 x i32>, ptr addrspace(1) %at.7, align 16, !invariant.load !0
  %element.12 = extractelement <4 x i32> %loaded.3, i32 0
  %element.13 = extractelement <4 x i32> %loaded.3, i32 1
  %element.14 = extractelement <4 x i32> %loaded.3, i32 2
  %element.15 = extractelement <4 x i32> %loaded.3, i32 3
  %total.12 = add i32 %total.11, %element.11
  %total.13 = add i32 %total.10, %element.10
  %total.14 = add i32 %total.9, %element.9
  %total.15 = add i32 %total.8, %element.8
  %total.16 = add i32 %total.12, %element.15
  %total.17 = add i32 %total.13, %element.14
  %total.18 = add i32 %total.14, %element.13
  %total.19 = add i32 %total.15, %element.12
  %next.1 = sub i32 %tiles.left, %grid.warps
  br label %wide.tiles, !llvm.loop !4

wide.tiles.last:
  %total.total = add i32 %total.8, %total.9
  %total.total.1 = add i32 %total.total, %total.10
  %total.total.2 = add i32 %total.total.1, %total.11
  br label %wide.tiles.end

wide.tiles.end:
  %total.20 = phi i32 [ 0, %aligned ], [ %total.total.2, %wide.tiles.last ]
  br label %whole

unaligned:
  %is.idle.1 = icmp slt i32 %first, 1
  br i1 %is.idle.1, label %narrow.tiles.end, label %narrow.first, !prof !5

narrow.first:
  %wide.4 = zext i32 %lane to i64
  %wide.5 = sext i32 %first to i64
  %offset.4 = mul i64 %wide.4, 16
  %offset.5 = mul i64 %wide.5, 1024
  %at.8 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.4
  %at.9 = getelementptr i8, ptr addrspace(1) %at.8, i64 %offset.5
  %at.10 = getelementptr i8, ptr addrspace(1) %at.9, i64 -512
  %element.16 = load i32, ptr addrspace(1) %at.10, align 4, !invariant.load !0
  %at.11 = getelementptr i8, ptr addrspace(1) %at.9, i64 -508
  %element.17 = load i32, ptr addrspace(1) %at.11, align 4, !invariant.load !0
  %at.12 = getelementptr i8, ptr addrspace(1) %at.9, i64 -504
  %element.18 = load i32, ptr addrspace(1) %at.12, align 4, !invariant.load !0
  %at.13 = getelementptr i8, ptr addrspace(1) %at.9, i64 -500
  %element.19 = load i32, ptr addrspace(1) %at.13, align 4, !invariant.load !0
  %at.14 = getelementptr i8, ptr addrspace(1) %at.9, i64 -1024
  %element.20 = load i32, ptr addrspace(1) %at.14, align 4, !invariant.load !0
  %at.15 = getelementptr i8, ptr addrspace(1) %at.9, i64 -1020
  %element.21 = load i32, ptr addrspace(1) %at.15, align 4, !invariant.load !0
  %at.16 = getelementptr i8, ptr addrspace(1) %at.9, i64 -1016
  %element.22 = load i32, ptr addrspace(1) %at.16, align 4, !invariant.load !0
  %at.17 = getelementptr i8, ptr addrspace(1) %at.9, i64 -1012
  %element.23 = load i32, ptr addrspace(1) %at.17, align 4, !invariant.load !0
  %total.21 = add i32 0, %element.19
  %total.22 = add i32 0, %element.18
  %total.23 = add i32 0, %element.17
  %total.24 = add i32 0, %element.16
  %total.25 = add i32 %total.21, %element.23
  %total.26 = add i32 %total.22, %element.22
  %total.27 = add i32 %total.23, %element.21
  %total.28 = add i32 %total.24, %element.20
  %next.2 = sub i32 %first, %grid.warps
  br label %narrow.tiles

narrow.tiles:
  %tiles.left.1 = phi i32 [ %next.2, %narrow.first ], [ %next.3, %narrow.tiles.body ]
  %total.29 = phi i32 [ %total.28, %narrow.first ], [ %total.40, %narrow.tiles.body ]
  %total.30 = phi i32 [ %total.27, %narrow.first ], [ %total.39, %narrow.tiles.body ]
  %total.31 = phi i32 [ %total.26, %narrow.first ], [ %total.38, %narrow.tiles.body ]
  %total.32 = phi i32 [ %total.25, %narrow.first ], [ %total.37, %narrow.tiles.body ]
  %goes.on.1 = icmp sge i32 %tiles.left.1, 1
  br i1 %goes.on.1, label %narrow.tiles.body, label %narrow.tiles.last

narrow.tiles.body:
  %wide.6 = zext i32 %lane to i64
  %wide.7 = sext i32 %tiles.left.1 to i64
  %offset.6 = mul i64 %wide.6, 16
  %offset.7 = mul i64 %wide.7, 1024
  %at.18 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.6
  %at.19 = getelementptr i8, ptr addrspace(1) %at.18, i64 %offset.7
  %at.20 = getelementptr i8, ptr addrspace(1) %at.19, i64 -512
  %element.24 = load i32, ptr addrspace(1) %at.20, align 4, !invariant.load !0
  %at.21 = getelementptr i8, ptr addrspace(1) %at.19, i64 -508
  %element.25 = load i32, ptr addrspace(1) %at.21, align 4, !invariant.load !0
  %at.22 = getelementptr i8, ptr addrspace(1) %at.19, i64 -504
  %element.26 = load i32, ptr addrspace(1) %at.22, align 4, !invariant.load !0
  %at.23 = getelementptr i8, ptr addrspace(1) %at.19, i64 -500
  %element.27 = load i32, ptr addrspace(1) %at.23, align 4, !invariant.load !0
  %at.24 = getelementptr i8, ptr addrspace(1) %at.19, i64 -1024
  %element.28 = load i32, ptr addrspace(1) %at.24, align 4, !invariant.load !0
  %at.25 = getelementptr i8, ptr addrspace(1) %at.19, i64 -1020
  %element.29 = load i32, ptr addrspace(1) %at.25, align 4, !invariant.load !0
  %at.26 = getelementptr i8, ptr addrspace(1) %at.19, i64 -1016
  %element.30 = load i32, ptr addrspace(1) %at.26, align 4, !invariant.load !0
  %at.27 = getelementptr i8, ptr addrspace(1) %at.19, i64 -1012
  %element.31 = load i32, ptr addrspace(1) %at.27, align 4, !invariant.load !0
  %total.33 = add i32 %total.32, %element.27
  %total.34 = add i32 %total.31, %element.26
  %total.35 = add i32 %total.30, %element.25
  %total.36 = add i32 %total.29, %element.24
  %total.37 = add i32 %total.33, %element.31
  %total.38 = add i32 %total.34, %element.30
  %total.39 = add i32 %total.35, %element.29
  %total.40 = add i32 %total.36, %element.28
  %next.3 = sub i32 %tiles.left.1, %grid.warps
  br label %narrow.tiles, !llvm.loop !7

narrow.tiles.last:
  %total.total.3 = add i32 %total.29, %total.30
  %total.total.4 = add i32 %total.total.3, %total.31
  %total.total.5 = add i32 %total.total.4, %total.32
  br label %narrow.tiles.end

narrow.tiles.end:
  %total.41 = phi i32 [ 0, %unaligned ], [ %total.total.5, %narrow.tiles.last ]
  br label %whole

whole:
  %total.42 = phi i32 [ %total.20, %wide.tiles.end ], [ %total.41, %narrow.tiles.end ]
  %has.tail = icmp ult i32 %grid.thread, %narrow.1
  br i1 %has.tail, label %tail.some, label %tail.end, !prof !8

tail.some:
  %are.few = icmp ult i32 %grid.threads, 256
  %step = select i1 %are.few, i32 %grid.threads, i32 256
  %wide.8 = zext i32 %narrow.1 to i64
  %tiled = sub i64 %n, %wide.8
  %offset.8 = mul i64 %tiled, 4
  %at.28 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.8
  br label %tail

tail:
  %element.number = phi i32 [ %grid.thread, %tail.some ], [ %next.4, %following ]
  %total.43 = phi i32 [ %total.42, %tail.some ], [ %total.45, %following ]
  %goes.on.2 = icmp ult i32 %element.number, %narrow.1
  br i1 %goes.on.2, label %tail.body, label %tail.end

tail.body:
  %exists = icmp ult i32 %element.number, %narrow.1
  %wide.9 = zext i32 %element.number to i64
  br i1 %exists, label %element.32, label %element.end

element.32:
  %at.29 = getelementptr inbounds i32, ptr addrspace(1) %at.28, i64 %wide.9
  %element.33 = load i32, ptr addrspace(1) %at.29, align 4, !invariant.load !0
  br label %element.end

element.end:
  %element.34 = phi i32 [ %element.33, %element.32 ], [ 0, %tail.body ]
  %next.4 = add i32 %element.number, %step
  br i1 %exists, label %one, label %following

one:
  %total.44 = add i32 %total.43, %element.34
  br label %following

following:
  %total.45 = phi i32 [ %total.44, %one ], [ %total.43, %element.end ]
  br label %tail, !llvm.loop !10

tail.end:
  %total.46 = phi i32 [ %total.42, %whole ], [ %total.43, %tail ]
  %total.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %total.private = load ptr, ptr %total.entry, align 8
  store i32 %total.46, ptr %total.private, align 4
  ret void
}

define ptx_kernel void @warpfold_reduce(i64 %n, i64 %first, ptr addrspace(1) align 16 %workspace, ptr addrspace(1) align 4 %result, ptr addrspace(1) noalias readonly align 4 %array0) convergent mustprogress nounwind "nvvm.maxntid"="256" {
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
  %private = alloca %warpfold.record, align 4
  %list = alloca [1 x ptr], align 8
  %total.member = getelementptr inbounds %warpfold.record, ptr %private, i64 0, i32 0
  %total.entry = getelementptr inbounds ptr, ptr %list, i64 0
  store ptr %total.member, ptr %total.entry, align 8
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

define ptx_kernel void @warpfold_partial(i64 %n, i64 %first, ptr addrspace(1) align 16 %workspace, ptr addrspace(1) noalias readonly align 4 %array0) convergent mustprogress nounwind "nvvm.maxntid"="256" {
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
  %private = alloca %warpfold.record, align 4
  %list = alloca [1 x ptr], align 8
  %total.member = getelementptr inbounds %warpfold.record, ptr %private, i64 0, i32 0
  %total.entry = getelementptr inbounds ptr, ptr %list, i64 0
  store ptr %total.member, ptr %total.entry, align 8
  call void @warpfold_accumulate(ptr %list, i64 %n, i64 %first, ptr addrspace(1) %array0)
  %generic = addrspacecast ptr addrspace(1) %workspace to ptr
  call void @__warpfold_grid_store(ptr %generic, ptr %list, ptr @warpfold_shuffle_and_reduce, ptr @warpfold_inter_warp_copy, ptr @warpfold_list_to_global_copy)
  ret void
}

define ptx_kernel void @warpfold_finalize(ptr addrspace(1) align 16 %workspace, i32 %num_slots, ptr addrspace(1) align 4 %result) convergent mustprogress nounwind "nvvm.maxntid"="256" {
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
  %private = alloca %warpfold.record, align 4
  %list = alloca [1 x ptr], align 8
  %total.member = getelementptr inbounds %warpfold.record, ptr %private, i64 0, i32 0
  %total.entry = getelementptr inbounds ptr, ptr %list, i64 0
  store ptr %total.member, ptr %total.entry, align 8
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

declare i32 @__nvvm_reflect(ptr)
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
declare i32 @llvm.nvvm.redux.sync.add(i32, i32)
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
