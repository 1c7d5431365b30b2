; foo: f64 sum of array 0
; bar: f32 sum of array 1
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%warpfold.record = type { double, float }
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
  %foo.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %foo.private = load ptr, ptr %foo.entry, align 8
  %foo.own = load double, ptr %foo.private, align 8
  %bar.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %bar.private = load ptr, ptr %bar.entry, align 8
  %bar.own = load float, ptr %bar.private, align 4
  %words = bitcast double %foo.own to <2 x i32>
  %word = extractelement <2 x i32> %words, i32 0
  %word.1 = extractelement <2 x i32> %words, i32 1
  %word.2 = bitcast float %bar.own to i32
  %shuffled = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %word, i32 %delta, i32 31)
  %shuffled.1 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %word.1, i32 %delta, i32 31)
  %shuffled.2 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %word.2, i32 %delta, i32 31)
  %words.1 = call double @llvm.nvvm.lohi.i2d(i32 %shuffled, i32 %shuffled.1)
  %remote = bitcast i32 %shuffled.2 to float
  %foo.kept = select i1 %copies, double %words.1, double %foo.own
  %foo.combined = fadd double %foo.own, %words.1
  %foo.next = select i1 %reduces, double %foo.combined, double %foo.kept
  store double %foo.next, ptr %foo.private, align 8
  %bar.kept = select i1 %copies, float %remote, float %bar.own
  %bar.combined = fadd float %bar.own, %remote
  %bar.next = select i1 %reduces, float %bar.combined, float %bar.kept
  store float %bar.next, ptr %bar.private, align 4
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
  %foo.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %foo.private = load ptr, ptr %foo.entry, align 8
  %foo.own = load double, ptr %foo.private, align 8
  %bar.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %bar.private = load ptr, ptr %bar.entry, align 8
  %bar.own = load float, ptr %bar.private, align 4
  %words = bitcast double %foo.own to <2 x i32>
  %word = extractelement <2 x i32> %words, i32 0
  %word.1 = extractelement <2 x i32> %words, i32 1
  %word.2 = bitcast float %bar.own to i32
  %shuffled = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %word, i32 %delta, i32 31)
  %shuffled.1 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %word.1, i32 %delta, i32 31)
  %shuffled.2 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %word.2, i32 %delta, i32 31)
  %words.1 = call double @llvm.nvvm.lohi.i2d(i32 %shuffled, i32 %shuffled.1)
  %remote = bitcast i32 %shuffled.2 to float
  %foo.combined = fadd double %foo.own, %words.1
  %foo.next = select i1 %reduces, double %foo.combined, double %foo.own
  store double %foo.next, ptr %foo.private, align 8
  %bar.combined = fadd float %bar.own, %remote
  %bar.next = select i1 %reduces, float %bar.combined, float %bar.own
  store float %bar.next, ptr %bar.private, align 4
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
  %foo.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %foo.private = load ptr, ptr %foo.entry, align 8
  %foo.moved = load double, ptr %foo.private, align 8
  store double %foo.moved, ptr addrspace(3) %warp.buffer, align 8
  %bar.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %bar.private = load ptr, ptr %bar.entry, align 8
  %bar.shared = getelementptr inbounds i8, ptr addrspace(3) %warp.buffer, i64 8
  %bar.moved = load float, ptr %bar.private, align 4
  store float %bar.moved, ptr addrspace(3) %bar.shared, align 4
  br label %published

published:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %receives, label %collect, label %collected

collect:
  %warp.buffer.1 = getelementptr inbounds [16 x i8], ptr addrspace(3) @warpfold_inter_warp_buffers, i32 %thread
  %foo.entry.1 = getelementptr inbounds ptr, ptr %list, i64 0
  %foo.private.1 = load ptr, ptr %foo.entry.1, align 8
  %foo.moved.1 = load double, ptr addrspace(3) %warp.buffer.1, align 8
  store double %foo.moved.1, ptr %foo.private.1, align 8
  %bar.entry.1 = getelementptr inbounds ptr, ptr %list, i64 1
  %bar.private.1 = load ptr, ptr %bar.entry.1, align 8
  %bar.shared.1 = getelementptr inbounds i8, ptr addrspace(3) %warp.buffer.1, i64 8
  %bar.moved.1 = load float, ptr addrspace(3) %bar.shared.1, align 4
  store float %bar.moved.1, ptr %bar.private.1, align 4
  br label %collected

