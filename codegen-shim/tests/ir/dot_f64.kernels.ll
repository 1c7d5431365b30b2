; dot: f64 sum of array 0 * array 1
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%warpfold.record = type { double }
@warpfold_inter_warp_buffers = internal addrspace(3) global [32 x [8 x i8]] poison, align 16

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
  %dot.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %dot.private = load ptr, ptr %dot.entry, align 8
  %dot.own = load double, ptr %dot.private, align 8
  %words = bitcast double %dot.own to <2 x i32>
  %word = extractelement <2 x i32> %words, i32 0
  %word.1 = extractelement <2 x i32> %words, i32 1
  %shuffled = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %word, i32 %delta, i32 31)
  %shuffled.1 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %word.1, i32 %delta, i32 31)
  %words.1 = insertelement <2 x i32> poison, i32 %shuffled, i32 0
  %words.2 = insertelement <2 x i32> %words.1, i32 %shuffled.1, i32 1
  %remote = bitcast <2 x i32> %words.2 to double
  %dot.kept = select i1 %copies, double %remote, double %dot.own
  %dot.combined = fadd double %dot.own, %remote
  %dot.next = select i1 %reduces, double %dot.combined, double %dot.kept
  store double %dot.next, ptr %dot.private, align 8
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
  %dot.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %dot.private = load ptr, ptr %dot.entry, align 8
  %dot.own = load double, ptr %dot.private, align 8
  %words = bitcast double %dot.own to <2 x i32>
  %word = extractelement <2 x i32> %words, i32 0
  %word.1 = extractelement <2 x i32> %words, i32 1
  %shuffled = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %word, i32 %delta, i32 31)
  %shuffled.1 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %word.1, i32 %delta, i32 31)
  %words.1 = insertelement <2 x i32> poison, i32 %shuffled, i32 0
  %words.2 = insertelement <2 x i32> %words.1, i32 %shuffled.1, i32 1
  %remote = bitcast <2 x i32> %words.2 to double
  %dot.combined = fadd double %dot.own, %remote
  %dot.next = select i1 %reduces, double %dot.combined, double %dot.own
  store double %dot.next, ptr %dot.private, align 8
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

define internal void @warpfold_list_to_global_copy(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %dot.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %dot.private = load ptr, ptr %dot.entry, align 8
  %dot.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %dot.given = load double, ptr %dot.private, align 8
  store double %dot.given, ptr %dot.member, align 8
  ret void
}

