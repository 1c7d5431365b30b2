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
  %words.1 = call double @llvm.nvvm.lohi.i2d(i32 %shuffled, i32 %shuffled.1)
  %dot.kept = select i1 %copies, double %words.1, double %dot.own
  %dot.combined = fadd double %dot.own, %words.1
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
  %words.1 = call double @llvm.nvvm.lohi.i2d(i32 %shuffled, i32 %shuffled.1)
  %dot.combined = fadd double %dot.own, %words.1
  %dot.next = select i1 %reduces, double %dot.combined, double %dot.own
  store double %dot.next, ptr %dot.private, align 8
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
define internal void @warpfold_accumulate(ptr %list, i64 %n, i64 %first.index, ptr addrspace(1) noalias readonly align 8 %array0, ptr addrspace(1) noalias readonly align 8 %array1) alwaysinline convergent mustprogress nounwind willreturn {
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
  %tiles = udiv i64 %n, 128
  %narrow = trunc i64 %tiles to i32
  %tiles.1 = urem i64 %n, 128
  %narrow.1 = trunc i64 %tiles.1 to i32
  %first = sub i32 %narrow, %grid.warp
  %address = ptrtoint ptr addrspace(1) %array0 to i64
  %bits = or i64 0, %address
  %address.1 = ptrtoint ptr addrspace(1) %array1 to i64
  %bits.1 = or i64 %bits, %address.1
  %low = and i64 %bits.1, 15
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
  %offset.4 = mul i64 %offset.2, 1
  %at.1 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.4
  %at.2 = getelementptr i8, ptr addrspace(1) %at, i64 -512
  %loaded = load <2 x double>, ptr addrspace(1) %at.2, align 16, !invariant.load !0
  %element = extractelement <2 x double> %loaded, i32 0
  %element.1 = extractelement <2 x double> %loaded, i32 1
  %at.3 = getelementptr i8, ptr addrspace(1) %at.1, i64 -512
  %loaded.1 = load <2 x double>, ptr addrspace(1) %at.3, align 16, !invariant.load !0
  %element.2 = extractelement <2 x double> %loaded.1, i32 0
  %element.3 = extractelement <2 x double> %loaded.1, i32 1
  %at.4 = getelementptr i8, ptr addrspace(1) %at, i64 -1024
  %loaded.2 = load <2 x double>, ptr addrspace(1) %at.4, align 16, !invariant.load !0
  %element.4 = extractelement <2 x double> %loaded.2, i32 0
  %element.5 = extractelement <2 x double> %loaded.2, i32 1
  %at.5 = getelementptr i8, ptr addrspace(1) %at.1, i64 -1024
  %loaded.3 = load <2 x double>, ptr addrspace(1) %at.5, align 16, !invariant.load !0
  %element.6 = extractelement <2 x double> %loaded.3, i32 0
  %element.7 = extractelement <2 x double> %loaded.3, i32 1
  %dot = call double @llvm.fma.f64(double %element.1, double %element.3, double -0.0)
  %dot.1 = call double @llvm.fma.f64(double %element, double %element.2, double -0.0)
  %dot.2 = call double @llvm.fma.f64(double %element.5, double %element.7, double %dot)
  %dot.3 = call double @llvm.fma.f64(double %element.4, double %element.6, double %dot.1)
  %next = sub i32 %first, %grid.warps
  br label %wide.tiles

wide.tiles:
  %tiles.left = phi i32 [ %next, %wide.first ], [ %next.1, %wide.tiles.body ]
  %dot.4 = phi double [ %dot.3, %wide.first ], [ %dot.9, %wide.tiles.body ]
  %dot.5 = phi double [ %dot.2, %wide.first ], [ %dot.8, %wide.tiles.body ]
  %goes.on = icmp sge i32 %tiles.left, 1
  br i1 %goes.on, label %wide.tiles.body, label %wide.tiles.last

wide.tiles.body:
  %wide.2 = zext i32 %lane to i64
  %wide.3 = sext i32 %tiles.left to i64
  %offset.5 = mul i64 %wide.2, 16
  %offset.6 = mul i64 %wide.3, 1024
  %offset.7 = add i64 %offset.5, %offset.6
  %offset.8 = mul i64 %offset.7, 1
  %at.6 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.8
  %offset.9 = mul i64 %offset.7, 1
  %at.7 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.9
  %at.8 = getelementptr i8, ptr addrspace(1) %at.6, i64 -512
  %loaded.4 = load <2 x double>, ptr addrspace(1) %at.8, align 16, !invariant.load !0
  %element.8 = extractelement <2 x double> %loaded.4, i32 0
  %element.9 = extractelement <2 x double> %loaded.4, i32 1
  %at.9 = getelementptr i8, ptr addrspace(1) %at.7, i64 -512
  %loaded.5 = load <2 x double>, ptr addrspace(1) %at.9, align 16, !invariant.load !0
  %element.10 = extractelement <2 x double> %loaded.5, i32 0
  %element.11 = extractelement <2 x double> %loaded.5, i32 1
  %at.10 = getelementptr i8, ptr addrspace(1) %at.6, i64 -1024
  %loaded.6 = load <2 x double>, ptr addrspace(1) %at.10, align 16, !invariant.load !0
  %element.12 = extractelement <2 x double> %loaded.6, i32 0
  %element.13 = extractelement <2 x double> %loaded.6, i32 1
  %at.11 = getelementptr i8, ptr addrspace(1) %at.7, i64 -1024
  %loaded.7 = load <2 x double>, ptr addrspace(1) %at.11, align 16, !invariant.load !0
  %element.14 = extractelement <2 x double> %loaded.7, i32 0
  %element.15 = extractelement <2 x double> %loaded.7, i32 1
  %dot.6 = call double @llvm.fma.f64(double %element.9, double %element.11, double %dot.5)
  %dot.7 = call double @llvm.fma.f64(double %element.8, double %element.10, double %dot.4)
  %dot.8 = call double @llvm.fma.f64(double %element.13, double %element.15, double %dot.6)
  %dot.9 = call double @llvm.fma.f64(double %element.12, double %element.14, double %dot.7)
  %next.1 = sub i32 %tiles.left, %grid.warps
  br label %wide.tiles, !llvm.loop !4

wide.tiles.last:
  %dot.total = fadd double %dot.4, %dot.5
  br label %wide.tiles.end

wide.tiles.end:
  %dot.10 = phi double [ -0.0, %aligned ], [ %dot.total, %wide.tiles.last ]
  br label %whole

unaligned:
  %is.idle.1 = icmp slt i32 %first, 1
  br i1 %is.idle.1, label %narrow.tiles.end, label %narrow.first, !prof !5

narrow.first:
  %wide.4 = zext i32 %lane to i64
  %wide.5 = sext i32 %first to i64
  %offset.10 = mul i64 %wide.4, 16
  %offset.11 = mul i64 %wide.5, 1024
  %offset.12 = add i64 %offset.10, %offset.11
  %offset.13 = mul i64 %offset.12, 1
  %at.12 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.13
  %offset.14 = mul i64 %offset.12, 1
  %at.13 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.14
  %at.14 = getelementptr i8, ptr addrspace(1) %at.12, i64 -512
  %element.16 = load double, ptr addrspace(1) %at.14, align 8, !invariant.load !0
  %at.15 = getelementptr i8, ptr addrspace(1) %at.12, i64 -504
  %element.17 = load double, ptr addrspace(1) %at.15, align 8, !invariant.load !0
  %at.16 = getelementptr i8, ptr addrspace(1) %at.13, i64 -512
  %element.18 = load double, ptr addrspace(1) %at.16, align 8, !invariant.load !0
  %at.17 = getelementptr i8, ptr addrspace(1) %at.13, i64 -504
  %element.19 = load double, ptr addrspace(1) %at.17, align 8, !invariant.load !0
  %at.18 = getelementptr i8, ptr addrspace(1) %at.12, i64 -1024
  %element.20 = load double, ptr addrspace(1) %at.18, align 8, !invariant.load !0
  %at.19 = getelementptr i8, ptr addrspace(1) %at.12, i64 -1016
  %element.21 = load double, ptr addrspace(1) %at.19, align 8, !invariant.load !0
  %at.20 = getelementptr i8, ptr addrspace(1) %at.13, i64 -1024
  %element.22 = load double, ptr addrspace(1) %at.20, align 8, !invariant.load !0
  %at.21 = getelementptr i8, ptr addrspace(1) %at.13, i64 -1016
  %element.23 = load double, ptr addrspace(1) %at.21, align 8, !invariant.load !0
  %dot.11 = call double @llvm.fma.f64(double %element.17, double %element.19, double -0.0)
  %dot.12 = call double @llvm.fma.f64(double %element.16, double %element.18, double -0.0)
  %dot.13 = call double @llvm.fma.f64(double %element.21, double %element.23, double %dot.11)
  %dot.14 = call double @llvm.fma.f64(double %element.20, double %element.22, double %dot.12)
  %next.2 = sub i32 %first, %grid.warps
  br label %narrow.tiles

narrow.tiles:
  %tiles.left.1 = phi i32 [ %next.2, %narrow.first ], [ %next.3, %narrow.tiles.body ]
  %dot.15 = phi double [ %dot.14, %narrow.first ], [ %dot.20, %narrow.tiles.body ]
  %dot.16 = phi double [ %dot.13, %narrow.first ], [ %dot.19, %narrow.tiles.body ]
  %goes.on.1 = icmp sge i32 %tiles.left.1, 1
  br i1 %goes.on.1, label %narrow.tiles.body, label %narrow.tiles.last

narrow.tiles.body:
  %wide.6 = zext i32 %lane to i64
  %wide.7 = sext i32 %tiles.left.1 to i64
  %offset.15 = mul i64 %wide.6, 16
  %offset.16 = mul i64 %wide.7, 1024
  %offset.17 = add i64 %offset.15, %offset.16
  %offset.18 = mul i64 %offset.17, 1
  %at.22 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.18
  %offset.19 = mul i64 %offset.17, 1
  %at.23 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.19
  %at.24 = getelementptr i8, ptr addrspace(1) %at.22, i64 -512
  %element.24 = load double, ptr addrspace(1) %at.24, align 8, !invariant.load !0
  %at.25 = getelementptr i8, ptr addrspace(1) %at.22, i64 -504
  %element.25 = load double, ptr addrspace(1) %at.25, align 8, !invariant.load !0
  %at.26 = getelementptr i8, ptr addrspace(1) %at.23, i64 -512
  %element.26 = load double, ptr addrspace(1) %at.26, align 8, !invariant.load !0
  %at.27 = getelementptr i8, ptr addrspace(1) %at.23, i64 -504
  %element.27 = load double, ptr addrspace(1) %at.27, align 8, !invariant.load !0
  %at.28 = getelementptr i8, ptr addrspace(1) %at.22, i64 -1024
  %element.28 = load double, ptr addrspace(1) %at.28, align 8, !invariant.load !0
  %at.29 = getelementptr i8, ptr addrspace(1) %at.22, i64 -1016
  %element.29 = load double, ptr addrspace(1) %at.29, align 8, !invariant.load !0
  %at.30 = getelementptr i8, ptr addrspace(1) %at.23, i64 -1024
  %element.30 = load double, ptr addrspace(1) %at.30, align 8, !invariant.load !0
  %at.31 = getelementptr i8, ptr addrspace(1) %at.23, i64 -1016
  %element.31 = load double, ptr addrspace(1) %at.31, align 8, !invariant.load !0
  %dot.17 = call double @llvm.fma.f64(double %element.25, double %element.27, double %dot.16)
  %dot.18 = call double @llvm.fma.f64(double %element.24, double %element.26, double %dot.15)
  %dot.19 = call double @llvm.fma.f64(double %element.29, double %element.31, double %dot.17)
  %dot.20 = call double @llvm.fma.f64(double %element.28, double %element.30, double %dot.18)
  %next.3 = sub i32 %tiles.left.1, %grid.warps
  br label %narrow.tiles, !llvm.loop !7

narrow.tiles.last:
  %dot.total.1 = fadd double %dot.15, %dot.16
  br label %narrow.tiles.end

narrow.tiles.end:
  %dot.21 = phi double [ -0.0, %unaligned ], [ %dot.total.1, %narrow.tiles.last ]
  br label %whole

whole:
  %dot.22 = phi double [ %dot.10, %wide.tiles.end ], [ %dot.21, %narrow.tiles.end ]
  %has.tail = icmp ult i32 %grid.thread, %narrow.1
  br i1 %has.tail, label %tail.some, label %tail.end, !prof !8

tail.some:
  %are.few = icmp ult i32 %grid.threads, 128
  %step = select i1 %are.few, i32 %grid.threads, i32 128
  %wide.8 = zext i32 %narrow.1 to i64
  %tiled = sub i64 %n, %wide.8
  %offset.20 = mul i64 %tiled, 8
  %at.32 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.20
  %offset.21 = mul i64 %tiled, 8
  %at.33 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.21
  br label %tail

tail:
  %element.number = phi i32 [ %grid.thread, %tail.some ], [ %next.4, %following ]
  %dot.23 = phi double [ %dot.22, %tail.some ], [ %dot.25, %following ]
  %goes.on.2 = icmp ult i32 %element.number, %narrow.1
  br i1 %goes.on.2, label %tail.body, label %tail.end

tail.body:
  %exists = icmp ult i32 %element.number, %narrow.1
  %wide.9 = zext i32 %element.number to i64
  br i1 %exists, label %element.32, label %element.end

element.32:
  %at.34 = getelementptr inbounds double, ptr addrspace(1) %at.32, i64 %wide.9
  %element.33 = load double, ptr addrspace(1) %at.34, align 8, !invariant.load !0
  %at.35 = getelementptr inbounds double, ptr addrspace(1) %at.33, i64 %wide.9
  %element.34 = load double, ptr addrspace(1) %at.35, align 8, !invariant.load !0
  br label %element.end

element.end:
  %element.35 = phi double [ %element.33, %element.32 ], [ 0.0, %tail.body ]
  %element.36 = phi double [ %element.34, %element.32 ], [ 0.0, %tail.body ]
  %next.4 = add i32 %element.number, %step
  br i1 %exists, label %one, label %following

one:
  %dot.24 = call double @llvm.fma.f64(double %element.35, double %element.36, double %dot.23)
  br label %following

following:
  %dot.25 = phi double [ %dot.24, %one ], [ %dot.23, %element.end ]
  br label %tail, !llvm.loop !10

tail.end:
  %dot.26 = phi double [ %dot.22, %whole ], [ %dot.23, %tail ]
  %dot.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %dot.private = load ptr, ptr %dot.entry, align 8
  store double %dot.26, ptr %dot.private, align 8
  ret void
}

define ptx_kernel void @warpfold_reduce(i64 %n, i64 %first, ptr addrspace(1) align 16 %workspace, ptr addrspace(1) align 8 %result, ptr addrspace(1) noalias readonly align 8 %array0, ptr addrspace(1) noalias readonly align 8 %array1) convergent mustprogress nounwind "nvvm.maxntid"="256" {
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