collected:
  ret void
}

define internal void @warpfold_list_to_global_copy(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %foo.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %foo.private = load ptr, ptr %foo.entry, align 8
  %foo.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %foo.given = load double, ptr %foo.private, align 8
  store double %foo.given, ptr %foo.member, align 8
  %bar.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %bar.private = load ptr, ptr %bar.entry, align 8
  %bar.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 1
  %bar.given = load float, ptr %bar.private, align 4
  store float %bar.given, ptr %bar.member, align 4
  ret void
}

define internal void @warpfold_list_to_global_reduce(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %foo.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %foo.private = load ptr, ptr %foo.entry, align 8
  %foo.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %foo.given = load double, ptr %foo.private, align 8
  %foo.held = load double, ptr %foo.member, align 8
  %foo.combined = fadd double %foo.held, %foo.given
  store double %foo.combined, ptr %foo.member, align 8
  %bar.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %bar.private = load ptr, ptr %bar.entry, align 8
  %bar.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 1
  %bar.given = load float, ptr %bar.private, align 4
  %bar.held = load float, ptr %bar.member, align 4
  %bar.combined = fadd float %bar.held, %bar.given
  store float %bar.combined, ptr %bar.member, align 4
  ret void
}

define internal void @warpfold_global_to_list_copy(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %foo.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %foo.private = load ptr, ptr %foo.entry, align 8
  %foo.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %foo.given = load double, ptr %foo.member, align 8
  store double %foo.given, ptr %foo.private, align 8
  %bar.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %bar.private = load ptr, ptr %bar.entry, align 8
  %bar.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 1
  %bar.given = load float, ptr %bar.member, align 4
  store float %bar.given, ptr %bar.private, align 4
  ret void
}

define internal void @warpfold_global_to_list_reduce(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %foo.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %foo.private = load ptr, ptr %foo.entry, align 8
  %foo.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %foo.given = load double, ptr %foo.member, align 8
  %foo.held = load double, ptr %foo.private, align 8
  %foo.combined = fadd double %foo.held, %foo.given
  store double %foo.combined, ptr %foo.private, align 8
  %bar.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %bar.private = load ptr, ptr %bar.entry, align 8
  %bar.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 1
  %bar.given = load float, ptr %bar.member, align 4
  %bar.held = load float, ptr %bar.private, align 4
  %bar.combined = fadd float %bar.held, %bar.given
  store float %bar.combined, ptr %bar.private, align 4
  ret void
}

define internal void @warpfold_initialize(ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %foo.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %foo.private = load ptr, ptr %foo.entry, align 8
  store double -0.0, ptr %foo.private, align 8
  %bar.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %bar.private = load ptr, ptr %bar.entry, align 8
  store float -0.0, ptr %bar.private, align 4
  ret void
}