define internal void @warpfold_list_to_global_reduce(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
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

define internal void @warpfold_global_to_list_copy(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %dot.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %dot.private = load ptr, ptr %dot.entry, align 8
  %dot.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %dot.given = load double, ptr %dot.member, align 8
  store double %dot.given, ptr %dot.private, align 8
  ret void
}

define internal void @warpfold_global_to_list_reduce(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
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

define internal void @warpfold_initialize(ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %dot.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %dot.private = load ptr, ptr %dot.entry, align 8
  store double -0.0, ptr %dot.private, align 8
  ret void
}

; The thread's share of n elements, reduced into its private copies.
define internal void @warpfold_accumulate(ptr %list, i64 %n, i64 %first.index, ptr addrspace(1) noalias readonly align 8 %array0, ptr addrspace(1) noalias readonly align 8 %array1) alwaysinline mustprogress nounwind willreturn {
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
  %groups = lshr i64 %n, 1
  %address = ptrtoint ptr addrspace(1) %array0 to i64
  %bits = or i64 0, %address
  %address.1 = ptrtoint ptr addrspace(1) %array1 to i64
  %bits.1 = or i64 %bits, %address.1
  %low = and i64 %bits.1, 15
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
  %offset.1 = mul i64 %in.tile, 16
  %at.1 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.1
  %stride.1 = mul i64 %step, 16
  br label %wide.tiles

wide.tiles:
  %counter = phi i64 [ %step, %aligned ], [ %next, %wide.tiles.body ]
  %pointer0 = phi ptr addrspace(1) [ %at, %aligned ], [ %at.6, %wide.tiles.body ]
  %pointer1 = phi ptr addrspace(1) [ %at.1, %aligned ], [ %at.7, %wide.tiles.body ]
  %dot = phi double [ -0.0, %aligned ], [ %dot.4, %wide.tiles.body ]
  %dot.1 = phi double [ -0.0, %aligned ], [ %dot.5, %wide.tiles.body ]
  %goes.on = icmp ult i64 %counter, %limit
  br i1 %goes.on, label %wide.tiles.body, label %wide.tiles.end

wide.tiles.body:
  %at.2 = getelementptr i8, ptr addrspace(1) %pointer0, i64 0
  %loaded = load <2 x double>, ptr addrspace(1) %at.2, align 16, !invariant.load !0
  %element = extractelement <2 x double> %loaded, i32 0
  %element.1 = extractelement <2 x double> %loaded, i32 1
  %at.3 = getelementptr i8, ptr addrspace(1) %pointer1, i64 0
  %loaded.1 = load <2 x double>, ptr addrspace(1) %at.3, align 16, !invariant.load !0
  %element.2 = extractelement <2 x double> %loaded.1, i32 0
  %element.3 = extractelement <2 x double> %loaded.1, i32 1
  %at.4 = getelementptr i8, ptr addrspace(1) %pointer0, i64 512
  %loaded.2 = load <2 x double>, ptr addrspace(1) %at.4, align 16, !invariant.load !0
  %element.4 = extractelement <2 x double> %loaded.2, i32 0
  %element.5 = extractelement <2 x double> %loaded.2, i32 1
  %at.5 = getelementptr i8, ptr addrspace(1) %pointer1, i64 512
  %loaded.3 = load <2 x double>, ptr addrspace(1) %at.5, align 16, !invariant.load !0
  %element.6 = extractelement <2 x double> %loaded.3, i32 0
  %element.7 = extractelement <2 x double> %loaded.3, i32 1
  %dot.2 = call double @llvm.fma.f64(double %element, double %element.2, double %dot)
  %dot.3 = call double @llvm.fma.f64(double %element.1, double %element.3, double %dot.1)
  %dot.4 = call double @llvm.fma.f64(double %element.4, double %element.6, double %dot.2)
  %dot.5 = call double @llvm.fma.f64(double %element.5, double %element.7, double %dot.3)
  %at.6 = getelementptr i8, ptr addrspace(1) %pointer0, i64 %stride
  %at.7 = getelementptr i8, ptr addrspace(1) %pointer1, i64 %stride.1
  %next = add i64 %counter, %step
  br label %wide.tiles, !llvm.loop !2

wide.tiles.end:
  %taken = sub i64 %counter, %step
  %first = add i64 %taken, %grid.thread
  %offset.2 = mul i64 %first, 16
  %at.8 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.2
  %stride.2 = mul i64 %grid.threads, 16
  %offset.3 = mul i64 %first, 16
  %at.9 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.3
  %stride.3 = mul i64 %grid.threads, 16
  br label %wide.rest

wide.rest:
  %counter.1 = phi i64 [ %first, %wide.tiles.end ], [ %next.1, %wide.rest.body ]
  %pointer0.1 = phi ptr addrspace(1) [ %at.8, %wide.tiles.end ], [ %at.12, %wide.rest.body ]
  %pointer1.1 = phi ptr addrspace(1) [ %at.9, %wide.tiles.end ], [ %at.13, %wide.rest.body ]
  %dot.6 = phi double [ %dot, %wide.tiles.end ], [ %dot.8, %wide.rest.body ]
  %dot.7 = phi double [ %dot.1, %wide.tiles.end ], [ %dot.9, %wide.rest.body ]
  %goes.on.1 = icmp ult i64 %counter.1, %groups
  br i1 %goes.on.1, label %wide.rest.body, label %wide.rest.end

wide.rest.body:
  %at.10 = getelementptr i8, ptr addrspace(1) %pointer0.1, i64 0
  %loaded.4 = load <2 x double>, ptr addrspace(1) %at.10, align 16, !invariant.load !0
  %element.8 = extractelement <2 x double> %loaded.4, i32 0
  %element.9 = extractelement <2 x double> %loaded.4, i32 1
  %at.11 = getelementptr i8, ptr addrspace(1) %pointer1.1, i64 0
  %loaded.5 = load <2 x double>, ptr addrspace(1) %at.11, align 16, !invariant.load !0
  %element.10 = extractelement <2 x double> %loaded.5, i32 0
  %element.11 = extractelement <2 x double> %loaded.5, i32 1
  %dot.8 = call double @llvm.fma.f64(double %element.8, double %element.10, double %dot.6)
  %dot.9 = call double @llvm.fma.f64(double %element.9, double %element.11, double %dot.7)
  %at.12 = getelementptr i8, ptr addrspace(1) %pointer0.1, i64 %stride.2
  %at.13 = getelementptr i8, ptr addrspace(1) %pointer1.1, i64 %stride.3
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
  %offset.4 = mul i64 %in.tile.1, 16
  %at.14 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.4
  %stride.4 = mul i64 %step.1, 16
  %offset.5 = mul i64 %in.tile.1, 16
  %at.15 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.5
  %stride.5 = mul i64 %step.1, 16
  br label %narrow.tiles

narrow.tiles:
  %counter.2 = phi i64 [ %step.1, %unaligned ], [ %next.2, %narrow.tiles.body ]
  %pointer0.2 = phi ptr addrspace(1) [ %at.14, %unaligned ], [ %at.24, %narrow.tiles.body ]
  %pointer1.2 = phi ptr addrspace(1) [ %at.15, %unaligned ], [ %at.25, %narrow.tiles.body ]
  %dot.10 = phi double [ -0.0, %unaligned ], [ %dot.14, %narrow.tiles.body ]
  %dot.11 = phi double [ -0.0, %unaligned ], [ %dot.15, %narrow.tiles.body ]
  %goes.on.2 = icmp ult i64 %counter.2, %limit.1
  br i1 %goes.on.2, label %narrow.tiles.body, label %narrow.tiles.end

narrow.tiles.body:
  %at.16 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 0
  %element.12 = load double, ptr addrspace(1) %at.16, align 8, !invariant.load !0
  %at.17 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 8
  %element.13 = load double, ptr addrspace(1) %at.17, align 8, !invariant.load !0
  %at.18 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 0
  %element.14 = load double, ptr addrspace(1) %at.18, align 8, !invariant.load !0
  %at.19 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 8
  %element.15 = load double, ptr addrspace(1) %at.19, align 8, !invariant.load !0
  %at.20 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 512
  %element.16 = load double, ptr addrspace(1) %at.20, align 8, !invariant.load !0
  %at.21 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 520
  %element.17 = load double, ptr addrspace(1) %at.21, align 8, !invariant.load !0
  %at.22 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 512
  %element.18 = load double, ptr addrspace(1) %at.22, align 8, !invariant.load !0
  %at.23 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 520
  %element.19 = load double, ptr addrspace(1) %at.23, align 8, !invariant.load !0
  %dot.12 = call double @llvm.fma.f64(double %element.12, double %element.14, double %dot.10)
  %dot.13 = call double @llvm.fma.f64(double %element.13, double %element.15, double %dot.11)
  %dot.14 = call double @llvm.fma.f64(double %element.16, double %element.18, double %dot.12)
  %dot.15 = call double @llvm.fma.f64(double %element.17, double %element.19, double %dot.13)
  %at.24 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 %stride.4
  %at.25 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 %stride.5
  %next.2 = add i64 %counter.2, %step.1
  br label %narrow.tiles, !llvm.loop !6

narrow.tiles.end:
  %taken.1 = sub i64 %counter.2, %step.1
  %first.1 = add i64 %taken.1, %grid.thread
  %offset.6 = mul i64 %first.1, 16
  %at.26 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.6
  %stride.6 = mul i64 %grid.threads, 16
  %offset.7 = mul i64 %first.1, 16
  %at.27 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.7
  %stride.7 = mul i64 %grid.threads, 16
  br label %narrow.rest

narrow.rest:
  %counter.3 = phi i64 [ %first.1, %narrow.tiles.end ], [ %next.3, %narrow.rest.body ]
  %pointer0.3 = phi ptr addrspace(1) [ %at.26, %narrow.tiles.end ], [ %at.32, %narrow.rest.body ]
  %pointer1.3 = phi ptr addrspace(1) [ %at.27, %narrow.tiles.end ], [ %at.33, %narrow.rest.body ]
  %dot.16 = phi double [ %dot.10, %narrow.tiles.end ], [ %dot.18, %narrow.rest.body ]
  %dot.17 = phi double [ %dot.11, %narrow.tiles.end ], [ %dot.19, %narrow.rest.body ]
  %goes.on.3 = icmp ult i64 %counter.3, %groups
  br i1 %goes.on.3, label %narrow.rest.body, label %narrow.rest.end

narrow.rest.body:
  %at.28 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 0
  %element.20 = load double, ptr addrspace(1) %at.28, align 8, !invariant.load !0
  %at.29 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 8
  %element.21 = load double, ptr addrspace(1) %at.29, align 8, !invariant.load !0
  %at.30 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 0
  %element.22 = load double, ptr addrspace(1) %at.30, align 8, !invariant.load !0
  %at.31 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 8
  %element.23 = load double, ptr addrspace(1) %at.31, align 8, !invariant.load !0
  %dot.18 = call double @llvm.fma.f64(double %element.20, double %element.22, double %dot.16)
  %dot.19 = call double @llvm.fma.f64(double %element.21, double %element.23, double %dot.17)
  %at.32 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 %stride.6
  %at.33 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 %stride.7
  %next.3 = add i64 %counter.3, %grid.threads
  br label %narrow.rest, !llvm.loop !8

narrow.rest.end:
  br label %whole

whole:
  %dot.20 = phi double [ %dot.6, %wide.rest.end ], [ %dot.16, %narrow.rest.end ]
  %dot.21 = phi double [ %dot.7, %wide.rest.end ], [ %dot.17, %narrow.rest.end ]
  %dot.total = fadd double %dot.20, %dot.21
  %grouped = mul i64 %groups, 2
  %first.2 = add i64 %grouped, %grid.thread
  br label %tail

tail:
  %index = phi i64 [ %first.2, %whole ], [ %next.4, %tail.body ]
  %dot.22 = phi double [ %dot.total, %whole ], [ %dot.23, %tail.body ]
  %goes.on.4 = icmp ult i64 %index, %n
  br i1 %goes.on.4, label %tail.body, label %tail.end

tail.body:
  %at.34 = getelementptr inbounds double, ptr addrspace(1) %array0, i64 %index
  %element.24 = load double, ptr addrspace(1) %at.34, align 8, !invariant.load !0
  %at.35 = getelementptr inbounds double, ptr addrspace(1) %array1, i64 %index
  %element.25 = load double, ptr addrspace(1) %at.35, align 8, !invariant.load !0
  %dot.23 = call double @llvm.fma.f64(double %element.24, double %element.25, double %dot.22)
  %next.4 = add i64 %index, %grid.threads
  br label %tail, !llvm.loop !10

tail.end:
  %dot.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %dot.private = load ptr, ptr %dot.entry, align 8
  store double %dot.22, ptr %dot.private, align 8
  ret void
}

define ptx_kernel void @warpfold_reduce(i64 %n, i64 %first, ptr addrspace(1) align 16 %workspace, ptr addrspace(1) align 8 %result, ptr addrspace(1) noalias readonly align 8 %array0, ptr addrspace(1) noalias readonly align 8 %array1) convergent mustprogress nounwind "nvvm.maxntid"="256" {
entry:
  %private = alloca %warpfold.record, align 8
  %list = alloca [1 x ptr], align 8
  %dot.member = getelementptr inbounds %warpfold.record, ptr %private, i64 0, i32 0
  %dot.entry = getelementptr inbounds ptr, ptr %list, i64 0
  store ptr %dot.member, ptr %dot.entry, align 8
  call void @warpfold_accumulate(ptr %list, i64 %n, i64 %first, ptr addrspace(1) %array0, ptr addrspace(1) %array1)
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

define ptx_kernel void @warpfold_partial(i64 %n, i64 %first, ptr addrspace(1) align 16 %workspace, ptr addrspace(1) noalias readonly align 8 %array0, ptr addrspace(1) noalias readonly align 8 %array1) convergent mustprogress nounwind "nvvm.maxntid"="256" {
entry:
  %private = alloca %warpfold.record, align 8
  %list = alloca [1 x ptr], align 8
  %dot.member = getelementptr inbounds %warpfold.record, ptr %private, i64 0, i32 0
  %dot.entry = getelementptr inbounds ptr, ptr %list, i64 0
  store ptr %dot.member, ptr %dot.entry, align 8
  call void @warpfold_accumulate(ptr %list, i64 %n, i64 %first, ptr addrspace(1) %array0, ptr addrspace(1) %array1)
  %generic = addrspacecast ptr addrspace(1) %workspace to ptr
  call void @__warpfold_grid_store(ptr %generic, ptr %list, ptr @warpfold_shuffle_and_reduce, ptr @warpfold_inter_warp_copy, ptr @warpfold_list_to_global_copy)
  ret void
}

define ptx_kernel void @warpfold_finalize(ptr addrspace(1) align 16 %workspace, i32 %num_slots, ptr addrspace(1) align 8 %result) convergent mustprogress nounwind "nvvm.maxntid"="256" {
entry:
  %private = alloca %warpfold.record, align 8
  %list = alloca [1 x ptr], align 8
  %dot.member = getelementptr inbounds %warpfold.record, ptr %private, i64 0, i32 0
  %dot.entry = getelementptr inbounds ptr, ptr %list, i64 0
  store ptr %dot.member, ptr %dot.entry, align 8
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

declare double @llvm.fma.f64(double, double, double)
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
