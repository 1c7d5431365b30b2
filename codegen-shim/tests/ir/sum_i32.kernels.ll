; total: i32 sum of array 0
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%warpfold.record = type { i32 }
@warpfold_inter_warp_buffers = internal addrspace(3) global [32 x [4 x i8]] poison, align 16

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
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
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
define internal void @warpfold_accumulate(ptr %list, i64 %n, i64 %first.index, ptr addrspace(1) noalias readonly align 4 %array0) alwaysinline mustprogress nounwind willreturn {
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
  %groups = lshr i64 %n, 2
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
  br label %wide.tiles

wide.tiles:
  %counter = phi i64 [ %step, %aligned ], [ %next, %wide.tiles.body ]
  %pointer0 = phi ptr addrspace(1) [ %at, %aligned ], [ %at.3, %wide.tiles.body ]
  %total = phi i32 [ 0, %aligned ], [ %total.8, %wide.tiles.body ]
  %total.1 = phi i32 [ 0, %aligned ], [ %total.9, %wide.tiles.body ]
  %total.2 = phi i32 [ 0, %aligned ], [ %total.10, %wide.tiles.body ]
  %total.3 = phi i32 [ 0, %aligned ], [ %total.11, %wide.tiles.body ]
  %goes.on = icmp ult i64 %counter, %limit
  br i1 %goes.on, label %wide.tiles.body, label %wide.tiles.end

wide.tiles.body:
  %at.1 = getelementptr i8, ptr addrspace(1) %pointer0, i64 0
  %loaded = load <4 x i32>, ptr addrspace(1) %at.1, align 16, !invariant.load !0
  %element = extractelement <4 x i32> %loaded, i32 0
  %element.1 = extractelement <4 x i32> %loaded, i32 1
  %element.2 = extractelement <4 x i32> %loaded, i32 2
  %element.3 = extractelement <4 x i32> %loaded, i32 3
  %at.2 = getelementptr i8, ptr addrspace(1) %pointer0, i64 512
  %loaded.1 = load <4 x i32>, ptr addrspace(1) %at.2, align 16, !invariant.load !0
  %element.4 = extractelement <4 x i32> %loaded.1, i32 0
  %element.5 = extractelement <4 x i32> %loaded.1, i32 1
  %element.6 = extractelement <4 x i32> %loaded.1, i32 2
  %element.7 = extractelement <4 x i32> %loaded.1, i32 3
  %total.4 = add i32 %total, %element
  %total.5 = add i32 %total.1, %element.1
  %total.6 = add i32 %total.2, %element.2
  %total.7 = add i32 %total.3, %element.3
  %total.8 = add i32 %total.4, %element.4
  %total.9 = add i32 %total.5, %element.5
  %total.10 = add i32 %total.6, %element.6
  %total.11 = add i32 %total.7, %element.7
  %at.3 = getelementptr i8, ptr addrspace(1) %pointer0, i64 %stride
  %next = add i64 %counter, %step
  br label %wide.tiles, !llvm.loop !2

wide.tiles.end:
  %taken = sub i64 %counter, %step
  %first = add i64 %taken, %grid.thread
  %offset.1 = mul i64 %first, 16
  %at.4 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.1
  %stride.1 = mul i64 %grid.threads, 16
  br label %wide.rest

wide.rest:
  %counter.1 = phi i64 [ %first, %wide.tiles.end ], [ %next.1, %wide.rest.body ]
  %pointer0.1 = phi ptr addrspace(1) [ %at.4, %wide.tiles.end ], [ %at.6, %wide.rest.body ]
  %total.12 = phi i32 [ %total, %wide.tiles.end ], [ %total.16, %wide.rest.body ]
  %total.13 = phi i32 [ %total.1, %wide.tiles.end ], [ %total.17, %wide.rest.body ]
  %total.14 = phi i32 [ %total.2, %wide.tiles.end ], [ %total.18, %wide.rest.body ]
  %total.15 = phi i32 [ %total.3, %wide.tiles.end ], [ %total.19, %wide.rest.body ]
  %goes.on.1 = icmp ult i64 %counter.1, %groups
  br i1 %goes.on.1, label %wide.rest.body, label %wide.rest.end

wide.rest.body:
  %at.5 = getelementptr i8, ptr addrspace(1) %pointer0.1, i64 0
  %loaded.2 = load <4 x i32>, ptr addrspace(1) %at.5, align 16, !invariant.load !0
  %element.8 = extractelement <4 x i32> %loaded.2, i32 0
  %element.9 = extractelement <4 x i32> %loaded.2, i32 1
  %element.10 = extractelement <4 x i32> %loaded.2, i32 2
  %element.11 = extractelement <4 x i32> %loaded.2, i32 3
  %total.16 = add i32 %total.12, %element.8
  %total.17 = add i32 %total.13, %element.9
  %total.18 = add i32 %total.14, %element.10
  %total.19 = add i32 %total.15, %element.11
  %at.6 = getelementptr i8, ptr addrspace(1) %pointer0.1, i64 %stride.1
  %next.1 = add i64 %counter.1, %grid.threads
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
  br label %narrow.tiles

narrow.tiles:
  %counter.2 = phi i64 [ %step.1, %unaligned ], [ %next.2, %narrow.tiles.body ]
  %pointer0.2 = phi ptr addrspace(1) [ %at.7, %unaligned ], [ %at.16, %narrow.tiles.body ]
  %total.20 = phi i32 [ 0, %unaligned ], [ %total.28, %narrow.tiles.body ]
  %total.21 = phi i32 [ 0, %unaligned ], [ %total.29, %narrow.tiles.body ]
  %total.22 = phi i32 [ 0, %unaligned ], [ %total.30, %narrow.tiles.body ]
  %total.23 = phi i32 [ 0, %unaligned ], [ %total.31, %narrow.tiles.body ]
  %goes.on.2 = icmp ult i64 %counter.2, %limit.1
  br i1 %goes.on.2, label %narrow.tiles.body, label %narrow.tiles.end

narrow.tiles.body:
  %at.8 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 0
  %element.12 = load i32, ptr addrspace(1) %at.8, align 4, !invariant.load !0
  %at.9 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 4
  %element.13 = load i32, ptr addrspace(1) %at.9, align 4, !invariant.load !0
  %at.10 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 8
  %element.14 = load i32, ptr addrspace(1) %at.10, align 4, !invariant.load !0
  %at.11 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 12
  %element.15 = load i32, ptr addrspace(1) %at.11, align 4, !invariant.load !0
  %at.12 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 512
  %element.16 = load i32, ptr addrspace(1) %at.12, align 4, !invariant.load !0
  %at.13 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 516
  %element.17 = load i32, ptr addrspace(1) %at.13, align 4, !invariant.load !0
  %at.14 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 520
  %element.18 = load i32, ptr addrspace(1) %at.14, align 4, !invariant.load !0
  %at.15 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 524
  %element.19 = load i32, ptr addrspace(1) %at.15, align 4, !invariant.load !0
  %total.24 = add i32 %total.20, %element.12
  %total.25 = add i32 %total.21, %element.13
  %total.26 = add i32 %total.22, %element.14
  %total.27 = add i32 %total.23, %element.15
  %total.28 = add i32 %total.24, %element.16
  %total.29 = add i32 %total.25, %element.17
  %total.30 = add i32 %total.26, %element.18
  %total.31 = add i32 %total.27, %element.19
  %at.16 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 %stride.2
  %next.2 = add i64 %counter.2, %step.1
  br label %narrow.tiles, !llvm.loop !6

narrow.tiles.end:
  %taken.1 = sub i64 %counter.2, %step.1
  %first.1 = add i64 %taken.1, %grid.thread
  %offset.3 = mul i64 %first.1, 16
  %at.17 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.3
  %stride.3 = mul i64 %grid.threads, 16
  br label %narrow.rest

narrow.rest:
  %counter.3 = phi i64 [ %first.1, %narrow.tiles.end ], [ %next.3, %narrow.rest.body ]
  %pointer0.3 = phi ptr addrspace(1) [ %at.17, %narrow.tiles.end ], [ %at.22, %narrow.rest.body ]
  %total.32 = phi i32 [ %total.20, %narrow.tiles.end ], [ %total.36, %narrow.rest.body ]
  %total.33 = phi i32 [ %total.21, %narrow.tiles.end ], [ %total.37, %narrow.rest.body ]
  %total.34 = phi i32 [ %total.22, %narrow.tiles.end ], [ %total.38, %narrow.rest.body ]
  %total.35 = phi i32 [ %total.23, %narrow.tiles.end ], [ %total.39, %narrow.rest.body ]
  %goes.on.3 = icmp ult i64 %counter.3, %groups
  br i1 %goes.on.3, label %narrow.rest.body, label %narrow.rest.end

narrow.rest.body:
  %at.18 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 0
  %element.20 = load i32, ptr addrspace(1) %at.18, align 4, !invariant.load !0
  %at.19 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 4
  %element.21 = load i32, ptr addrspace(1) %at.19, align 4, !invariant.load !0
  %at.20 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 8
  %element.22 = load i32, ptr addrspace(1) %at.20, align 4, !invariant.load !0
  %at.21 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 12
  %element.23 = load i32, ptr addrspace(1) %at.21, align 4, !invariant.load !0
  %total.36 = add i32 %total.32, %element.20
  %total.37 = add i32 %total.33, %element.21
  %total.38 = add i32 %total.34, %element.22
  %total.39 = add i32 %total.35, %element.23
  %at.22 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 %stride.3
  %next.3 = add i64 %counter.3, %grid.threads
  br label %narrow.rest, !llvm.loop !8

narrow.rest.end:
  br label %whole

whole:
  %total.40 = phi i32 [ %total.12, %wide.rest.end ], [ %total.32, %narrow.rest.end ]
  %total.41 = phi i32 [ %total.13, %wide.rest.end ], [ %total.33, %narrow.rest.end ]
  %total.42 = phi i32 [ %total.14, %wide.rest.end ], [ %total.34, %narrow.rest.end ]
  %total.43 = phi i32 [ %total.15, %wide.rest.end ], [ %total.35, %narrow.rest.end ]
  %total.total = add i32 %total.40, %total.41
  %total.total.1 = add i32 %total.total, %total.42
  %total.total.2 = add i32 %total.total.1, %total.43
  %grouped = mul i64 %groups, 4
  %first.2 = add i64 %grouped, %grid.thread
  br label %tail

tail:
  %index = phi i64 [ %first.2, %whole ], [ %next.4, %tail.body ]
  %total.44 = phi i32 [ %total.total.2, %whole ], [ %total.45, %tail.body ]
  %goes.on.4 = icmp ult i64 %index, %n
  br i1 %goes.on.4, label %tail.body, label %tail.end

tail.body:
  %at.23 = getelementptr inbounds i32, ptr addrspace(1) %array0, i64 %index
  %element.24 = load i32, ptr addrspace(1) %at.23, align 4, !invariant.load !0
  %total.45 = add i32 %total.44, %element.24
  %next.4 = add i64 %index, %grid.threads
  br label %tail, !llvm.loop !10

tail.end:
  %total.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %total.private = load ptr, ptr %total.entry, align 8
  store i32 %total.44, ptr %total.private, align 4
  ret void
}

define ptx_kernel void @warpfold_reduce(i64 %n, i64 %first, ptr addrspace(1) align 16 %workspace, ptr addrspace(1) align 4 %result, ptr addrspace(1) noalias readonly align 4 %array0) convergent mustprogress nounwind "nvvm.maxntid"="256" {
entry:
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