; The thread's share of n elements, reduced into its private copies.
define internal void @warpfold_accumulate(ptr %list, i64 %n, i64 %first.index, ptr addrspace(1) noalias readonly align 8 %array0, ptr addrspace(1) noalias readonly align 4 %array1) alwaysinline convergent mustprogress nounwind willreturn {
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
  %offset = mul i64 %wide, 4
  %offset.1 = mul i64 %wide.1, 256
  %offset.2 = add i64 %offset, %offset.1
  %offset.3 = mul i64 %offset.2, 8
  %at = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.3
  %offset.4 = mul i64 %offset.2, 4
  %at.1 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.4
  %at.2 = getelementptr i8, ptr addrspace(1) %at, i64 -1024
  %loaded = load <2 x double>, ptr addrspace(1) %at.2, align 16, !invariant.load !0
  %element = extractelement <2 x double> %loaded, i32 0
  %element.1 = extractelement <2 x double> %loaded, i32 1
  %at.3 = getelementptr i8, ptr addrspace(1) %at, i64 -1008
  %loaded.1 = load <2 x double>, ptr addrspace(1) %at.3, align 16, !invariant.load !0
  %element.2 = extractelement <2 x double> %loaded.1, i32 0
  %element.3 = extractelement <2 x double> %loaded.1, i32 1
  %at.4 = getelementptr i8, ptr addrspace(1) %at.1, i64 -512
  %loaded.2 = load <4 x float>, ptr addrspace(1) %at.4, align 16, !invariant.load !0
  %element.4 = extractelement <4 x float> %loaded.2, i32 0
  %element.5 = extractelement <4 x float> %loaded.2, i32 1
  %element.6 = extractelement <4 x float> %loaded.2, i32 2
  %element.7 = extractelement <4 x float> %loaded.2, i32 3
  %at.5 = getelementptr i8, ptr addrspace(1) %at, i64 -2048
  %loaded.3 = load <2 x double>, ptr addrspace(1) %at.5, align 16, !invariant.load !0
  %element.8 = extractelement <2 x double> %loaded.3, i32 0
  %element.9 = extractelement <2 x double> %loaded.3, i32 1
  %at.6 = getelementptr i8, ptr addrspace(1) %at, i64 -2032
  %loaded.4 = load <2 x double>, ptr addrspace(1) %at.6, align 16, !invariant.load !0
  %element.10 = extractelement <2 x double> %loaded.4, i32 0
  %element.11 = extractelement <2 x double> %loaded.4, i32 1
  %at.7 = getelementptr i8, ptr addrspace(1) %at.1, i64 -1024
  %loaded.5 = load <4 x float>, ptr addrspace(1) %at.7, align 16, !invariant.load !0
  %element.12 = extractelement <4 x float> %loaded.5, i32 0
  %element.13 = extractelement <4 x float> %loaded.5, i32 1
  %element.14 = extractelement <4 x float> %loaded.5, i32 2
  %element.15 = extractelement <4 x float> %loaded.5, i32 3
  %foo = fadd double -0.0, %element.3
  %bar = fadd float -0.0, %element.7
  %foo.1 = fadd double -0.0, %element.2
  %bar.1 = fadd float -0.0, %element.6
  %foo.2 = fadd double -0.0, %element.1
  %bar.2 = fadd float -0.0, %element.5
  %foo.3 = fadd double -0.0, %element
  %bar.3 = fadd float -0.0, %element.4
  %foo.4 = fadd double %foo, %element.11
  %bar.4 = fadd float %bar, %element.15
  %foo.5 = fadd double %foo.1, %element.10
  %bar.5 = fadd float %bar.1, %element.14
  %foo.6 = fadd double %foo.2, %element.9
  %bar.6 = fadd float %bar.2, %element.13
  %foo.7 = fadd double %foo.3, %element.8
  %bar.7 = fadd float %bar.3, %element.12
  %next = sub i32 %first, %grid.warps
  br label %wide.tiles

wide.tiles:
  %tiles.left = phi i32 [ %next, %wide.first ], [ %next.1, %wide.tiles.body ]
  %foo.8 = phi double [ %foo.7, %wide.first ], [ %foo.19, %wide.tiles.body ]
  %foo.9 = phi double [ %foo.6, %wide.first ], [ %foo.18, %wide.tiles.body ]
  %foo.10 = phi double [ %foo.5, %wide.first ], [ %foo.17, %wide.tiles.body ]
  %foo.11 = phi double [ %foo.4, %wide.first ], [ %foo.16, %wide.tiles.body ]
  %bar.8 = phi float [ %bar.7, %wide.first ], [ %bar.19, %wide.tiles.body ]
  %bar.9 = phi float [ %bar.6, %wide.first ], [ %bar.18, %wide.tiles.body ]
  %bar.10 = phi float [ %bar.5, %wide.first ], [ %bar.17, %wide.tiles.body ]
  %bar.11 = phi float [ %bar.4, %wide.first ], [ %bar.16, %wide.tiles.body ]
  %goes.on = icmp sge i32 %tiles.left, 1
  br i1 %goes.on, label %wide.tiles.body, label %wide.tiles.last

wide.tiles.body:
  %wide.2 = zext i32 %lane to i64
  %wide.3 = sext i32 %tiles.left to i64
  %offset.5 = mul i64 %wide.2, 4
  %offset.6 = mul i64 %wide.3, 256
  %offset.7 = add i64 %offset.5, %offset.6
  %offset.8 = mul i64 %offset.7, 8
  %at.8 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.8
  %offset.9 = mul i64 %offset.7, 4
  %at.9 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.9
  %at.10 = getelementptr i8, ptr addrspace(1) %at.8, i64 -1024
  %loaded.6 = load <2 x double>, ptr addrspace(1) %at.10, align 16, !invariant.load !0
  %element.16 = extractelement <2 x double> %loaded.6, i32 0
  %element.17 = extractelement <2 x double> %loaded.6, i32 1
  %at.11 = getelementptr i8, ptr addrspace(1) %at.8, i64 -1008
  %loaded.7 = load <2 x double>, ptr addrspace(1) %at.11, align 16, !invariant.load !0
  %element.18 = extractelement <2 x double> %loaded.7, i32 0
  %element.19 = extractelement <2 x double> %loaded.7, i32 1
  %at.12 = getelementptr i8, ptr addrspace(1) %at.9, i64 -512
  %loaded.8 = load <4 x float>, ptr addrspace(1) %at.12, align 16, !invariant.load !0
  %element.20 = extractelement <4 x float> %loaded.8, i32 0
  %element.21 = extractelement <4 x float> %loaded.8, i32 1
  %element.22 = extractelement <4 x float> %loaded.8, i32 2
  %element.23 = extractelement <4 x float> %loaded.8, i32 3
  %at.13 = getelementptr i8, ptr addrspace(1) %at.8, i64 -2048
  %loaded.9 = load <2 x double>, ptr addrspace(1) %at.13, align 16, !invariant.load !0
  %element.24 = extractelement <2 x double> %loaded.9, i32 0
  %element.25 = extractelement <2 x double> %loaded.9, i32 1
  %at.14 = getelementptr i8, ptr addrspace(1) %at.8, i64 -2032
  %loaded.10 = load <2 x double>, ptr addrspace(1) %at.14, align 16, !invariant.load !0
  %element.26 = extractelement <2 x double> %loaded.10, i32 0
  %element.27 = extractelement <2 x double> %loaded.10, i32 1
  %at.15 = getelementptr i8, ptr addrspace(1) %at.9, i64 -1024
  %loaded.11 = load <4 x float>, ptr addrspace(1) %at.15, align 16, !invariant.load !0
  %element.28 = extractelement <4 x float> %loaded.11, i32 0
  %element.29 = extractelement <4 x float> %loaded.11, i32 1
  %element.30 = extractelement <4 x float> %loaded.11, i32 2
  %element.31 = extractelement <4 x float> %loaded.11, i32 3
  %foo.12 = fadd double %foo.11, %element.19
  %bar.12 = fadd float %bar.11, %element.23
  %foo.13 = fadd double %foo.10, %element.18
  %bar.13 = fadd float %bar.10, %element.22
  %foo.14 = fadd double %foo.9, %element.17
  %bar.14 = fadd float %bar.9, %element.21
  %foo.15 = fadd double %foo.8, %element.16
  %bar.15 = fadd float %bar.8, %element.20
  %foo.16 = fadd double %foo.12, %element.27
  %bar.16 = fadd float %bar.12, %element.31
  %foo.17 = fadd double %foo.13, %element.26
  %bar.17 = fadd float %bar.13, %element.30
  %foo.18 = fadd double %foo.14, %element.25
  %bar.18 = fadd float %bar.14, %element.29
  %foo.19 = fadd double %foo.15, %element.24
  %bar.19 = fadd float %bar.15, %element.28
  %next.1 = sub i32 %tiles.left, %grid.warps
  br label %wide.tiles, !llvm.loop !4

wide.tiles.last:
  %foo.total = fadd double %foo.8, %foo.9
  %foo.total.1 = fadd double %foo.total, %foo.10
  %foo.total.2 = fadd double %foo.total.1, %foo.11
  %bar.total = fadd float %bar.8, %bar.9
  %bar.total.1 = fadd float %bar.total, %bar.10
  %bar.total.2 = fadd float %bar.total.1, %bar.11
  br label %wide.tiles.end

wide.tiles.end:
  %foo.20 = phi double [ -0.0, %aligned ], [ %foo.total.2, %wide.tiles.last ]
  %bar.20 = phi float [ -0.0, %aligned ], [ %bar.total.2, %wide.tiles.last ]
  br label %whole

unaligned:
  %is.idle.1 = icmp slt i32 %first, 1
  br i1 %is.idle.1, label %narrow.tiles.end, label %narrow.first, !prof !5

narrow.first:
  %wide.4 = zext i32 %lane to i64
  %wide.5 = sext i32 %first to i64
  %offset.10 = mul i64 %wide.4, 4
  %offset.11 = mul i64 %wide.5, 256
  %offset.12 = add i64 %offset.10, %offset.11
  %offset.13 = mul i64 %offset.12, 8
  %at.16 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.13
  %offset.14 = mul i64 %offset.12, 4
  %at.17 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.14
  %at.18 = getelementptr i8, ptr addrspace(1) %at.16, i64 -1024
  %element.32 = load double, ptr addrspace(1) %at.18, align 8, !invariant.load !0
  %at.19 = getelementptr i8, ptr addrspace(1) %at.16, i64 -1016
  %element.33 = load double, ptr addrspace(1) %at.19, align 8, !invariant.load !0
  %at.20 = getelementptr i8, ptr addrspace(1) %at.16, i64 -1008
  %element.34 = load double, ptr addrspace(1) %at.20, align 8, !invariant.load !0
  %at.21 = getelementptr i8, ptr addrspace(1) %at.16, i64 -1000
  %element.35 = load double, ptr addrspace(1) %at.21, align 8, !invariant.load !0
  %at.22 = getelementptr i8, ptr addrspace(1) %at.17, i64 -512
  %element.36 = load float, ptr addrspace(1) %at.22, align 4, !invariant.load !0
  %at.23 = getelementptr i8, ptr addrspace(1) %at.17, i64 -508
  %element.37 = load float, ptr addrspace(1) %at.23, align 4, !invariant.load !0
  %at.24 = getelementptr i8, ptr addrspace(1) %at.17, i64 -504
  %element.38 = load float, ptr addrspace(1) %at.24, align 4, !invariant.load !0
  %at.25 = getelementptr i8, ptr addrspace(1) %at.17, i64 -500
  %element.39 = load float, ptr addrspace(1) %at.25, align 4, !invariant.load !0
  %at.26 = getelementptr i8, ptr addrspace(1) %at.16, i64 -2048
  %element.40 = load double, ptr addrspace(1) %at.26, align 8, !invariant.load !0
  %at.27 = getelementptr i8, ptr addrspace(1) %at.16, i64 -2040
  %element.41 = load double, ptr addrspace(1) %at.27, align 8, !invariant.load !0
  %at.28 = getelementptr i8, ptr addrspace(1) %at.16, i64 -2032
  %element.42 = load double, ptr addrspace(1) %at.28, align 8, !invariant.load !0
  %at.29 = getelementptr i8, ptr addrspace(1) %at.16, i64 -2024
  %element.43 = load double, ptr addrspace(1) %at.29, align 8, !invariant.load !0
  %at.30 = getelementptr i8, ptr addrspace(1) %at.17, i64 -1024
  %element.44 = load float, ptr addrspace(1) %at.30, align 4, !invariant.load !0
  %at.31 = getelementptr i8, ptr addrspace(1) %at.17, i64 -1020
  %element.45 = load float, ptr addrspace(1) %at.31, align 4, !invariant.load !0
  %at.32 = getelementptr i8, ptr addrspace(1) %at.17, i64 -1016
  %element.46 = load float, ptr addrspace(1) %at.32, align 4, !invariant.load !0
  %at.33 = getelementptr i8, ptr addrspace(1) %at.17, i64 -1012
  %element.47 = load float, ptr addrspace(1) %at.33, align 4, !invariant.load !0
  %foo.21 = fadd double -0.0, %element.35
  %bar.21 = fadd float -0.0, %element.39
  %foo.22 = fadd double -0.0, %element.34
  %bar.22 = fadd float -0.0, %element.38
  %foo.23 = fadd double -0.0, %element.33
  %bar.23 = fadd float -0.0, %element.37
  %foo.24 = fadd double -0.0, %element.32
  %bar.24 = fadd float -0.0, %element.36
  %foo.25 = fadd double %foo.21, %element.43
  %bar.25 = fadd float %bar.21, %element.47
  %foo.26 = fadd double %foo.22, %element.42
  %bar.26 = fadd float %bar.22, %element.46
  %foo.27 = fadd double %foo.23, %element.41
  %bar.27 = fadd float %bar.23, %element.45
  %foo.28 = fadd double %foo.24, %element.40
  %bar.28 = fadd float %bar.24, %element.44
  %next.2 = sub i32 %first, %grid.warps
  br label %narrow.tiles

narrow.tiles:
  %tiles.left.1 = phi i32 [ %next.2, %narrow.first ], [ %next.3, %narrow.tiles.body ]
  %foo.29 = phi double [ %foo.28, %narrow.first ], [ %foo.40, %narrow.tiles.body ]
  %foo.30 = phi double [ %foo.27, %narrow.first ], [ %foo.39, %narrow.tiles.body ]
  %foo.31 = phi double [ %foo.26, %narrow.first ], [ %foo.38, %narrow.tiles.body ]
  %foo.32 = phi double [ %foo.25, %narrow.first ], [ %foo.37, %narrow.tiles.body ]
  %bar.29 = phi float [ %bar.28, %narrow.first ], [ %bar.40, %narrow.tiles.body ]
  %bar.30 = phi float [ %bar.27, %narrow.first ], [ %bar.39, %narrow.tiles.body ]
  %bar.31 = phi float [ %bar.26, %narrow.first ], [ %bar.38, %narrow.tiles.body ]
  %bar.32 = phi float [ %bar.25, %narrow.first ], [ %bar.37, %narrow.tiles.body ]
  %goes.on.1 = icmp sge i32 %tiles.left.1, 1
  br i1 %goes.on.1, label %narrow.tiles.body, label %narrow.tiles.last

narrow.tiles.body:
  %wide.6 = zext i32 %lane to i64
  %wide.7 = sext i32 %tiles.left.1 to i64
  %offset.15 = mul i64 %wide.6, 4
  %offset.16 = mul i64 %wide.7, 256
  %offset.17 = add i64 %offset.15, %offset.16
  %offset.18 = mul i64 %offset.17, 8
  %at.34 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.18
  %offset.19 = mul i64 %offset.17, 4
  %at.35 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.19
  %at.36 = getelementptr i8, ptr addrspace(1) %at.34, i64 -1024
  %element.48 = load double, ptr addrspace(1) %at.36, align 8, !invariant.load !0
  %at.37 = getelementptr i8, ptr addrspace(1) %at.34, i64 -1016
  %element.49 = load double, ptr addrspace(1) %at.37, align 8, !invariant.load !0
  %at.38 = getelementptr i8, ptr addrspace(1) %at.34, i64 -1008
  %element.50 = load double, ptr addrspace(1) %at.38, align 8, !invariant.load !0
  %at.39 = getelementptr i8, ptr addrspace(1) %at.34, i64 -1000
  %element.51 = load double, ptr addrspace(1) %at.39, align 8, !invariant.load !0
  %at.40 = getelementptr i8, ptr addrspace(1) %at.35, i64 -512
  %element.52 = load float, ptr addrspace(1) %at.40, align 4, !invariant.load !0
  %at.41 = getelementptr i8, ptr addrspace(1) %at.35, i64 -508
  %element.53 = load float, ptr addrspace(1) %at.41, align 4, !invariant.load !0
  %at.42 = getelementptr i8, ptr addrspace(1) %at.35, i64 -504
  %element.54 = load float, ptr addrspace(1) %at.42, align 4, !invariant.load !0
  %at.43 = getelementptr i8, ptr addrspace(1) %at.35, i64 -500
  %element.55 = load float, ptr addrspace(1) %at.43, align 4, !invariant.load !0
  %at.44 = getelementptr i8, ptr addrspace(1) %at.34, i64 -2048
  %element.56 = load double, ptr addrspace(1) %at.44, align 8, !invariant.load !0
  %at.45 = getelementptr i8, ptr addrspace(1) %at.34, i64 -2040
  %element.57 = load double, ptr addrspace(1) %at.45, align 8, !invariant.load !0
  %at.46 = getelementptr i8, ptr addrspace(1) %at.34, i64 -2032
  %element.58 = load double, ptr addrspace(1) %at.46, align 8, !invariant.load !0
  %at.47 = getelementptr i8, ptr addrspace(1) %at.34, i64 -2024
  %element.59 = load double, ptr addrspace(1) %at.47, align 8, !invariant.load !0
  %at.48 = getelementptr i8, ptr addrspace(1) %at.35, i64 -1024
  %element.60 = load float, ptr addrspace(1) %at.48, align 4, !invariant.load !0
  %at.49 = getelementptr i8, ptr addrspace(1) %at.35, i64 -1020
  %element.61 = load float, ptr addrspace(1) %at.49, align 4, !invariant.load !0
  %at.50 = getelementptr i8, ptr addrspace(1) %at.35, i64 -1016
  %element.62 = load float, ptr addrspace(1) %at.50, align 4, !invariant.load !0
  %at.51 = getelementptr i8, ptr addrspace(1) %at.35, i64 -1012
  %element.63 = load float, ptr addrspace(1) %at.51, align 4, !invariant.load !0
  %foo.33 = fadd double %foo.32, %element.51
  %bar.33 = fadd float %bar.32, %element.55
  %foo.34 = fadd double %foo.31, %element.50
  %bar.34 = fadd float %bar.31, %element.54
  %foo.35 = fadd double %foo.30, %element.49
  %bar.35 = fadd float %bar.30, %element.53
  %foo.36 = fadd double %foo.29, %element.48
  %bar.36 = fadd float %bar.29, %element.52
  %foo.37 = fadd double %foo.33, %element.59
  %bar.37 = fadd float %bar.33, %element.63
  %foo.38 = fadd double %foo.34, %element.58
  %bar.38 = fadd float %bar.34, %element.62
  %foo.39 = fadd double %foo.35, %element.57
  %bar.39 = fadd float %bar.35, %element.61
  %foo.40 = fadd double %foo.36, %element.56
  %bar.40 = fadd float %bar.36, %element.60
  %next.3 = sub i32 %tiles.left.1, %grid.warps
  br label %narrow.tiles, !llvm.loop !7

narrow.tiles.last:
  %foo.total.3 = fadd double %foo.29, %foo.30
  %foo.total.4 = fadd double %foo.total.3, %foo.31
  %foo.total.5 = fadd double %foo.total.4, %foo.32
  %bar.total.3 = fadd float %bar.29, %bar.30
  %bar.total.4 = fadd float %bar.total.3, %bar.31
  %bar.total.5 = fadd float %bar.total.4, %bar.32
  br label %narrow.tiles.end

narrow.tiles.end:
  %foo.41 = phi double [ -0.0, %unaligned ], [ %foo.total.5, %narrow.tiles.last ]
  %bar.41 = phi float [ -0.0, %unaligned ], [ %bar.total.5, %narrow.tiles.last ]
  br label %whole

whole:
  %foo.42 = phi double [ %foo.20, %wide.tiles.end ], [ %foo.41, %narrow.tiles.end ]
  %bar.42 = phi float [ %bar.20, %wide.tiles.end ], [ %bar.41, %narrow.tiles.end ]
  %has.tail = icmp ult i32 %grid.thread, %narrow.1
  br i1 %has.tail, label %tail.some, label %tail.end, !prof !8

tail.some:
  %are.few = icmp ult i32 %grid.threads, 256
  %step = select i1 %are.few, i32 %grid.threads, i32 256
  %wide.8 = zext i32 %narrow.1 to i64
  %tiled = sub i64 %n, %wide.8
  %offset.20 = mul i64 %tiled, 8
  %at.52 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.20
  %offset.21 = mul i64 %tiled, 4
  %at.53 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.21
  br label %tail

tail:
  %element.number = phi i32 [ %grid.thread, %tail.some ], [ %next.4, %following ]
  %foo.43 = phi double [ %foo.42, %tail.some ], [ %foo.45, %following ]
  %bar.43 = phi float [ %bar.42, %tail.some ], [ %bar.45, %following ]
  %goes.on.2 = icmp ult i32 %element.number, %narrow.1
  br i1 %goes.on.2, label %tail.body, label %tail.end

tail.body:
  %exists = icmp ult i32 %element.number, %narrow.1
  %wide.9 = zext i32 %element.number to i64
  br i1 %exists, label %element.64, label %element.end

element.64:
  %at.54 = getelementptr inbounds double, ptr addrspace(1) %at.52, i64 %wide.9
  %element.65 = load double, ptr addrspace(1) %at.54, align 8, !invariant.load !0
  %at.55 = getelementptr inbounds float, ptr addrspace(1) %at.53, i64 %wide.9
  %element.66 = load float, ptr addrspace(1) %at.55, align 4, !invariant.load !0
  br label %element.end

element.end:
  %element.67 = phi double [ %element.65, %element.64 ], [ 0.0, %tail.body ]
  %element.68 = phi float [ %element.66, %element.64 ], [ 0.0, %tail.body ]
  %next.4 = add i32 %element.number, %step
  br i1 %exists, label %one, label %following

one:
  %foo.44 = fadd double %foo.43, %element.67
  %bar.44 = fadd float %bar.43, %element.68
  br label %following

following:
  %foo.45 = phi double [ %foo.44, %one ], [ %foo.43, %element.end ]
  %bar.45 = phi float [ %bar.44, %one ], [ %bar.43, %element.end ]
  br label %tail, !llvm.loop !10

tail.end:
  %foo.46 = phi double [ %foo.42, %whole ], [ %foo.43, %tail ]
  %bar.46 = phi float [ %bar.42, %whole ], [ %bar.43, %tail ]
  %foo.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %foo.private = load ptr, ptr %foo.entry, align 8
  store double %foo.46, ptr %foo.private, align 8
  %bar.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %bar.private = load ptr, ptr %bar.entry, align 8
  store float %bar.46, ptr %bar.private, align 4
  ret void
}

define ptx_kernel void @warpfold_reduce(i64 %n, i64 %first, ptr addrspace(1) align 16 %workspace, ptr addrspace(1) align 8 %result, ptr addrspace(1) noalias readonly align 8 %array0, ptr addrspace(1) noalias readonly align 4 %array1) convergent mustprogress nounwind "nvvm.maxntid"="256" {
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
  %list = alloca [2 x ptr], align 8
  %foo.member = getelementptr inbounds %warpfold.record, ptr %private, i64 0, i32 0
  %foo.entry = getelementptr inbounds ptr, ptr %list, i64 0
  store ptr %foo.member, ptr %foo.entry, align 8
  %bar.member = getelementptr inbounds %warpfold.record, ptr %private, i64 0, i32 1
  %bar.entry = getelementptr inbounds ptr, ptr %list, i64 1
  store ptr %bar.member, ptr %bar.entry, align 8
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

define ptx_kernel void @warpfold_partial(i64 %n, i64 %first, ptr addrspace(1) align 16 %workspace, ptr addrspace(1) noalias readonly align 8 %array0, ptr addrspace(1) noalias readonly align 4 %array1) convergent mustprogress nounwind "nvvm.maxntid"="256" {
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
  %list = alloca [2 x ptr], align 8
  %foo.member = getelementptr inbounds %warpfold.record, ptr %private, i64 0, i32 0
  %foo.entry = getelementptr inbounds ptr, ptr %list, i64 0
  store ptr %foo.member, ptr %foo.entry, align 8
  %bar.member = getelementptr inbounds %warpfold.record, ptr %private, i64 0, i32 1
  %bar.entry = getelementptr inbounds ptr, ptr %list, i64 1
  store ptr %bar.member, ptr %bar.entry, align 8
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
  %list = alloca [2 x ptr], align 8
  %foo.member = getelementptr inbounds %warpfold.record, ptr %private, i64 0, i32 0
  %foo.entry = getelementptr inbounds ptr, ptr %list, i64 0
  store ptr %foo.member, ptr %foo.entry, align 8
  %bar.member = getelementptr inbounds %warpfold.record, ptr %private, i64 0, i32 1
  %bar.entry = getelementptr inbounds ptr, ptr %list, i64 1
  store ptr %bar.member, ptr %bar.entry, align 8
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
