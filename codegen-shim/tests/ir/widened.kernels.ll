; sum: i64 sum of array 0
; dot: f32 sum of array 1 * array 1
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%warpfold.record = type { i64, float }
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
  %sum.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %sum.private = load ptr, ptr %sum.entry, align 8
  %sum.own = load i64, ptr %sum.private, align 8
  %dot.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %dot.private = load ptr, ptr %dot.entry, align 8
  %dot.own = load float, ptr %dot.private, align 4
  %words = bitcast i64 %sum.own to <2 x i32>
  %word = extractelement <2 x i32> %words, i32 0
  %word.1 = extractelement <2 x i32> %words, i32 1
  %word.2 = bitcast float %dot.own to i32
  %shuffled = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %word, i32 %delta, i32 31)
  %shuffled.1 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %word.1, i32 %delta, i32 31)
  %shuffled.2 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %word.2, i32 %delta, i32 31)
  %words.1 = call double @llvm.nvvm.lohi.i2d(i32 %shuffled, i32 %shuffled.1)
  %remote = bitcast double %words.1 to i64
  %remote.1 = bitcast i32 %shuffled.2 to float
  %sum.kept = select i1 %copies, i64 %remote, i64 %sum.own
  %sum.combined = add i64 %sum.own, %remote
  %sum.next = select i1 %reduces, i64 %sum.combined, i64 %sum.kept
  store i64 %sum.next, ptr %sum.private, align 8
  %dot.kept = select i1 %copies, float %remote.1, float %dot.own
  %dot.combined = fadd float %dot.own, %remote.1
  %dot.next = select i1 %reduces, float %dot.combined, float %dot.kept
  store float %dot.next, ptr %dot.private, align 4
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
  %sum.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %sum.private = load ptr, ptr %sum.entry, align 8
  %sum.own = load i64, ptr %sum.private, align 8
  %dot.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %dot.private = load ptr, ptr %dot.entry, align 8
  %dot.own = load float, ptr %dot.private, align 4
  %words = bitcast i64 %sum.own to <2 x i32>
  %word = extractelement <2 x i32> %words, i32 0
  %word.1 = extractelement <2 x i32> %words, i32 1
  %word.2 = bitcast float %dot.own to i32
  %shuffled = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %word, i32 %delta, i32 31)
  %shuffled.1 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %word.1, i32 %delta, i32 31)
  %shuffled.2 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %word.2, i32 %delta, i32 31)
  %words.1 = call double @llvm.nvvm.lohi.i2d(i32 %shuffled, i32 %shuffled.1)
  %remote = bitcast double %words.1 to i64
  %remote.1 = bitcast i32 %shuffled.2 to float
  %sum.combined = add i64 %sum.own, %remote
  %sum.next = select i1 %reduces, i64 %sum.combined, i64 %sum.own
  store i64 %sum.next, ptr %sum.private, align 8
  %dot.combined = fadd float %dot.own, %remote.1
  %dot.next = select i1 %reduces, float %dot.combined, float %dot.own
  store float %dot.next, ptr %dot.private, align 4
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
  %sum.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %sum.private = load ptr, ptr %sum.entry, align 8
  %sum.moved = load i64, ptr %sum.private, align 8
  store i64 %sum.moved, ptr addrspace(3) %warp.buffer, align 8
  %dot.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %dot.private = load ptr, ptr %dot.entry, align 8
  %dot.shared = getelementptr inbounds i8, ptr addrspace(3) %warp.buffer, i64 8
  %dot.moved = load float, ptr %dot.private, align 4
  store float %dot.moved, ptr addrspace(3) %dot.shared, align 4
  br label %published

published:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %receives, label %collect, label %collected

collect:
  %warp.buffer.1 = getelementptr inbounds [16 x i8], ptr addrspace(3) @warpfold_inter_warp_buffers, i32 %thread
  %sum.entry.1 = getelementptr inbounds ptr, ptr %list, i64 0
  %sum.private.1 = load ptr, ptr %sum.entry.1, align 8
  %sum.moved.1 = load i64, ptr addrspace(3) %warp.buffer.1, align 8
  store i64 %sum.moved.1, ptr %sum.private.1, align 8
  %dot.entry.1 = getelementptr inbounds ptr, ptr %list, i64 1
  %dot.private.1 = load ptr, ptr %dot.entry.1, align 8
  %dot.shared.1 = getelementptr inbounds i8, ptr addrspace(3) %warp.buffer.1, i64 8
  %dot.moved.1 = load float, ptr addrspace(3) %dot.shared.1, align 4
  store float %dot.moved.1, ptr %dot.private.1, align 4
  br label %collected

collected:
  ret void
}

define internal void @warpfold_list_to_global_copy(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %sum.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %sum.private = load ptr, ptr %sum.entry, align 8
  %sum.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %sum.given = load i64, ptr %sum.private, align 8
  store i64 %sum.given, ptr %sum.member, align 8
  %dot.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %dot.private = load ptr, ptr %dot.entry, align 8
  %dot.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 1
  %dot.given = load float, ptr %dot.private, align 4
  store float %dot.given, ptr %dot.member, align 4
  ret void
}

define internal void @warpfold_list_to_global_reduce(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %sum.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %sum.private = load ptr, ptr %sum.entry, align 8
  %sum.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %sum.given = load i64, ptr %sum.private, align 8
  %sum.held = load i64, ptr %sum.member, align 8
  %sum.combined = add i64 %sum.held, %sum.given
  store i64 %sum.combined, ptr %sum.member, align 8
  %dot.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %dot.private = load ptr, ptr %dot.entry, align 8
  %dot.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 1
  %dot.given = load float, ptr %dot.private, align 4
  %dot.held = load float, ptr %dot.member, align 4
  %dot.combined = fadd float %dot.held, %dot.given
  store float %dot.combined, ptr %dot.member, align 4
  ret void
}

define internal void @warpfold_global_to_list_copy(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %sum.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %sum.private = load ptr, ptr %sum.entry, align 8
  %sum.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %sum.given = load i64, ptr %sum.member, align 8
  store i64 %sum.given, ptr %sum.private, align 8
  %dot.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %dot.private = load ptr, ptr %dot.entry, align 8
  %dot.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 1
  %dot.given = load float, ptr %dot.member, align 4
  store float %dot.given, ptr %dot.private, align 4
  ret void
}

define internal void @warpfold_global_to_list_reduce(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %sum.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %sum.private = load ptr, ptr %sum.entry, align 8
  %sum.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %sum.given = load i64, ptr %sum.member, align 8
  %sum.held = load i64, ptr %sum.private, align 8
  %sum.combined = add i64 %sum.held, %sum.given
  store i64 %sum.combined, ptr %sum.private, align 8
  %dot.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %dot.private = load ptr, ptr %dot.entry, align 8
  %dot.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 1
  %dot.given = load float, ptr %dot.member, align 4
  %dot.held = load float, ptr %dot.private, align 4
  %dot.combined = fadd float %dot.held, %dot.given
  store float %dot.combined, ptr %dot.private, align 4
  ret void
}

define internal void @warpfold_initialize(ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %sum.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %sum.private = load ptr, ptr %sum.entry, align 8
  store i64 0, ptr %sum.private, align 8
  %dot.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %dot.private = load ptr, ptr %dot.entry, align 8
  store float -0.0, ptr %dot.private, align 4
  ret void
}

; The thread's share of n elements, reduced into its private copies.
define internal void @warpfold_accumulate(ptr %list, i64 %n, i64 %first.index, ptr addrspace(1) noalias readonly align 1 %array0, ptr addrspace(1) noalias readonly align 2 %array1) alwaysinline convergent mustprogress nounwind willreturn {
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
  %tiles = udiv i64 %n, 1024
  %narrow = trunc i64 %tiles to i32
  %tiles.1 = urem i64 %n, 1024
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
  %offset.4 = mul i64 %offset.2, 2
  %at.1 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.4
  %at.2 = getelementptr i8, ptr addrspace(1) %at, i64 -512
  %loaded = load <16 x i8>, ptr addrspace(1) %at.2, align 16, !invariant.load !0
  %element = extractelement <16 x i8> %loaded, i32 0
  %element.1 = extractelement <16 x i8> %loaded, i32 1
  %element.2 = extractelement <16 x i8> %loaded, i32 2
  %element.3 = extractelement <16 x i8> %loaded, i32 3
  %element.4 = extractelement <16 x i8> %loaded, i32 4
  %element.5 = extractelement <16 x i8> %loaded, i32 5
  %element.6 = extractelement <16 x i8> %loaded, i32 6
  %element.7 = extractelement <16 x i8> %loaded, i32 7
  %element.8 = extractelement <16 x i8> %loaded, i32 8
  %element.9 = extractelement <16 x i8> %loaded, i32 9
  %element.10 = extractelement <16 x i8> %loaded, i32 10
  %element.11 = extractelement <16 x i8> %loaded, i32 11
  %element.12 = extractelement <16 x i8> %loaded, i32 12
  %element.13 = extractelement <16 x i8> %loaded, i32 13
  %element.14 = extractelement <16 x i8> %loaded, i32 14
  %element.15 = extractelement <16 x i8> %loaded, i32 15
  %at.3 = getelementptr i8, ptr addrspace(1) %at.1, i64 -1024
  %loaded.1 = load <8 x half>, ptr addrspace(1) %at.3, align 16, !invariant.load !0
  %element.16 = extractelement <8 x half> %loaded.1, i32 0
  %element.17 = extractelement <8 x half> %loaded.1, i32 1
  %element.18 = extractelement <8 x half> %loaded.1, i32 2
  %element.19 = extractelement <8 x half> %loaded.1, i32 3
  %element.20 = extractelement <8 x half> %loaded.1, i32 4
  %element.21 = extractelement <8 x half> %loaded.1, i32 5
  %element.22 = extractelement <8 x half> %loaded.1, i32 6
  %element.23 = extractelement <8 x half> %loaded.1, i32 7
  %at.4 = getelementptr i8, ptr addrspace(1) %at.1, i64 -1008
  %loaded.2 = load <8 x half>, ptr addrspace(1) %at.4, align 16, !invariant.load !0
  %element.24 = extractelement <8 x half> %loaded.2, i32 0
  %element.25 = extractelement <8 x half> %loaded.2, i32 1
  %element.26 = extractelement <8 x half> %loaded.2, i32 2
  %element.27 = extractelement <8 x half> %loaded.2, i32 3
  %element.28 = extractelement <8 x half> %loaded.2, i32 4
  %element.29 = extractelement <8 x half> %loaded.2, i32 5
  %element.30 = extractelement <8 x half> %loaded.2, i32 6
  %element.31 = extractelement <8 x half> %loaded.2, i32 7
  %at.5 = getelementptr i8, ptr addrspace(1) %at, i64 -1024
  %loaded.3 = load <16 x i8>, ptr addrspace(1) %at.5, align 16, !invariant.load !0
  %element.32 = extractelement <16 x i8> %loaded.3, i32 0
  %element.33 = extractelement <16 x i8> %loaded.3, i32 1
  %element.34 = extractelement <16 x i8> %loaded.3, i32 2
  %element.35 = extractelement <16 x i8> %loaded.3, i32 3
  %element.36 = extractelement <16 x i8> %loaded.3, i32 4
  %element.37 = extractelement <16 x i8> %loaded.3, i32 5
  %element.38 = extractelement <16 x i8> %loaded.3, i32 6
  %element.39 = extractelement <16 x i8> %loaded.3, i32 7
  %element.40 = extractelement <16 x i8> %loaded.3, i32 8
  %element.41 = extractelement <16 x i8> %loaded.3, i32 9
  %element.42 = extractelement <16 x i8> %loaded.3, i32 10
  %element.43 = extractelement <16 x i8> %loaded.3, i32 11
  %element.44 = extractelement <16 x i8> %loaded.3, i32 12
  %element.45 = extractelement <16 x i8> %loaded.3, i32 13
  %element.46 = extractelement <16 x i8> %loaded.3, i32 14
  %element.47 = extractelement <16 x i8> %loaded.3, i32 15
  %at.6 = getelementptr i8, ptr addrspace(1) %at.1, i64 -2048
  %loaded.4 = load <8 x half>, ptr addrspace(1) %at.6, align 16, !invariant.load !0
  %element.48 = extractelement <8 x half> %loaded.4, i32 0
  %element.49 = extractelement <8 x half> %loaded.4, i32 1
  %element.50 = extractelement <8 x half> %loaded.4, i32 2
  %element.51 = extractelement <8 x half> %loaded.4, i32 3
  %element.52 = extractelement <8 x half> %loaded.4, i32 4
  %element.53 = extractelement <8 x half> %loaded.4, i32 5
  %element.54 = extractelement <8 x half> %loaded.4, i32 6
  %element.55 = extractelement <8 x half> %loaded.4, i32 7
  %at.7 = getelementptr i8, ptr addrspace(1) %at.1, i64 -2032
  %loaded.5 = load <8 x half>, ptr addrspace(1) %at.7, align 16, !invariant.load !0
  %element.56 = extractelement <8 x half> %loaded.5, i32 0
  %element.57 = extractelement <8 x half> %loaded.5, i32 1
  %element.58 = extractelement <8 x half> %loaded.5, i32 2
  %element.59 = extractelement <8 x half> %loaded.5, i32 3
  %element.60 = extractelement <8 x half> %loaded.5, i32 4
  %element.61 = extractelement <8 x half> %loaded.5, i32 5
  %element.62 = extractelement <8 x half> %loaded.5, i32 6
  %element.63 = extractelement <8 x half> %loaded.5, i32 7
  %converted = sext i8 %element.15 to i64
  %sum = add i64 0, %converted
  %converted.1 = fpext half %element.31 to float
  %converted.2 = fpext half %element.31 to float
  %dot = call float @llvm.fma.f32(float %converted.1, float %converted.2, float -0.0)
  %converted.3 = sext i8 %element.14 to i64
  %sum.1 = add i64 0, %converted.3
  %converted.4 = fpext half %element.30 to float
  %converted.5 = fpext half %element.30 to float
  %dot.1 = call float @llvm.fma.f32(float %converted.4, float %converted.5, float -0.0)
  %converted.6 = sext i8 %element.13 to i64
  %sum.2 = add i64 0, %converted.6
  %converted.7 = fpext half %element.29 to float
  %converted.8 = fpext half %element.29 to float
  %dot.2 = call float @llvm.fma.f32(float %converted.7, float %converted.8, float -0.0)
  %converted.9 = sext i8 %element.12 to i64
  %sum.3 = add i64 0, %converted.9
  %converted.10 = fpext half %element.28 to float
  %converted.11 = fpext half %element.28 to float
  %dot.3 = call float @llvm.fma.f32(float %converted.10, float %converted.11, float -0.0)
  %converted.12 = sext i8 %element.11 to i64
  %sum.4 = add i64 0, %converted.12
  %converted.13 = fpext half %element.27 to float
  %converted.14 = fpext half %element.27 to float
  %dot.4 = call float @llvm.fma.f32(float %converted.13, float %converted.14, float -0.0)
  %converted.15 = sext i8 %element.10 to i64
  %sum.5 = add i64 0, %converted.15
  %converted.16 = fpext half %element.26 to float
  %converted.17 = fpext half %element.26 to float
  %dot.5 = call float @llvm.fma.f32(float %converted.16, float %converted.17, float -0.0)
  %converted.18 = sext i8 %element.9 to i64
  %sum.6 = add i64 0, %converted.18
  %converted.19 = fpext half %element.25 to float
  %converted.20 = fpext half %element.25 to float
  %dot.6 = call float @llvm.fma.f32(float %converted.19, float %converted.20, float -0.0)
  %converted.21 = sext i8 %element.8 to i64
  %sum.7 = add i64 0, %converted.21
  %converted.22 = fpext half %element.24 to float
  %converted.23 = fpext half %element.24 to float
  %dot.7 = call float @llvm.fma.f32(float %converted.22, float %converted.23, float -0.0)
  %converted.24 = sext i8 %element.7 to i64
  %sum.8 = add i64 0, %converted.24
  %converted.25 = fpext half %element.23 to float
  %converted.26 = fpext half %element.23 to float
  %dot.8 = call float @llvm.fma.f32(float %converted.25, float %converted.26, float -0.0)
  %converted.27 = sext i8 %element.6 to i64
  %sum.9 = add i64 0, %converted.27
  %converted.28 = fpext half %element.22 to float
  %converted.29 = fpext half %element.22 to float
  %dot.9 = call float @llvm.fma.f32(float %converted.28, float %converted.29, float -0.0)
  %converted.30 = sext i8 %element.5 to i64
  %sum.10 = add i64 0, %converted.30
  %converted.31 = fpext half %element.21 to float
  %converted.32 = fpext half %element.21 to float
  %dot.10 = call float @llvm.fma.f32(float %converted.31, float %converted.32, float -0.0)
  %converted.33 = sext i8 %element.4 to i64
  %sum.11 = add i64 0, %converted.33
  %converted.34 = fpext half %element.20 to float
  %converted.35 = fpext half %element.20 to float
  %dot.11 = call float @llvm.fma.f32(float %converted.34, float %converted.35, float -0.0)
  %converted.36 = sext i8 %element.3 to i64
  %sum.12 = add i64 0, %converted.36
  %converted.37 = fpext half %element.19 to float
  %converted.38 = fpext half %element.19 to float
  %dot.12 = call float @llvm.fma.f32(float %converted.37, float %converted.38, float -0.0)
  %converted.39 = sext i8 %element.2 to i64
  %sum.13 = add i64 0, %converted.39
  %converted.40 = fpext half %element.18 to float
  %converted.41 = fpext half %element.18 to float
  %dot.13 = call float @llvm.fma.f32(float %converted.40, float %converted.41, float -0.0)
  %converted.42 = sext i8 %element.1 to i64
  %sum.14 = add i64 0, %converted.42
  %converted.43 = fpext half %element.17 to float
  %converted.44 = fpext half %element.17 to float
  %dot.14 = call float @llvm.fma.f32(float %converted.43, float %converted.44, float -0.0)
  %converted.45 = sext i8 %element to i64
  %sum.15 = add i64 0, %converted.45
  %converted.46 = fpext half %element.16 to float
  %converted.47 = fpext half %element.16 to float
  %dot.15 = call float @llvm.fma.f32(float %converted.46, float %converted.47, float -0.0)
  %converted.48 = sext i8 %element.47 to i64
  %sum.16 = add i64 %sum, %converted.48
  %converted.49 = fpext half %element.63 to float
  %converted.50 = fpext half %element.63 to float
  %dot.16 = call float @llvm.fma.f32(float %converted.49, float %converted.50, float %dot)
  %converted.51 = sext i8 %element.46 to i64
  %sum.17 = add i64 %sum.1, %converted.51
  %converted.52 = fpext half %element.62 to float
  %converted.53 = fpext half %element.62 to float
  %dot.17 = call float @llvm.fma.f32(float %converted.52, float %converted.53, float %dot.1)
  %converted.54 = sext i8 %element.45 to i64
  %sum.18 = add i64 %sum.2, %converted.54
  %converted.55 = fpext half %element.61 to float
  %converted.56 = fpext half %element.61 to float
  %dot.18 = call float @llvm.fma.f32(float %converted.55, float %converted.56, float %dot.2)
  %converted.57 = sext i8 %element.44 to i64
  %sum.19 = add i64 %sum.3, %converted.57
  %converted.58 = fpext half %element.60 to float
  %converted.59 = fpext half %element.60 to float
  %dot.19 = call float @llvm.fma.f32(float %converted.58, float %converted.59, float %dot.3)
  %converted.60 = sext i8 %element.43 to i64
  %sum.20 = add i64 %sum.4, %converted.60
  %converted.61 = fpext half %element.59 to float
  %converted.62 = fpext half %element.59 to float
  %dot.20 = call float @llvm.fma.f32(float %converted.61, float %converted.62, float %dot.4)
  %converted.63 = sext i8 %element.42 to i64
  %sum.21 = add i64 %sum.5, %converted.63
  %converted.64 = fpext half %element.58 to float
  %converted.65 = fpext half %element.58 to float
  %dot.21 = call float @llvm.fma.f32(float %converted.64, float %converted.65, float %dot.5)
  %converted.66 = sext i8 %element.41 to i64
  %sum.22 = add i64 %sum.6, %converted.66
  %converted.67 = fpext half %element.57 to float
  %converted.68 = fpext half %element.57 to float
  %dot.22 = call float @llvm.fma.f32(float %converted.67, float %converted.68, float %dot.6)
  %converted.69 = sext i8 %element.40 to i64
  %sum.23 = add i64 %sum.7, %converted.69
  %converted.70 = fpext half %element.56 to float
  %converted.71 = fpext half %element.56 to float
  %dot.23 = call float @llvm.fma.f32(float %converted.70, float %converted.71, float %dot.7)
  %converted.72 = sext i8 %element.39 to i64
  %sum.24 = add i64 %sum.8, %converted.72
  %converted.73 = fpext half %element.55 to float
  %converted.74 = fpext half %element.55 to float
  %dot.24 = call float @llvm.fma.f32(float %converted.73, float %converted.74, float %dot.8)
  %converted.75 = sext i8 %element.38 to i64
  %sum.25 = add i64 %sum.9, %converted.75
  %converted.76 = fpext half %element.54 to float
  %converted.77 = fpext half %element.54 to float
  %dot.25 = call float @llvm.fma.f32(float %converted.76, float %converted.77, float %dot.9)
  %converted.78 = sext i8 %element.37 to i64
  %sum.26 = add i64 %sum.10, %converted.78
  %converted.79 = fpext half %element.53 to float
  %converted.80 = fpext half %element.53 to float
  %dot.26 = call float @llvm.fma.f32(float %converted.79, float %converted.80, float %dot.10)
  %converted.81 = sext i8 %element.36 to i64
  %sum.27 = add i64 %sum.11, %converted.81
  %converted.82 = fpext half %element.52 to float
  %converted.83 = fpext half %element.52 to float
  %dot.27 = call float @llvm.fma.f32(float %converted.82, float %converted.83, float %dot.11)
  %converted.84 = sext i8 %element.35 to i64
  %sum.28 = add i64 %sum.12, %converted.84
  %converted.85 = fpext half %element.51 to float
  %converted.86 = fpext half %element.51 to float
  %dot.28 = call float @llvm.fma.f32(float %converted.85, float %converted.86, float %dot.12)
  %converted.87 = sext i8 %element.34 to i64
  %sum.29 = add i64 %sum.13, %converted.87
  %converted.88 = fpext half %element.50 to float
  %converted.89 = fpext half %element.50 to float
  %dot.29 = call float @llvm.fma.f32(float %converted.88, float %converted.89, float %dot.13)
  %converted.90 = sext i8 %element.33 to i64
  %sum.30 = add i64 %sum.14, %converted.90
  %converted.91 = fpext half %element.49 to float
  %converted.92 = fpext half %element.49 to float
  %dot.30 = call float @llvm.fma.f32(float %converted.91, float %converted.92, float %dot.14)
  %converted.93 = sext i8 %element.32 to i64
  %sum.31 = add i64 %sum.15, %converted.93
  %converted.94 = fpext half %element.48 to float
  %converted.95 = fpext half %element.48 to float
  %dot.31 = call float @llvm.fma.f32(float %converted.94, float %converted.95, float %dot.15)
  %next = sub i32 %first, %grid.warps
  br label %wide.tiles

wide.tiles:
  %tiles.left = phi i32 [ %next, %wide.first ], [ %next.1, %wide.tiles.body ]
  %sum.32 = phi i64 [ %sum.31, %wide.first ], [ %sum.79, %wide.tiles.body ]
  %sum.33 = phi i64 [ %sum.30, %wide.first ], [ %sum.78, %wide.tiles.body ]
  %sum.34 = phi i64 [ %sum.29, %wide.first ], [ %sum.77, %wide.tiles.body ]
  %sum.35 = phi i64 [ %sum.28, %wide.first ], [ %sum.76, %wide.tiles.body ]
  %sum.36 = phi i64 [ %sum.27, %wide.first ], [ %sum.75, %wide.tiles.body ]
  %sum.37 = phi i64 [ %sum.26, %wide.first ], [ %sum.74, %wide.tiles.body ]
  %sum.38 = phi i64 [ %sum.25, %wide.first ], [ %sum.73, %wide.tiles.body ]
  %sum.39 = phi i64 [ %sum.24, %wide.first ], [ %sum.72, %wide.tiles.body ]
  %sum.40 = phi i64 [ %sum.23, %wide.first ], [ %sum.71, %wide.tiles.body ]
  %sum.41 = phi i64 [ %sum.22, %wide.first ], [ %sum.70, %wide.tiles.body ]
  %sum.42 = phi i64 [ %sum.21, %wide.first ], [ %sum.69, %wide.tiles.body ]
  %sum.43 = phi i64 [ %sum.20, %wide.first ], [ %sum.68, %wide.tiles.body ]
  %sum.44 = phi i64 [ %sum.19, %wide.first ], [ %sum.67, %wide.tiles.body ]
  %sum.45 = phi i64 [ %sum.18, %wide.first ], [ %sum.66, %wide.tiles.body ]
  %sum.46 = phi i64 [ %sum.17, %wide.first ], [ %sum.65, %wide.tiles.body ]
  %sum.47 = phi i64 [ %sum.16, %wide.first ], [ %sum.64, %wide.tiles.body ]
  %dot.32 = phi float [ %dot.31, %wide.first ], [ %dot.79, %wide.tiles.body ]
  %dot.33 = phi float [ %dot.30, %wide.first ], [ %dot.78, %wide.tiles.body ]
  %dot.34 = phi float [ %dot.29, %wide.first ], [ %dot.77, %wide.tiles.body ]
  %dot.35 = phi float [ %dot.28, %wide.first ], [ %dot.76, %wide.tiles.body ]
  %dot.36 = phi float [ %dot.27, %wide.first ], [ %dot.75, %wide.tiles.body ]
  %dot.37 = phi float [ %dot.26, %wide.first ], [ %dot.74, %wide.tiles.body ]
  %dot.38 = phi float [ %dot.25, %wide.first ], [ %dot.73, %wide.tiles.body ]
  %dot.39 = phi float [ %dot.24, %wide.first ], [ %dot.72, %wide.tiles.body ]
  %dot.40 = phi float [ %dot.23, %wide.first ], [ %dot.71, %wide.tiles.body ]
  %dot.41 = phi float [ %dot.22, %wide.first ], [ %dot.70, %wide.tiles.body ]
  %dot.42 = phi float [ %dot.21, %wide.first ], [ %dot.69, %wide.tiles.body ]
  %dot.43 = phi float [ %dot.20, %wide.first ], [ %dot.68, %wide.tiles.body ]
  %dot.44 = phi float [ %dot.19, %wide.first ], [ %dot.67, %wide.tiles.body ]
  %dot.45 = phi float [ %dot.18, %wide.first ], [ %dot.66, %wide.tiles.body ]
  %dot.46 = phi float [ %dot.17, %wide.first ], [ %dot.65, %wide.tiles.body ]
  %dot.47 = phi float [ %dot.16, %wide.first ], [ %dot.64, %wide.tiles.body ]
  %goes.on = icmp sge i32 %tiles.left, 1
  br i1 %goes.on, label %wide.tiles.body, label %wide.tiles.last

wide.tiles.body:
  %wide.2 = zext i32 %lane to i64
  %wide.3 = sext i32 %tiles.left to i64
  %offset.5 = mul i64 %wide.2, 16
  %offset.6 = mul i64 %wide.3, 1024
  %offset.7 = add i64 %offset.5, %offset.6
  %offset.8 = mul i64 %offset.7, 1
  %at.8 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.8
  %offset.9 = mul i64 %offset.7, 2
  %at.9 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.9
  %at.10 = getelementptr i8, ptr addrspace(1) %at.8, i64 -512
  %loaded.6 = load <16 x i8>, ptr addrspace(1) %at.10, align 16, !invariant.load !0
  %element.64 = extractelement <16 x i8> %loaded.6, i32 0
  %element.65 = extractelement <16 x i8> %loaded.6, i32 1
  %element.66 = extractelement <16 x i8> %loaded.6, i32 2
  %element.67 = extractelement <16 x i8> %loaded.6, i32 3
  %element.68 = extractelement <16 x i8> %loaded.6, i32 4
  %element.69 = extractelement <16 x i8> %loaded.6, i32 5
  %element.70 = extractelement <16 x i8> %loaded.6, i32 6
  %element.71 = extractelement <16 x i8> %loaded.6, i32 7
  %element.72 = extractelement <16 x i8> %loaded.6, i32 8
  %element.73 = extractelement <16 x i8> %loaded.6, i32 9
  %element.74 = extractelement <16 x i8> %loaded.6, i32 10
  %element.75 = extractelement <16 x i8> %loaded.6, i32 11
  %element.76 = extractelement <16 x i8> %loaded.6, i32 12
  %element.77 = extractelement <16 x i8> %loaded.6, i32 13
  %element.78 = extractelement <16 x i8> %loaded.6, i32 14
  %element.79 = extractelement <16 x i8> %loaded.6, i32 15
  %at.11 = getelementptr i8, ptr addrspace(1) %at.9, i64 -1024
  %loaded.7 = load <8 x half>, ptr addrspace(1) %at.11, align 16, !invariant.load !0
  %element.80 = extractelement <8 x half> %loaded.7, i32 0
  %element.81 = extractelement <8 x half> %loaded.7, i32 1
  %element.82 = extractelement <8 x half> %loaded.7, i32 2
  %element.83 = extractelement <8 x half> %loaded.7, i32 3
  %element.84 = extractelement <8 x half> %loaded.7, i32 4
  %element.85 = extractelement <8 x half> %loaded.7, i32 5
  %element.86 = extractelement <8 x half> %loaded.7, i32 6
  %element.87 = extractelement <8 x half> %loaded.7, i32 7
  %at.12 = getelementptr i8, ptr addrspace(1) %at.9, i64 -1008
  %loaded.8 = load <8 x half>, ptr addrspace(1) %at.12, align 16, !invariant.load !0
  %element.88 = extractelement <8 x half> %loaded.8, i32 0
  %element.89 = extractelement <8 x half> %loaded.8, i32 1
  %element.90 = extractelement <8 x half> %loaded.8, i32 2
  %element.91 = extractelement <8 x half> %loaded.8, i32 3
  %element.92 = extractelement <8 x half> %loaded.8, i32 4
  %element.93 = extractelement <8 x half> %loaded.8, i32 5
  %element.94 = extractelement <8 x half> %loaded.8, i32 6
  %element.95 = extractelement <8 x half> %loaded.8, i32 7
  %at.13 = getelementptr i8, ptr addrspace(1) %at.8, i64 -1024
  %loaded.9 = load <16 x i8>, ptr addrspace(1) %at.13, align 16, !invariant.load !0
  %element.96 = extractelement <16 x i8> %loaded.9, i32 0
  %element.97 = extractelement <16 x i8> %loaded.9, i32 1
  %element.98 = extractelement <16 x i8> %loaded.9, i32 2
  %element.99 = extractelement <16 x i8> %loaded.9, i32 3
  %element.100 = extractelement <16 x i8> %loaded.9, i32 4
  %element.101 = extractelement <16 x i8> %loaded.9, i32 5
  %element.102 = extractelement <16 x i8> %loaded.9, i32 6
  %element.103 = extractelement <16 x i8> %loaded.9, i32 7
  %element.104 = extractelement <16 x i8> %loaded.9, i32 8
  %element.105 = extractelement <16 x i8> %loaded.9, i32 9
  %element.106 = extractelement <16 x i8> %loaded.9, i32 10
  %element.107 = extractelement <16 x i8> %loaded.9, i32 11
  %element.108 = extractelement <16 x i8> %loaded.9, i32 12
  %element.109 = extractelement <16 x i8> %loaded.9, i32 13
  %element.110 = extractelement <16 x i8> %loaded.9, i32 14
  %element.111 = extractelement <16 x i8> %loaded.9, i32 15
  %at.14 = getelementptr i8, ptr addrspace(1) %at.9, i64 -2048
  %loaded.10 = load <8 x half>, ptr addrspace(1) %at.14, align 16, !invariant.load !0
  %element.112 = extractelement <8 x half> %loaded.10, i32 0
  %element.113 = extractelement <8 x half> %loaded.10, i32 1
  %element.114 = extractelement <8 x half> %loaded.10, i32 2
  %element.115 = extractelement <8 x half> %loaded.10, i32 3
  %element.116 = extractelement <8 x half> %loaded.10, i32 4
  %element.117 = extractelement <8 x half> %loaded.10, i32 5
  %element.118 = extractelement <8 x half> %loaded.10, i32 6
  %element.119 = extractelement <8 x half> %loaded.10, i32 7
  %at.15 = getelementptr i8, ptr addrspace(1) %at.9, i64 -2032
  %loaded.11 = load <8 x half>, ptr addrspace(1) %at.15, align 16, !invariant.load !0
  %element.120 = extractelement <8 x half> %loaded.11, i32 0
  %element.121 = extractelement <8 x half> %loaded.11, i32 1
  %element.122 = extractelement <8 x half> %loaded.11, i32 2
  %element.123 = extractelement <8 x half> %loaded.11, i32 3
  %element.124 = extractelement <8 x half> %loaded.11, i32 4
  %element.125 = extractelement <8 x half> %loaded.11, i32 5
  %element.126 = extractelement <8 x half> %loaded.11, i32 6
  %element.127 = extractelement <8 x half> %loaded.11, i32 7
  %converted.96 = sext i8 %element.79 to i64
  %sum.48 = add i64 %sum.47, %converted.96
  %converted.97 = fpext half %element.95 to float
  %converted.98 = fpext half %element.95 to float
  %dot.48 = call float @llvm.fma.f32(float %converted.97, float %converted.98, float %dot.47)
  %converted.99 = sext i8 %element.78 to i64
  %sum.49 = add i64 %sum.46, %converted.99
  %converted.100 = fpext half %element.94 to float
  %converted.101 = fpext half %element.94 to float
  %dot.49 = call float @llvm.fma.f32(float %converted.100, float %converted.101, float %dot.46)
  %converted.102 = sext i8 %element.77 to i64
  %sum.50 = add i64 %sum.45, %converted.102
  %converted.103 = fpext half %element.93 to float
  %converted.104 = fpext half %element.93 to float
  %dot.50 = call float @llvm.fma.f32(float %converted.103, float %converted.104, float %dot.45)
  %converted.105 = sext i8 %element.76 to i64
  %sum.51 = add i64 %sum.44, %converted.105
  %converted.106 = fpext half %element.92 to float
  %converted.107 = fpext half %element.92 to float
  %dot.51 = call float @llvm.fma.f32(float %converted.106, float %converted.107, float %dot.44)
  %converted.108 = sext i8 %element.75 to i64
  %sum.52 = add i64 %sum.43, %converted.108
  %converted.109 = fpext half %element.91 to float
  %converted.110 = fpext half %element.91 to float
  %dot.52 = call float @llvm.fma.f32(float %converted.109, float %converted.110, float %dot.43)
  %converted.111 = sext i8 %element.74 to i64
  %sum.53 = add i64 %sum.42, %converted.111
  %converted.112 = fpext half %element.90 to float
  %converted.113 = fpext half %element.90 to float
  %dot.53 = call float @llvm.fma.f32(float %converted.112, float %converted.113, float %dot.42)
  %converted.114 = sext i8 %element.73 to i64
  %sum.54 = add i64 %sum.41, %converted.114
  %converted.115 = fpext half %element.89 to float
  %converted.116 = fpext half %element.89 to float
  %dot.54 = call float @llvm.fma.f32(float %converted.115, float %converted.116, float %dot.41)
  %converted.117 = sext i8 %element.72 to i64
  %sum.55 = add i64 %sum.40, %converted.117
  %converted.118 = fpext half %element.88 to float
  %converted.119 = fpext half %element.88 to float
  %dot.55 = call float @llvm.fma.f32(float %converted.118, float %converted.119, float %dot.40)
  %converted.120 = sext i8 %element.71 to i64
  %sum.56 = add i64 %sum.39, %converted.120
  %converted.121 = fpext half %element.87 to float
  %converted.122 = fpext half %element.87 to float
  %dot.56 = call float @llvm.fma.f32(float %converted.121, float %converted.122, float %dot.39)
  %converted.123 = sext i8 %element.70 to i64
  %sum.57 = add i64 %sum.38, %converted.123
  %converted.124 = fpext half %element.86 to float
  %converted.125 = fpext half %element.86 to float
  %dot.57 = call float @llvm.fma.f32(float %converted.124, float %converted.125, float %dot.38)
  %converted.126 = sext i8 %element.69 to i64
  %sum.58 = add i64 %sum.37, %converted.126
  %converted.127 = fpext half %element.85 to float
  %converted.128 = fpext half %element.85 to float
  %dot.58 = call float @llvm.fma.f32(float %converted.127, float %converted.128, float %dot.37)
  %converted.129 = sext i8 %element.68 to i64
  %sum.59 = add i64 %sum.36, %converted.129
  %converted.130 = fpext half %element.84 to float
  %converted.131 = fpext half %element.84 to float
  %dot.59 = call float @llvm.fma.f32(float %converted.130, float %converted.131, float %dot.36)
  %converted.132 = sext i8 %element.67 to i64
  %sum.60 = add i64 %sum.35, %converted.132
  %converted.133 = fpext half %element.83 to float
  %converted.134 = fpext half %element.83 to float
  %dot.60 = call float @llvm.fma.f32(float %converted.133, float %converted.134, float %dot.35)
  %converted.135 = sext i8 %element.66 to i64
  %sum.61 = add i64 %sum.34, %converted.135
  %converted.136 = fpext half %element.82 to float
  %converted.137 = fpext half %element.82 to float
  %dot.61 = call float @llvm.fma.f32(float %converted.136, float %converted.137, float %dot.34)
  %converted.138 = sext i8 %element.65 to i64
  %sum.62 = add i64 %sum.33, %converted.138
  %converted.139 = fpext half %element.81 to float
  %converted.140 = fpext half %element.81 to float
  %dot.62 = call float @llvm.fma.f32(float %converted.139, float %converted.140, float %dot.33)
  %converted.141 = sext i8 %element.64 to i64
  %sum.63 = add i64 %sum.32, %converted.141
  %converted.142 = fpext half %element.80 to float
  %converted.143 = fpext half %element.80 to float
  %dot.63 = call float @llvm.fma.f32(float %converted.142, float %converted.143, float %dot.32)
  %converted.144 = sext i8 %element.111 to i64
  %sum.64 = add i64 %sum.48, %converted.144
  %converted.145 = fpext half %element.127 to float
  %converted.146 = fpext half %element.127 to float
  %dot.64 = call float @llvm.fma.f32(float %converted.145, float %converted.146, float %dot.48)
  %converted.147 = sext i8 %element.110 to i64
  %sum.65 = add i64 %sum.49, %converted.147
  %converted.148 = fpext half %element.126 to float
  %converted.149 = fpext half %element.126 to float
  %dot.65 = call float @llvm.fma.f32(float %converted.148, float %converted.149, float %dot.49)
  %converted.150 = sext i8 %element.109 to i64
  %sum.66 = add i64 %sum.50, %converted.150
  %converted.151 = fpext half %element.125 to float
  %converted.152 = fpext half %element.125 to float
  %dot.66 = call float @llvm.fma.f32(float %converted.151, float %converted.152, float %dot.50)
  %converted.153 = sext i8 %element.108 to i64
  %sum.67 = add i64 %sum.51, %converted.153
  %converted.154 = fpext half %element.124 to float
  %converted.155 = fpext half %element.124 to float
  %dot.67 = call float @llvm.fma.f32(float %converted.154, float %converted.155, float %dot.51)
  %converted.156 = sext i8 %element.107 to i64
  %sum.68 = add i64 %sum.52, %converted.156
  %converted.157 = fpext half %element.123 to float
  %converted.158 = fpext half %element.123 to float
  %dot.68 = call float @llvm.fma.f32(float %converted.157, float %converted.158, float %dot.52)
  %converted.159 = sext i8 %element.106 to i64
  %sum.69 = add i64 %sum.53, %converted.159
  %converted.160 = fpext half %element.122 to float
  %converted.161 = fpext half %element.122 to float
  %dot.69 = call float @llvm.fma.f32(float %converted.160, float %converted.161, float %dot.53)
  %converted.162 = sext i8 %element.105 to i64
  %sum.70 = add i64 %sum.54, %converted.162
  %converted.163 = fpext half %element.121 to float
  %converted.164 = fpext half %element.121 to float
  %dot.70 = call float @llvm.fma.f32(float %converted.163, float %converted.164, float %dot.54)
  %converted.165 = sext i8 %element.104 to i64
  %sum.71 = add i64 %sum.55, %converted.165
  %converted.166 = fpext half %element.120 to float
  %converted.167 = fpext half %element.120 to float
  %dot.71 = call float @llvm.fma.f32(float %converted.166, float %converted.167, float %dot.55)
  %converted.168 = sext i8 %element.103 to i64
  %sum.72 = add i64 %sum.56, %converted.168
  %converted.169 = fpext half %element.119 to float
  %converted.170 = fpext half %element.119 to float
  %dot.72 = call float @llvm.fma.f32(float %converted.169, float %converted.170, float %dot.56)
  %converted.171 = sext i8 %element.102 to i64
  %sum.73 = add i64 %sum.57, %converted.171
  %converted.172 = fpext half %element.118 to float
  %converted.173 = fpext half %element.118 to float
  %dot.73 = call float @llvm.fma.f32(float %converted.172, float %converted.173, float %dot.57)
  %converted.174 = sext i8 %element.101 to i64
  %sum.74 = add i64 %sum.58, %converted.174
  %converted.175 = fpext half %element.117 to float
  %converted.176 = fpext half %element.117 to float
  %dot.74 = call float @llvm.fma.f32(float %converted.175, float %converted.176, float %dot.58)
  %converted.177 = sext i8 %element.100 to i64
  %sum.75 = add i64 %sum.59, %converted.177
  %converted.178 = fpext half %element.116 to float
  %converted.179 = fpext half %element.116 to float
  %dot.75 = call float @llvm.fma.f32(float %converted.178, float %converted.179, float %dot.59)
  %converted.180 = sext i8 %element.99 to i64
  %sum.76 = add i64 %sum.60, %converted.180
  %converted.181 = fpext half %element.115 to float
  %converted.182 = fpext half %element.115 to float
  %dot.76 = call float @llvm.fma.f32(float %converted.181, float %converted.182, float %dot.60)
  %converted.183 = sext i8 %element.98 to i64
  %sum.77 = add i64 %sum.61, %converted.183
  %converted.184 = fpext half %element.114 to float
  %converted.185 = fpext half %element.114 to float
  %dot.77 = call float @llvm.fma.f32(float %converted.184, float %converted.185, float %dot.61)
  %converted.186 = sext i8 %element.97 to i64
  %sum.78 = add i64 %sum.62, %converted.186
  %converted.187 = fpext half %element.113 to float
  %converted.188 = fpext half %element.113 to float
  %dot.78 = call float @llvm.fma.f32(float %converted.187, float %converted.188, float %dot.62)
  %converted.189 = sext i8 %element.96 to i64
  %sum.79 = add i64 %sum.63, %converted.189
  %converted.190 = fpext half %element.112 to float
  %converted.191 = fpext half %element.112 to float
  %dot.79 = call float @llvm.fma.f32(float %converted.190, float %converted.191, float %dot.63)
  %next.1 = sub i32 %tiles.left, %grid.warps
  br label %wide.tiles, !llvm.loop !4

wide.tiles.last:
  %sum.total = add i64 %sum.32, %sum.33
  %sum.total.1 = add i64 %sum.total, %sum.34
  %sum.total.2 = add i64 %sum.total.1, %sum.35
  %sum.total.3 = add i64 %sum.total.2, %sum.36
  %sum.total.4 = add i64 %sum.total.3, %sum.37
  %sum.total.5 = add i64 %sum.total.4, %sum.38
  %sum.total.6 = add i64 %sum.total.5, %sum.39
  %sum.total.7 = add i64 %sum.total.6, %sum.40
  %sum.total.8 = add i64 %sum.total.7, %sum.41
  %sum.total.9 = add i64 %sum.total.8, %sum.42
  %sum.total.10 = add i64 %sum.total.9, %sum.43
  %sum.total.11 = add i64 %sum.total.10, %sum.44
  %sum.total.12 = add i64 %sum.total.11, %sum.45
  %sum.total.13 = add i64 %sum.total.12, %sum.46
  %sum.total.14 = add i64 %sum.total.13, %sum.47
  %dot.total = fadd float %dot.32, %dot.33
  %dot.total.1 = fadd float %dot.total, %dot.34
  %dot.total.2 = fadd float %dot.total.1, %dot.35
  %dot.total.3 = fadd float %dot.total.2, %dot.36
  %dot.total.4 = fadd float %dot.total.3, %dot.37
  %dot.total.5 = fadd float %dot.total.4, %dot.38
  %dot.total.6 = fadd float %dot.total.5, %dot.39
  %dot.total.7 = fadd float %dot.total.6, %dot.40
  %dot.total.8 = fadd float %dot.total.7, %dot.41
  %dot.total.9 = fadd float %dot.total.8, %dot.42
  %dot.total.10 = fadd float %dot.total.9, %dot.43
  %dot.total.11 = fadd float %dot.total.10, %dot.44
  %dot.total.12 = fadd float %dot.total.11, %dot.45
  %dot.total.13 = fadd float %dot.total.12, %dot.46
  %dot.total.14 = fadd float %dot.total.13, %dot.47
  br label %wide.tiles.end

wide.tiles.end:
  %sum.80 = phi i64 [ 0, %aligned ], [ %sum.total.14, %wide.tiles.last ]
  %dot.80 = phi float [ -0.0, %aligned ], [ %dot.total.14, %wide.tiles.last ]
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
  %at.16 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.13
  %offset.14 = mul i64 %offset.12, 2
  %at.17 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.14
  %at.18 = getelementptr i8, ptr addrspace(1) %at.16, i64 -512
  %element.128 = load i8, ptr addrspace(1) %at.18, align 1, !invariant.load !0
  %at.19 = getelementptr i8, ptr addrspace(1) %at.16, i64 -511
  %element.129 = load i8, ptr addrspace(1) %at.19, align 1, !invariant.load !0
  %at.20 = getelementptr i8, ptr addrspace(1) %at.16, i64 -510
  %element.130 = load i8, ptr addrspace(1) %at.20, align 1, !invariant.load !0
  %at.21 = getelementptr i8, ptr addrspace(1) %at.16, i64 -509
  %element.131 = load i8, ptr addrspace(1) %at.21, align 1, !invariant.load !0
  %at.22 = getelementptr i8, ptr addrspace(1) %at.16, i64 -508
  %element.132 = load i8, ptr addrspace(1) %at.22, align 1, !invariant.load !0
  %at.23 = getelementptr i8, ptr addrspace(1) %at.16, i64 -507
  %element.133 = load i8, ptr addrspace(1) %at.23, align 1, !invariant.load !0
  %at.24 = getelementptr i8, ptr addrspace(1) %at.16, i64 -506
  %element.134 = load i8, ptr addrspace(1) %at.24, align 1, !invariant.load !0
  %at.25 = getelementptr i8, ptr addrspace(1) %at.16, i64 -505
  %element.135 = load i8, ptr addrspace(1) %at.25, align 1, !invariant.load !0
  %at.26 = getelementptr i8, ptr addrspace(1) %at.16, i64 -504
  %element.136 = load i8, ptr addrspace(1) %at.26, align 1, !invariant.load !0
  %at.27 = getelementptr i8, ptr addrspace(1) %at.16, i64 -503
  %element.137 = load i8, ptr addrspace(1) %at.27, align 1, !invariant.load !0
  %at.28 = getelementptr i8, ptr addrspace(1) %at.16, i64 -502
  %element.138 = load i8, ptr addrspace(1) %at.28, align 1, !invariant.load !0
  %at.29 = getelementptr i8, ptr addrspace(1) %at.16, i64 -501
  %element.139 = load i8, ptr addrspace(1) %at.29, align 1, !invariant.load !0
  %at.30 = getelementptr i8, ptr addrspace(1) %at.16, i64 -500
  %element.140 = load i8, ptr addrspace(1) %at.30, align 1, !invariant.load !0
  %at.31 = getelementptr i8, ptr addrspace(1) %at.16, i64 -499
  %element.141 = load i8, ptr addrspace(1) %at.31, align 1, !invariant.load !0
  %at.32 = getelementptr i8, ptr addrspace(1) %at.16, i64 -498
  %element.142 = load i8, ptr addrspace(1) %at.32, align 1, !invariant.load !0
  %at.33 = getelementptr i8, ptr addrspace(1) %at.16, i64 -497
  %element.143 = load i8, ptr addrspace(1) %at.33, align 1, !invariant.load !0
  %at.34 = getelementptr i8, ptr addrspace(1) %at.17, i64 -1024
  %element.144 = load half, ptr addrspace(1) %at.34, align 2, !invariant.load !0
  %at.35 = getelementptr i8, ptr addrspace(1) %at.17, i64 -1022
  %element.145 = load half, ptr addrspace(1) %at.35, align 2, !invariant.load !0
  %at.36 = getelementptr i8, ptr addrspace(1) %at.17, i64 -1020
  %element.146 = load half, ptr addrspace(1) %at.36, align 2, !invariant.load !0
  %at.37 = getelementptr i8, ptr addrspace(1) %at.17, i64 -1018
  %element.147 = load half, ptr addrspace(1) %at.37, align 2, !invariant.load !0
  %at.38 = getelementptr i8, ptr addrspace(1) %at.17, i64 -1016
  %element.148 = load half, ptr addrspace(1) %at.38, align 2, !invariant.load !0
  %at.39 = getelementptr i8, ptr addrspace(1) %at.17, i64 -1014
  %element.149 = load half, ptr addrspace(1) %at.39, align 2, !invariant.load !0
  %at.40 = getelementptr i8, ptr addrspace(1) %at.17, i64 -1012
  %element.150 = load half, ptr addrspace(1) %at.40, align 2, !invariant.load !0
  %at.41 = getelementptr i8, ptr addrspace(1) %at.17, i64 -1010
  %element.151 = load half, ptr addrspace(1) %at.41, align 2, !invariant.load !0
  %at.42 = getelementptr i8, ptr addrspace(1) %at.17, i64 -1008
  %element.152 = load half, ptr addrspace(1) %at.42, align 2, !invariant.load !0
  %at.43 = getelementptr i8, ptr addrspace(1) %at.17, i64 -1006
  %element.153 = load half, ptr addrspace(1) %at.43, align 2, !invariant.load !0
  %at.44 = getelementptr i8, ptr addrspace(1) %at.17, i64 -1004
  %element.154 = load half, ptr addrspace(1) %at.44, align 2, !invariant.load !0
  %at.45 = getelementptr i8, ptr addrspace(1) %at.17, i64 -1002
  %element.155 = load half, ptr addrspace(1) %at.45, align 2, !invariant.load !0
  %at.46 = getelementptr i8, ptr addrspace(1) %at.17, i64 -1000
  %element.156 = load half, ptr addrspace(1) %at.46, align 2, !invariant.load !0
  %at.47 = getelementptr i8, ptr addrspace(1) %at.17, i64 -998
  %element.157 = load half, ptr addrspace(1) %at.47, align 2, !invariant.load !0
  %at.48 = getelementptr i8, ptr addrspace(1) %at.17, i64 -996
  %element.158 = load half, ptr addrspace(1) %at.48, align 2, !invariant.load !0
  %at.49 = getelementptr i8, ptr addrspace(1) %at.17, i64 -994
  %element.159 = load half, ptr addrspace(1) %at.49, align 2, !invariant.load !0
  %at.50 = getelementptr i8, ptr addrspace(1) %at.16, i64 -1024
  %element.160 = load i8, ptr addrspace(1) %at.50, align 1, !invariant.load !0
  %at.51 = getelementptr i8, ptr addrspace(1) %at.16, i64 -1023
  %element.161 = load i8, ptr addrspace(1) %at.51, align 1, !invariant.load !0
  %at.52 = getelementptr i8, ptr addrspace(1) %at.16, i64 -1022
  %element.162 = load i8, ptr addrspace(1) %at.52, align 1, !invariant.load !0
  %at.53 = getelementptr i8, ptr addrspace(1) %at.16, i64 -1021
  %element.163 = load i8, ptr addrspace(1) %at.53, align 1, !invariant.load !0
  %at.54 = getelementptr i8, ptr addrspace(1) %at.16, i64 -1020
  %element.164 = load i8, ptr addrspace(1) %at.54, align 1, !invariant.load !0
  %at.55 = getelementptr i8, ptr addrspace(1) %at.16, i64 -1019
  %element.165 = load i8, ptr addrspace(1) %at.55, align 1, !invariant.load !0
  %at.56 = getelementptr i8, ptr addrspace(1) %at.16, i64 -1018
  %element.166 = load i8, ptr addrspace(1) %at.56, align 1, !invariant.load !0
  %at.57 = getelementptr i8, ptr addrspace(1) %at.16, i64 -1017
  %element.167 = load i8, ptr addrspace(1) %at.57, align 1, !invariant.load !0
  %at.58 = getelementptr i8, ptr addrspace(1) %at.16, i64 -1016
  %element.168 = load i8, ptr addrspace(1) %at.58, align 1, !invariant.load !0
  %at.59 = getelementptr i8, ptr addrspace(1) %at.16, i64 -1015
  %element.169 = load i8, ptr addrspace(1) %at.59, align 1, !invariant.load !0
  %at.60 = getelementptr i8, ptr addrspace(1) %at.16, i64 -1014
  %element.170 = load i8, ptr addrspace(1) %at.60, align 1, !invariant.load !0
  %at.61 = getelementptr i8, ptr addrspace(1) %at.16, i64 -1013
  %element.171 = load i8, ptr addrspace(1) %at.61, align 1, !invariant.load !0
  %at.62 = getelementptr i8, ptr addrspace(1) %at.16, i64 -1012
  %element.172 = load i8, ptr addrspace(1) %at.62, align 1, !invariant.load !0
  %at.63 = getelementptr i8, ptr addrspace(1) %at.16, i64 -1011
  %element.173 = load i8, ptr addrspace(1) %at.63, align 1, !invariant.load !0
  %at.64 = getelementptr i8, ptr addrspace(1) %at.16, i64 -1010
  %element.174 = load i8, ptr addrspace(1) %at.64, align 1, !invariant.load !0
  %at.65 = getelementptr i8, ptr addrspace(1) %at.16, i64 -1009
  %element.175 = load i8, ptr addrspace(1) %at.65, align 1, !invariant.load !0
  %at.66 = getelementptr i8, ptr addrspace(1) %at.17, i64 -2048
  %element.176 = load half, ptr addrspace(1) %at.66, align 2, !invariant.load !0
  %at.67 = getelementptr i8, ptr addrspace(1) %at.17, i64 -2046
  %element.177 = load half, ptr addrspace(1) %at.67, align 2, !invariant.load !0
  %at.68 = getelementptr i8, ptr addrspace(1) %at.17, i64 -2044
  %element.178 = load half, ptr addrspace(1) %at.68, align 2, !invariant.load !0
  %at.69 = getelementptr i8, ptr addrspace(1) %at.17, i64 -2042
  %element.179 = load half, ptr addrspace(1) %at.69, align 2, !invariant.load !0
  %at.70 = getelementptr i8, ptr addrspace(1) %at.17, i64 -2040
  %element.180 = load half, ptr addrspace(1) %at.70, align 2, !invariant.load !0
  %at.71 = getelementptr i8, ptr addrspace(1) %at.17, i64 -2038
  %element.181 = load half, ptr addrspace(1) %at.71, align 2, !invariant.load !0
  %at.72 = getelementptr i8, ptr addrspace(1) %at.17, i64 -2036
  %element.182 = load half, ptr addrspace(1) %at.72, align 2, !invariant.load !0
  %at.73 = getelementptr i8, ptr addrspace(1) %at.17, i64 -2034
  %element.183 = load half, ptr addrspace(1) %at.73, align 2, !invariant.load !0
  %at.74 = getelementptr i8, ptr addrspace(1) %at.17, i64 -2032
  %element.184 = load half, ptr addrspace(1) %at.74, align 2, !invariant.load !0
  %at.75 = getelementptr i8, ptr addrspace(1) %at.17, i64 -2030
  %element.185 = load half, ptr addrspace(1) %at.75, align 2, !invariant.load !0
  %at.76 = getelementptr i8, ptr addrspace(1) %at.17, i64 -2028
  %element.186 = load half, ptr addrspace(1) %at.76, align 2, !invariant.load !0
  %at.77 = getelementptr i8, ptr addrspace(1) %at.17, i64 -2026
  %element.187 = load half, ptr addrspace(1) %at.77, align 2, !invariant.load !0
  %at.78 = getelementptr i8, ptr addrspace(1) %at.17, i64 -2024
  %element.188 = load half, ptr addrspace(1) %at.78, align 2, !invariant.load !0
  %at.79 = getelementptr i8, ptr addrspace(1) %at.17, i64 -2022
  %element.189 = load half, ptr addrspace(1) %at.79, align 2, !invariant.load !0
  %at.80 = getelementptr i8, ptr addrspace(1) %at.17, i64 -2020
  %element.190 = load half, ptr addrspace(1) %at.80, align 2, !invariant.load !0
  %at.81 = getelementptr i8, ptr addrspace(1) %at.17, i64 -2018
  %element.191 = load half, ptr addrspace(1) %at.81, align 2, !invariant.load !0
  %converted.192 = sext i8 %element.143 to i64
  %sum.81 = add i64 0, %converted.192
  %converted.193 = fpext half %element.159 to float
  %converted.194 = fpext half %element.159 to float
  %dot.81 = call float @llvm.fma.f32(float %converted.193, float %converted.194, float -0.0)
  %converted.195 = sext i8 %element.142 to i64
  %sum.82 = add i64 0, %converted.195
  %converted.196 = fpext half %element.158 to float
  %converted.197 = fpext half %element.158 to float
  %dot.82 = call float @llvm.fma.f32(float %converted.196, float %converted.197, float -0.0)
  %converted.198 = sext i8 %element.141 to i64
  %sum.83 = add i64 0, %converted.198
  %converted.199 = fpext half %element.157 to float
  %converted.200 = fpext half %element.157 to float
  %dot.83 = call float @llvm.fma.f32(float %converted.199, float %converted.200, float -0.0)
  %converted.201 = sext i8 %element.140 to i64
  %sum.84 = add i64 0, %converted.201
  %converted.202 = fpext half %element.156 to float
  %converted.203 = fpext half %element.156 to float
  %dot.84 = call float @llvm.fma.f32(float %converted.202, float %converted.203, float -0.0)
  %converted.204 = sext i8 %element.139 to i64
  %sum.85 = add i64 0, %converted.204
  %converted.205 = fpext half %element.155 to float
  %converted.206 = fpext half %element.155 to float
  %dot.85 = call float @llvm.fma.f32(float %converted.205, float %converted.206, float -0.0)
  %converted.207 = sext i8 %element.138 to i64
  %sum.86 = add i64 0, %converted.207
  %converted.208 = fpext half %element.154 to float
  %converted.209 = fpext half %element.154 to float
  %dot.86 = call float @llvm.fma.f32(float %converted.208, float %converted.209, float -0.0)
  %converted.210 = sext i8 %element.137 to i64
  %sum.87 = add i64 0, %converted.210
  %converted.211 = fpext half %element.153 to float
  %converted.212 = fpext half %element.153 to float
  %dot.87 = call float @llvm.fma.f32(float %converted.211, float %converted.212, float -0.0)
  %converted.213 = sext i8 %element.136 to i64
  %sum.88 = add i64 0, %converted.213
  %converted.214 = fpext half %element.152 to float
  %converted.215 = fpext half %element.152 to float
  %dot.88 = call float @llvm.fma.f32(float %converted.214, float %converted.215, float -0.0)
  %converted.216 = sext i8 %element.135 to i64
  %sum.89 = add i64 0, %converted.216
  %converted.217 = fpext half %element.151 to float
  %converted.218 = fpext half %element.151 to float
  %dot.89 = call float @llvm.fma.f32(float %converted.217, float %converted.218, float -0.0)
  %converted.219 = sext i8 %element.134 to i64
  %sum.90 = add i64 0, %converted.219
  %converted.220 = fpext half %element.150 to float
  %converted.221 = fpext half %element.150 to float
  %dot.90 = call float @llvm.fma.f32(float %converted.220, float %converted.221, float -0.0)
  %converted.222 = sext i8 %element.133 to i64
  %sum.91 = add i64 0, %converted.222
  %converted.223 = fpext half %element.149 to float
  %converted.224 = fpext half %element.149 to float
  %dot.91 = call float @llvm.fma.f32(float %converted.223, float %converted.224, float -0.0)
  %converted.225 = sext i8 %element.132 to i64
  %sum.92 = add i64 0, %converted.225
  %converted.226 = fpext half %element.148 to float
  %converted.227 = fpext half %element.148 to float
  %dot.92 = call float @llvm.fma.f32(float %converted.226, float %converted.227, float -0.0)
  %converted.228 = sext i8 %element.131 to i64
  %sum.93 = add i64 0, %converted.228
  %converted.229 = fpext half %element.147 to float
  %converted.230 = fpext half %element.147 to float
  %dot.93 = call float @llvm.fma.f32(float %converted.229, float %converted.230, float -0.0)
  %converted.231 = sext i8 %element.130 to i64
  %sum.94 = add i64 0, %converted.231
  %converted.232 = fpext half %element.146 to float
  %converted.233 = fpext half %element.146 to float
  %dot.94 = call float @llvm.fma.f32(float %converted.232, float %converted.233, float -0.0)
  %converted.234 = sext i8 %element.129 to i64
  %sum.95 = add i64 0, %converted.234
  %converted.235 = fpext half %element.145 to float
  %converted.236 = fpext half %element.145 to float
  %dot.95 = call float @llvm.fma.f32(float %converted.235, float %converted.236, float -0.0)
  %converted.237 = sext i8 %element.128 to i64
  %sum.96 = add i64 0, %converted.237
  %converted.238 = fpext half %element.144 to float
  %converted.239 = fpext half %element.144 to float
  %dot.96 = call float @llvm.fma.f32(float %converted.238, float %converted.239, float -0.0)
  %converted.240 = sext i8 %element.175 to i64
  %sum.97 = add i64 %sum.81, %converted.240
  %converted.241 = fpext half %element.191 to float
  %converted.242 = fpext half %element.191 to float
  %dot.97 = call float @llvm.fma.f32(float %converted.241, float %converted.242, float %dot.81)
  %converted.243 = sext i8 %element.174 to i64
  %sum.98 = add i64 %sum.82, %converted.243
  %converted.244 = fpext half %element.190 to float
  %converted.245 = fpext half %element.190 to float
  %dot.98 = call float @llvm.fma.f32(float %converted.244, float %converted.245, float %dot.82)
  %converted.246 = sext i8 %element.173 to i64
  %sum.99 = add i64 %sum.83, %converted.246
  %converted.247 = fpext half %element.189 to float
  %converted.248 = fpext half %element.189 to float
  %dot.99 = call float @llvm.fma.f32(float %converted.247, float %converted.248, float %dot.83)
  %converted.249 = sext i8 %element.172 to i64
  %sum.100 = add i64 %sum.84, %converted.249
  %converted.250 = fpext half %element.188 to float
  %converted.251 = fpext half %element.188 to float
  %dot.100 = call float @llvm.fma.f32(float %converted.250, float %converted.251, float %dot.84)
  %converted.252 = sext i8 %element.171 to i64
  %sum.101 = add i64 %sum.85, %converted.252
  %converted.253 = fpext half %element.187 to float
  %converted.254 = fpext half %element.187 to float
  %dot.101 = call float @llvm.fma.f32(float %converted.253, float %converted.254, float %dot.85)
  %converted.255 = sext i8 %element.170 to i64
  %sum.102 = add i64 %sum.86, %converted.255
  %converted.256 = fpext half %element.186 to float
  %converted.257 = fpext half %element.186 to float
  %dot.102 = call float @llvm.fma.f32(float %converted.256, float %converted.257, float %dot.86)
  %converted.258 = sext i8 %element.169 to i64
  %sum.103 = add i64 %sum.87, %converted.258
  %converted.259 = fpext half %element.185 to float
  %converted.260 = fpext half %element.185 to float
  %dot.103 = call float @llvm.fma.f32(float %converted.259, float %converted.260, float %dot.87)
  %converted.261 = sext i8 %element.168 to i64
  %sum.104 = add i64 %sum.88, %converted.261
  %converted.262 = fpext half %element.184 to float
  %converted.263 = fpext half %element.184 to float
  %dot.104 = call float @llvm.fma.f32(float %converted.262, float %converted.263, float %dot.88)
  %converted.264 = sext i8 %element.167 to i64
  %sum.105 = add i64 %sum.89, %converted.264
  %converted.265 = fpext half %element.183 to float
  %converted.266 = fpext half %element.183 to float
  %dot.105 = call float @llvm.fma.f32(float %converted.265, float %converted.266, float %dot.89)
  %converted.267 = sext i8 %element.166 to i64
  %sum.106 = add i64 %sum.90, %converted.267
  %converted.268 = fpext half %element.182 to float
  %converted.269 = fpext half %element.182 to float
  %dot.106 = call float @llvm.fma.f32(float %converted.268, float %converted.269, float %dot.90)
  %converted.270 = sext i8 %element.165 to i64
  %sum.107 = add i64 %sum.91, %converted.270
  %converted.271 = fpext half %element.181 to float
  %converted.272 = fpext half %element.181 to float
  %dot.107 = call float @llvm.fma.f32(float %converted.271, float %converted.272, float %dot.91)
  %converted.273 = sext i8 %element.164 to i64
  %sum.108 = add i64 %sum.92, %converted.273
  %converted.274 = fpext half %element.180 to float
  %converted.275 = fpext half %element.180 to float
  %dot.108 = call float @llvm.fma.f32(float %converted.274, float %converted.275, float %dot.92)
  %converted.276 = sext i8 %element.163 to i64
  %sum.109 = add i64 %sum.93, %converted.276
  %converted.277 = fpext half %element.179 to float
  %converted.278 = fpext half %element.179 to float
  %dot.109 = call float @llvm.fma.f32(float %converted.277, float %converted.278, float %dot.93)
  %converted.279 = sext i8 %element.162 to i64
  %sum.110 = add i64 %sum.94, %converted.279
  %converted.280 = fpext half %element.178 to float
  %converted.281 = fpext half %element.178 to float
  %dot.110 = call float @llvm.fma.f32(float %converted.280, float %converted.281, float %dot.94)
  %converted.282 = sext i8 %element.161 to i64
  %sum.111 = add i64 %sum.95, %converted.282
  %converted.283 = fpext half %element.177 to float
  %converted.284 = fpext half %element.177 to float
  %dot.111 = call float @llvm.fma.f32(float %converted.283, float %converted.284, float %dot.95)
  %converted.285 = sext i8 %element.160 to i64
  %sum.112 = add i64 %sum.96, %converted.285
  %converted.286 = fpext half %element.176 to float
  %converted.287 = fpext half %element.176 to float
  %dot.112 = call float @llvm.fma.f32(float %converted.286, float %converted.287, float %dot.96)
  %next.2 = sub i32 %first, %grid.warps
  br label %narrow.tiles

narrow.tiles:
  %tiles.left.1 = phi i32 [ %next.2, %narrow.first ], [ %next.3, %narrow.tiles.body ]
  %sum.113 = phi i64 [ %sum.112, %narrow.first ], [ %sum.160, %narrow.tiles.body ]
  %sum.114 = phi i64 [ %sum.111, %narrow.first ], [ %sum.159, %narrow.tiles.body ]
  %sum.115 = phi i64 [ %sum.110, %narrow.first ], [ %sum.158, %narrow.tiles.body ]
  %sum.116 = phi i64 [ %sum.109, %narrow.first ], [ %sum.157, %narrow.tiles.body ]
  %sum.117 = phi i64 [ %sum.108, %narrow.first ], [ %sum.156, %narrow.tiles.body ]
  %sum.118 = phi i64 [ %sum.107, %narrow.first ], [ %sum.155, %narrow.tiles.body ]
  %sum.119 = phi i64 [ %sum.106, %narrow.first ], [ %sum.154, %narrow.tiles.body ]
  %sum.120 = phi i64 [ %sum.105, %narrow.first ], [ %sum.153, %narrow.tiles.body ]
  %sum.121 = phi i64 [ %sum.104, %narrow.first ], [ %sum.152, %narrow.tiles.body ]
  %sum.122 = phi i64 [ %sum.103, %narrow.first ], [ %sum.151, %narrow.tiles.body ]
  %sum.123 = phi i64 [ %sum.102, %narrow.first ], [ %sum.150, %narrow.tiles.body ]
  %sum.124 = phi i64 [ %sum.101, %narrow.first ], [ %sum.149, %narrow.tiles.body ]
  %sum.125 = phi i64 [ %sum.100, %narrow.first ], [ %sum.148, %narrow.tiles.body ]
  %sum.126 = phi i64 [ %sum.99, %narrow.first ], [ %sum.147, %narrow.tiles.body ]
  %sum.127 = phi i64 [ %sum.98, %narrow.first ], [ %sum.146, %narrow.tiles.body ]
  %sum.128 = phi i64 [ %sum.97, %narrow.first ], [ %sum.145, %narrow.tiles.body ]
  %dot.113 = phi float [ %dot.112, %narrow.first ], [ %dot.160, %narrow.tiles.body ]
  %dot.114 = phi float [ %dot.111, %narrow.first ], [ %dot.159, %narrow.tiles.body ]
  %dot.115 = phi float [ %dot.110, %narrow.first ], [ %dot.158, %narrow.tiles.body ]
  %dot.116 = phi float [ %dot.109, %narrow.first ], [ %dot.157, %narrow.tiles.body ]
  %dot.117 = phi float [ %dot.108, %narrow.first ], [ %dot.156, %narrow.tiles.body ]
  %dot.118 = phi float [ %dot.107, %narrow.first ], [ %dot.155, %narrow.tiles.body ]
  %dot.119 = phi float [ %dot.106, %narrow.first ], [ %dot.154, %narrow.tiles.body ]
  %dot.120 = phi float [ %dot.105, %narrow.first ], [ %dot.153, %narrow.tiles.body ]
  %dot.121 = phi float [ %dot.104, %narrow.first ], [ %dot.152, %narrow.tiles.body ]
  %dot.122 = phi float [ %dot.103, %narrow.first ], [ %dot.151, %narrow.tiles.body ]
  %dot.123 = phi float [ %dot.102, %narrow.first ], [ %dot.150, %narrow.tiles.body ]
  %dot.124 = phi float [ %dot.101, %narrow.first ], [ %dot.149, %narrow.tiles.body ]
  %dot.125 = phi float [ %dot.100, %narrow.first ], [ %dot.148, %narrow.tiles.body ]
  %dot.126 = phi float [ %dot.99, %narrow.first ], [ %dot.147, %narrow.tiles.body ]
  %dot.127 = phi float [ %dot.98, %narrow.first ], [ %dot.146, %narrow.tiles.body ]
  %dot.128 = phi float [ %dot.97, %narrow.first ], [ %dot.145, %narrow.tiles.body ]
  %goes.on.1 = icmp sge i32 %tiles.left.1, 1
  br i1 %goes.on.1, label %narrow.tiles.body, label %narrow.tiles.last

narrow.tiles.body:
  %wide.6 = zext i32 %lane to i64
  %wide.7 = sext i32 %tiles.left.1 to i64
  %offset.15 = mul i64 %wide.6, 16
  %offset.16 = mul i64 %wide.7, 1024
  %offset.17 = add i64 %offset.15, %offset.16
  %offset.18 = mul i64 %offset.17, 1
  %at.82 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.18
  %offset.19 = mul i64 %offset.17, 2
  %at.83 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.19
  %at.84 = getelementptr i8, ptr addrspace(1) %at.82, i64 -512
  %element.192 = load i8, ptr addrspace(1) %at.84, align 1, !invariant.load !0
  %at.85 = getelementptr i8, ptr addrspace(1) %at.82, i64 -511
  %element.193 = load i8, ptr addrspace(1) %at.85, align 1, !invariant.load !0
  %at.86 = getelementptr i8, ptr addrspace(1) %at.82, i64 -510
  %element.194 = load i8, ptr addrspace(1) %at.86, align 1, !invariant.load !0
  %at.87 = getelementptr i8, ptr addrspace(1) %at.82, i64 -509
  %element.195 = load i8, ptr addrspace(1) %at.87, align 1, !invariant.load !0
  %at.88 = getelementptr i8, ptr addrspace(1) %at.82, i64 -508
  %element.196 = load i8, ptr addrspace(1) %at.88, align 1, !invariant.load !0
  %at.89 = getelementptr i8, ptr addrspace(1) %at.82, i64 -507
  %element.197 = load i8, ptr addrspace(1) %at.89, align 1, !invariant.load !0
  %at.90 = getelementptr i8, ptr addrspace(1) %at.82, i64 -506
  %element.198 = load i8, ptr addrspace(1) %at.90, align 1, !invariant.load !0
  %at.91 = getelementptr i8, ptr addrspace(1) %at.82, i64 -505
  %element.199 = load i8, ptr addrspace(1) %at.91, align 1, !invariant.load !0
  %at.92 = getelementptr i8, ptr addrspace(1) %at.82, i64 -504
  %element.200 = load i8, ptr addrspace(1) %at.92, align 1, !invariant.load !0
  %at.93 = getelementptr i8, ptr addrspace(1) %at.82, i64 -503
  %element.201 = load i8, ptr addrspace(1) %at.93, align 1, !invariant.load !0
  %at.94 = getelementptr i8, ptr addrspace(1) %at.82, i64 -502
  %element.202 = load i8, ptr addrspace(1) %at.94, align 1, !invariant.load !0
  %at.95 = getelementptr i8, ptr addrspace(1) %at.82, i64 -501
  %element.203 = load i8, ptr addrspace(1) %at.95, align 1, !invariant.load !0
  %at.96 = getelementptr i8, ptr addrspace(1) %at.82, i64 -500
  %element.204 = load i8, ptr addrspace(1) %at.96, align 1, !invariant.load !0
  %at.97 = getelementptr i8, ptr addrspace(1) %at.82, i64 -499
  %element.205 = load i8, ptr addrspace(1) %at.97, align 1, !invariant.load !0
  %at.98 = getelementptr i8, ptr addrspace(1) %at.82, i64 -498
  %element.206 = load i8, ptr addrspace(1) %at.98, align 1, !invariant.load !0
  %at.99 = getelementptr i8, ptr addrspace(1) %at.82, i64 -497
  %element.207 = load i8, ptr addrspace(1) %at.99, align 1, !invariant.load !0
  %at.100 = getelementptr i8, ptr addrspace(1) %at.83, i64 -1024
  %element.208 = load half, ptr addrspace(1) %at.100, align 2, !invariant.load !0
  %at.101 = getelementptr i8, ptr addrspace(1) %at.83, i64 -1022
  %element.209 = load half, ptr addrspace(1) %at.101, align 2, !invariant.load !0
  %at.102 = getelementptr i8, ptr addrspace(1) %at.83, i64 -1020
  %element.210 = load half, ptr addrspace(1) %at.102, align 2, !invariant.load !0
  %at.103 = getelementptr i8, ptr addrspace(1) %at.83, i64 -1018
  %element.211 = load half, ptr addrspace(1) %at.103, align 2, !invariant.load !0
  %at.104 = getelementptr i8, ptr addrspace(1) %at.83, i64 -1016
  %element.212 = load half, ptr addrspace(1) %at.104, align 2, !invariant.load !0
  %at.105 = getelementptr i8, ptr addrspace(1) %at.83, i64 -1014
  %element.213 = load half, ptr addrspace(1) %at.105, align 2, !invariant.load !0
  %at.106 = getelementptr i8, ptr addrspace(1) %at.83, i64 -1012
  %element.214 = load half, ptr addrspace(1) %at.106, align 2, !invariant.load !0
  %at.107 = getelementptr i8, ptr addrspace(1) %at.83, i64 -1010
  %element.215 = load half, ptr addrspace(1) %at.107, align 2, !invariant.load !0
  %at.108 = getelementptr i8, ptr addrspace(1) %at.83, i64 -1008
  %element.216 = load half, ptr addrspace(1) %at.108, align 2, !invariant.load !0
  %at.109 = getelementptr i8, ptr addrspace(1) %at.83, i64 -1006
  %element.217 = load half, ptr addrspace(1) %at.109, align 2, !invariant.load !0
  %at.110 = getelementptr i8, ptr addrspace(1) %at.83, i64 -1004
  %element.218 = load half, ptr addrspace(1) %at.110, align 2, !invariant.load !0
  %at.111 = getelementptr i8, ptr addrspace(1) %at.83, i64 -1002
  %element.219 = load half, ptr addrspace(1) %at.111, align 2, !invariant.load !0
  %at.112 = getelementptr i8, ptr addrspace(1) %at.83, i64 -1000
  %element.220 = load half, ptr addrspace(1) %at.112, align 2, !invariant.load !0
  %at.113 = getelementptr i8, ptr addrspace(1) %at.83, i64 -998
  %element.221 = load half, ptr addrspace(1) %at.113, align 2, !invariant.load !0
  %at.114 = getelementptr i8, ptr addrspace(1) %at.83, i64 -996
  %element.222 = load half, ptr addrspace(1) %at.114, align 2, !invariant.load !0
  %at.115 = getelementptr i8, ptr addrspace(1) %at.83, i64 -994
  %element.223 = load half, ptr addrspace(1) %at.115, align 2, !invariant.load !0
  %at.116 = getelementptr i8, ptr addrspace(1) %at.82, i64 -1024
  %element.224 = load i8, ptr addrspace(1) %at.116, align 1, !invariant.load !0
  %at.117 = getelementptr i8, ptr addrspace(1) %at.82, i64 -1023
  %element.225 = load i8, ptr addrspace(1) %at.117, align 1, !invariant.load !0
  %at.118 = getelementptr i8, ptr addrspace(1) %at.82, i64 -1022
  %element.226 = load i8, ptr addrspace(1) %at.118, align 1, !invariant.load !0
  %at.119 = getelementptr i8, ptr addrspace(1) %at.82, i64 -1021
  %element.227 = load i8, ptr addrspace(1) %at.119, align 1, !invariant.load !0
  %at.120 = getelementptr i8, ptr addrspace(1) %at.82, i64 -1020
  %element.228 = load i8, ptr addrspace(1) %at.120, align 1, !invariant.load !0
  %at.121 = getelementptr i8, ptr addrspace(1) %at.82, i64 -1019
  %element.229 = load i8, ptr addrspace(1) %at.121, align 1, !invariant.load !0
  %at.122 = getelementptr i8, ptr addrspace(1) %at.82, i64 -1018
  %element.230 = load i8, ptr addrspace(1) %at.122, align 1, !invariant.load !0
  %at.123 = getelementptr i8, ptr addrspace(1) %at.82, i64 -1017
  %element.231 = load i8, ptr addrspace(1) %at.123, align 1, !invariant.load !0
  %at.124 = getelementptr i8, ptr addrspace(1) %at.82, i64 -1016
  %element.232 = load i8, ptr addrspace(1) %at.124, align 1, !invariant.load !0
  %at.125 = getelementptr i8, ptr addrspace(1) %at.82, i64 -1015
  %element.233 = load i8, ptr addrspace(1) %at.125, align 1, !invariant.load !0
  %at.126 = getelementptr i8, ptr addrspace(1) %at.82, i64 -1014
  %element.234 = load i8, ptr addrspace(1) %at.126, align 1, !invariant.load !0
  %at.127 = getelementptr i8, ptr addrspace(1) %at.82, i64 -1013
  %element.235 = load i8, ptr addrspace(1) %at.127, align 1, !invariant.load !0
  %at.128 = getelementptr i8, ptr addrspace(1) %at.82, i64 -1012
  %element.236 = load i8, ptr addrspace(1) %at.128, align 1, !invariant.load !0
  %at.129 = getelementptr i8, ptr addrspace(1) %at.82, i64 -1011
  %element.237 = load i8, ptr addrspace(1) %at.129, align 1, !invariant.load !0
  %at.130 = getelementptr i8, ptr addrspace(1) %at.82, i64 -1010
  %element.238 = load i8, ptr addrspace(1) %at.130, align 1, !invariant.load !0
  %at.131 = getelementptr i8, ptr addrspace(1) %at.82, i64 -1009
  %element.239 = load i8, ptr addrspace(1) %at.131, align 1, !invariant.load !0
  %at.132 = getelementptr i8, ptr addrspace(1) %at.83, i64 -2048
  %element.240 = load half, ptr addrspace(1) %at.132, align 2, !invariant.load !0
  %at.133 = getelementptr i8, ptr addrspace(1) %at.83, i64 -2046
  %element.241 = load half, ptr addrspace(1) %at.133, align 2, !invariant.load !0
  %at.134 = getelementptr i8, ptr addrspace(1) %at.83, i64 -2044
  %element.242 = load half, ptr addrspace(1) %at.134, align 2, !invariant.load !0
  %at.135 = getelementptr i8, ptr addrspace(1) %at.83, i64 -2042
  %element.243 = load half, ptr addrspace(1) %at.135, align 2, !invariant.load !0
  %at.136 = getelementptr i8, ptr addrspace(1) %at.83, i64 -2040
  %element.244 = load half, ptr addrspace(1) %at.136, align 2, !invariant.load !0
  %at.137 = getelementptr i8, ptr addrspace(1) %at.83, i64 -2038
  %element.245 = load half, ptr addrspace(1) %at.137, align 2, !invariant.load !0
  %at.138 = getelementptr i8, ptr addrspace(1) %at.83, i64 -2036
  %element.246 = load half, ptr addrspace(1) %at.138, align 2, !invariant.load !0
  %at.139 = getelementptr i8, ptr addrspace(1) %at.83, i64 -2034
  %element.247 = load half, ptr addrspace(1) %at.139, align 2, !invariant.load !0
  %at.140 = getelementptr i8, ptr addrspace(1) %at.83, i64 -2032
  %element.248 = load half, ptr addrspace(1) %at.140, align 2, !invariant.load !0
  %at.141 = getelementptr i8, ptr addrspace(1) %at.83, i64 -2030
  %element.249 = load half, ptr addrspace(1) %at.141, align 2, !invariant.load !0
  %at.142 = getelementptr i8, ptr addrspace(1) %at.83, i64 -2028
  %element.250 = load half, ptr addrspace(1) %at.142, align 2, !invariant.load !0
  %at.143 = getelementptr i8, ptr addrspace(1) %at.83, i64 -2026
  %element.251 = load half, ptr addrspace(1) %at.143, align 2, !invariant.load !0
  %at.144 = getelementptr i8, ptr addrspace(1) %at.83, i64 -2024
  %element.252 = load half, ptr addrspace(1) %at.144, align 2, !invariant.load !0
  %at.145 = getelementptr i8, ptr addrspace(1) %at.83, i64 -2022
  %element.253 = load half, ptr addrspace(1) %at.145, align 2, !invariant.load !0
  %at.146 = getelementptr i8, ptr addrspace(1) %at.83, i64 -2020
  %element.254 = load half, ptr addrspace(1) %at.146, align 2, !invariant.load !0
  %at.147 = getelementptr i8, ptr addrspace(1) %at.83, i64 -2018
  %element.255 = load half, ptr addrspace(1) %at.147, align 2, !invariant.load !0
  %converted.288 = sext i8 %element.207 to i64
  %sum.129 = add i64 %sum.128, %converted.288
  %converted.289 = fpext half %element.223 to float
  %converted.290 = fpext half %element.223 to float
  %dot.129 = call float @llvm.fma.f32(float %converted.289, float %converted.290, float %dot.128)
  %converted.291 = sext i8 %element.206 to i64
  %sum.130 = add i64 %sum.127, %converted.291
  %converted.292 = fpext half %element.222 to float
  %converted.293 = fpext half %element.222 to float
  %dot.130 = call float @llvm.fma.f32(float %converted.292, float %converted.293, float %dot.127)
  %converted.294 = sext i8 %element.205 to i64
  %sum.131 = add i64 %sum.126, %converted.294
  %converted.295 = fpext half %element.221 to float
  %converted.296 = fpext half %element.221 to float
  %dot.131 = call float @llvm.fma.f32(float %converted.295, float %converted.296, float %dot.126)
  %converted.297 = sext i8 %element.204 to i64
  %sum.132 = add i64 %sum.125, %converted.297
  %converted.298 = fpext half %element.220 to float
  %converted.299 = fpext half %element.220 to float
  %dot.132 = call float @llvm.fma.f32(float %converted.298, float %converted.299, float %dot.125)
  %converted.300 = sext i8 %element.203 to i64
  %sum.133 = add i64 %sum.124, %converted.300
  %converted.301 = fpext half %element.219 to float
  %converted.302 = fpext half %element.219 to float
  %dot.133 = call float @llvm.fma.f32(float %converted.301, float %converted.302, float %dot.124)
  %converted.303 = sext i8 %element.202 to i64
  %sum.134 = add i64 %sum.123, %converted.303
  %converted.304 = fpext half %element.218 to float
  %converted.305 = fpext half %element.218 to float
  %dot.134 = call float @llvm.fma.f32(float %converted.304, float %converted.305, float %dot.123)
  %converted.306 = sext i8 %element.201 to i64
  %sum.135 = add i64 %sum.122, %converted.306
  %converted.307 = fpext half %element.217 to float
  %converted.308 = fpext half %element.217 to float
  %dot.135 = call float @llvm.fma.f32(float %converted.307, float %converted.308, float %dot.122)
  %converted.309 = sext i8 %element.200 to i64
  %sum.136 = add i64 %sum.121, %converted.309
  %converted.310 = fpext half %element.216 to float
  %converted.311 = fpext half %element.216 to float
  %dot.136 = call float @llvm.fma.f32(float %converted.310, float %converted.311, float %dot.121)
  %converted.312 = sext i8 %element.199 to i64
  %sum.137 = add i64 %sum.120, %converted.312
  %converted.313 = fpext half %element.215 to float
  %converted.314 = fpext half %element.215 to float
  %dot.137 = call float @llvm.fma.f32(float %converted.313, float %converted.314, float %dot.120)
  %converted.315 = sext i8 %element.198 to i64
  %sum.138 = add i64 %sum.119, %converted.315
  %converted.316 = fpext half %element.214 to float
  %converted.317 = fpext half %element.214 to float
  %dot.138 = call float @llvm.fma.f32(float %converted.316, float %converted.317, float %dot.119)
  %converted.318 = sext i8 %element.197 to i64
  %sum.139 = add i64 %sum.118, %converted.318
  %converted.319 = fpext half %element.213 to float
  %converted.320 = fpext half %element.213 to float
  %dot.139 = call float @llvm.fma.f32(float %converted.319, float %converted.320, float %dot.118)
  %converted.321 = sext i8 %element.196 to i64
  %sum.140 = add i64 %sum.117, %converted.321
  %converted.322 = fpext half %element.212 to float
  %converted.323 = fpext half %element.212 to float
  %dot.140 = call float @llvm.fma.f32(float %converted.322, float %converted.323, float %dot.117)
  %converted.324 = sext i8 %element.195 to i64
  %sum.141 = add i64 %sum.116, %converted.324
  %converted.325 = fpext half %element.211 to float
  %converted.326 = fpext half %element.211 to float
  %dot.141 = call float @llvm.fma.f32(float %converted.325, float %converted.326, float %dot.116)
  %converted.327 = sext i8 %element.194 to i64
  %sum.142 = add i64 %sum.115, %converted.327
  %converted.328 = fpext half %element.210 to float
  %converted.329 = fpext half %element.210 to float
  %dot.142 = call float @llvm.fma.f32(float %converted.328, float %converted.329, float %dot.115)
  %converted.330 = sext i8 %element.193 to i64
  %sum.143 = add i64 %sum.114, %converted.330
  %converted.331 = fpext half %element.209 to float
  %converted.332 = fpext half %element.209 to float
  %dot.143 = call float @llvm.fma.f32(float %converted.331, float %converted.332, float %dot.114)
  %converted.333 = sext i8 %element.192 to i64
  %sum.144 = add i64 %sum.113, %converted.333
  %converted.334 = fpext half %element.208 to float
  %converted.335 = fpext half %element.208 to float
  %dot.144 = call float @llvm.fma.f32(float %converted.334, float %converted.335, float %dot.113)
  %converted.336 = sext i8 %element.239 to i64
  %sum.145 = add i64 %sum.129, %converted.336
  %converted.337 = fpext half %element.255 to float
  %converted.338 = fpext half %element.255 to float
  %dot.145 = call float @llvm.fma.f32(float %converted.337, float %converted.338, float %dot.129)
  %converted.339 = sext i8 %element.238 to i64
  %sum.146 = add i64 %sum.130, %converted.339
  %converted.340 = fpext half %element.254 to float
  %converted.341 = fpext half %element.254 to float
  %dot.146 = call float @llvm.fma.f32(float %converted.340, float %converted.341, float %dot.130)
  %converted.342 = sext i8 %element.237 to i64
  %sum.147 = add i64 %sum.131, %converted.342
  %converted.343 = fpext half %element.253 to float
  %converted.344 = fpext half %element.253 to float
  %dot.147 = call float @llvm.fma.f32(float %converted.343, float %converted.344, float %dot.131)
  %converted.345 = sext i8 %element.236 to i64
  %sum.148 = add i64 %sum.132, %converted.345
  %converted.346 = fpext half %element.252 to float
  %converted.347 = fpext half %element.252 to float
  %dot.148 = call float @llvm.fma.f32(float %converted.346, float %converted.347, float %dot.132)
  %converted.348 = sext i8 %element.235 to i64
  %sum.149 = add i64 %sum.133, %converted.348
  %converted.349 = fpext half %element.251 to float
  %converted.350 = fpext half %element.251 to float
  %dot.149 = call float @llvm.fma.f32(float %converted.349, float %converted.350, float %dot.133)
  %converted.351 = sext i8 %element.234 to i64
  %sum.150 = add i64 %sum.134, %converted.351
  %converted.352 = fpext half %element.250 to float
  %converted.353 = fpext half %element.250 to float
  %dot.150 = call float @llvm.fma.f32(float %converted.352, float %converted.353, float %dot.134)
  %converted.354 = sext i8 %element.233 to i64
  %sum.151 = add i64 %sum.135, %converted.354
  %converted.355 = fpext half %element.249 to float
  %converted.356 = fpext half %element.249 to float
  %dot.151 = call float @llvm.fma.f32(float %converted.355, float %converted.356, float %dot.135)
  %converted.357 = sext i8 %element.232 to i64
  %sum.152 = add i64 %sum.136, %converted.357
  %converted.358 = fpext half %element.248 to float
  %converted.359 = fpext half %element.248 to float
  %dot.152 = call float @llvm.fma.f32(float %converted.358, float %converted.359, float %dot.136)
  %converted.360 = sext i8 %element.231 to i64
  %sum.153 = add i64 %sum.137, %converted.360
  %converted.361 = fpext half %element.247 to float
  %converted.362 = fpext half %element.247 to float
  %dot.153 = call float @llvm.fma.f32(float %converted.361, float %converted.362, float %dot.137)
  %converted.363 = sext i8 %element.230 to i64
  %sum.154 = add i64 %sum.138, %converted.363
  %converted.364 = fpext half %element.246 to float
  %converted.365 = fpext half %element.246 to float
  %dot.154 = call float @llvm.fma.f32(float %converted.364, float %converted.365, float %dot.138)
  %converted.366 = sext i8 %element.229 to i64
  %sum.155 = add i64 %sum.139, %converted.366
  %converted.367 = fpext half %element.245 to float
  %converted.368 = fpext half %element.245 to float
  %dot.155 = call float @llvm.fma.f32(float %converted.367, float %converted.368, float %dot.139)
  %converted.369 = sext i8 %element.228 to i64
  %sum.156 = add i64 %sum.140, %converted.369
  %converted.370 = fpext half %element.244 to float
  %converted.371 = fpext half %element.244 to float
  %dot.156 = call float @llvm.fma.f32(float %converted.370, float %converted.371, float %dot.140)
  %converted.372 = sext i8 %element.227 to i64
  %sum.157 = add i64 %sum.141, %converted.372
  %converted.373 = fpext half %element.243 to float
  %converted.374 = fpext half %element.243 to float
  %dot.157 = call float @llvm.fma.f32(float %converted.373, float %converted.374, float %dot.141)
  %converted.375 = sext i8 %element.226 to i64
  %sum.158 = add i64 %sum.142, %converted.375
  %converted.376 = fpext half %element.242 to float
  %converted.377 = fpext half %element.242 to float
  %dot.158 = call float @llvm.fma.f32(float %converted.376, float %converted.377, float %dot.142)
  %converted.378 = sext i8 %element.225 to i64
  %sum.159 = add i64 %sum.143, %converted.378
  %converted.379 = fpext half %element.241 to float
  %converted.380 = fpext half %element.241 to float
  %dot.159 = call float @llvm.fma.f32(float %converted.379, float %converted.380, float %dot.143)
  %converted.381 = sext i8 %element.224 to i64
  %sum.160 = add i64 %sum.144, %converted.381
  %converted.382 = fpext half %element.240 to float
  %converted.383 = fpext half %element.240 to float
  %dot.160 = call float @llvm.fma.f32(float %converted.382, float %converted.383, float %dot.144)
  %next.3 = sub i32 %tiles.left.1, %grid.warps
  br label %narrow.tiles, !llvm.loop !7

narrow.tiles.last:
  %sum.total.15 = add i64 %sum.113, %sum.114
  %sum.total.16 = add i64 %sum.total.15, %sum.115
  %sum.total.17 = add i64 %sum.total.16, %sum.116
  %sum.total.18 = add i64 %sum.total.17, %sum.117
  %sum.total.19 = add i64 %sum.total.18, %sum.118
  %sum.total.20 = add i64 %sum.total.19, %sum.119
  %sum.total.21 = add i64 %sum.total.20, %sum.120
  %sum.total.22 = add i64 %sum.total.21, %sum.121
  %sum.total.23 = add i64 %sum.total.22, %sum.122
  %sum.total.24 = add i64 %sum.total.23, %sum.123
  %sum.total.25 = add i64 %sum.total.24, %sum.124
  %sum.total.26 = add i64 %sum.total.25, %sum.125
  %sum.total.27 = add i64 %sum.total.26, %sum.126
  %sum.total.28 = add i64 %sum.total.27, %sum.127
  %sum.total.29 = add i64 %sum.total.28, %sum.128
  %dot.total.15 = fadd float %dot.113, %dot.114
  %dot.total.16 = fadd float %dot.total.15, %dot.115
  %dot.total.17 = fadd float %dot.total.16, %dot.116
  %dot.total.18 = fadd float %dot.total.17, %dot.117
  %dot.total.19 = fadd float %dot.total.18, %dot.118
  %dot.total.20 = fadd float %dot.total.19, %dot.119
  %dot.total.21 = fadd float %dot.total.20, %dot.120
  %dot.total.22 = fadd float %dot.total.21, %dot.121
  %dot.total.23 = fadd float %dot.total.22, %dot.122
  %dot.total.24 = fadd float %dot.total.23, %dot.123
  %dot.total.25 = fadd float %dot.total.24, %dot.124
  %dot.total.26 = fadd float %dot.total.25, %dot.125
  %dot.total.27 = fadd float %dot.total.26, %dot.126
  %dot.total.28 = fadd float %dot.total.27, %dot.127
  %dot.total.29 = fadd float %dot.total.28, %dot.128
  br label %narrow.tiles.end

narrow.tiles.end:
  %sum.161 = phi i64 [ 0, %unaligned ], [ %sum.total.29, %narrow.tiles.last ]
  %dot.161 = phi float [ -0.0, %unaligned ], [ %dot.total.29, %narrow.tiles.last ]
  br label %whole

whole:
  %sum.162 = phi i64 [ %sum.80, %wide.tiles.end ], [ %sum.161, %narrow.tiles.end ]
  %dot.162 = phi float [ %dot.80, %wide.tiles.end ], [ %dot.161, %narrow.tiles.end ]
  %has.tail = icmp ult i32 %grid.thread, %narrow.1
  br i1 %has.tail, label %tail.some, label %tail.end, !prof !8

tail.some:
  %are.few = icmp ult i32 %grid.threads, 1024
  %step = select i1 %are.few, i32 %grid.threads, i32 1024
  %wide.8 = zext i32 %narrow.1 to i64
  %tiled = sub i64 %n, %wide.8
  %offset.20 = mul i64 %tiled, 1
  %at.148 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.20
  %offset.21 = mul i64 %tiled, 2
  %at.149 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.21
  br label %tail

tail:
  %element.number = phi i32 [ %grid.thread, %tail.some ], [ %next.5, %following.1 ]
  %sum.163 = phi i64 [ %sum.162, %tail.some ], [ %sum.167, %following.1 ]
  %dot.163 = phi float [ %dot.162, %tail.some ], [ %dot.167, %following.1 ]
  %goes.on.2 = icmp ult i32 %element.number, %narrow.1
  br i1 %goes.on.2, label %tail.body, label %tail.end

tail.body:
  %exists = icmp ult i32 %element.number, %narrow.1
  %wide.9 = zext i32 %element.number to i64
  br i1 %exists, label %element.256, label %element.end

element.256:
  %at.150 = getelementptr inbounds i8, ptr addrspace(1) %at.148, i64 %wide.9
  %element.257 = load i8, ptr addrspace(1) %at.150, align 1, !invariant.load !0
  %at.151 = getelementptr inbounds half, ptr addrspace(1) %at.149, i64 %wide.9
  %element.258 = load half, ptr addrspace(1) %at.151, align 2, !invariant.load !0
  br label %element.end

element.end:
  %element.259 = phi i8 [ %element.257, %element.256 ], [ 0, %tail.body ]
  %element.260 = phi half [ %element.258, %element.256 ], [ 0xH0000, %tail.body ]
  %next.4 = add i32 %element.number, %step
  %exists.1 = icmp ult i32 %next.4, %narrow.1
  %wide.10 = zext i32 %next.4 to i64
  br i1 %exists.1, label %element.261, label %element.end.1

element.261:
  %at.152 = getelementptr inbounds i8, ptr addrspace(1) %at.148, i64 %wide.10
  %element.262 = load i8, ptr addrspace(1) %at.152, align 1, !invariant.load !0
  %at.153 = getelementptr inbounds half, ptr addrspace(1) %at.149, i64 %wide.10
  %element.263 = load half, ptr addrspace(1) %at.153, align 2, !invariant.load !0
  br label %element.end.1

element.end.1:
  %element.264 = phi i8 [ %element.262, %element.261 ], [ 0, %element.end ]
  %element.265 = phi half [ %element.263, %element.261 ], [ 0xH0000, %element.end ]
  %next.5 = add i32 %next.4, %step
  br i1 %exists, label %one, label %following

one:
  %converted.384 = sext i8 %element.259 to i64
  %sum.164 = add i64 %sum.163, %converted.384
  %converted.385 = fpext half %element.260 to float
  %converted.386 = fpext half %element.260 to float
  %dot.164 = call float @llvm.fma.f32(float %converted.385, float %converted.386, float %dot.163)
  br label %following

following:
  %sum.165 = phi i64 [ %sum.164, %one ], [ %sum.163, %element.end.1 ]
  %dot.165 = phi float [ %dot.164, %one ], [ %dot.163, %element.end.1 ]
  br i1 %exists.1, label %one.1, label %following.1

one.1:
  %converted.387 = sext i8 %element.264 to i64
  %sum.166 = add i64 %sum.165, %converted.387
  %converted.388 = fpext half %element.265 to float
  %converted.389 = fpext half %element.265 to float
  %dot.166 = call float @llvm.fma.f32(float %converted.388, float %converted.389, float %dot.165)
  br label %following.1

following.1:
  %sum.167 = phi i64 [ %sum.166, %one.1 ], [ %sum.165, %following ]
  %dot.167 = phi float [ %dot.166, %one.1 ], [ %dot.165, %following ]
  br label %tail, !llvm.loop !10

tail.end:
  %sum.168 = phi i64 [ %sum.162, %whole ], [ %sum.163, %tail ]
  %dot.168 = phi float [ %dot.162, %whole ], [ %dot.163, %tail ]
  %sum.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %sum.private = load ptr, ptr %sum.entry, align 8
  store i64 %sum.168, ptr %sum.private, align 8
  %dot.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %dot.private = load ptr, ptr %dot.entry, align 8
  store float %dot.168, ptr %dot.private, align 4
  ret void
}

define ptx_kernel void @warpfold_reduce(i64 %n, i64 %first, ptr addrspace(1) align 16 %workspace, ptr addrspace(1) align 8 %result, ptr addrspace(1) noalias readonly align 1 %array0, ptr addrspace(1) noalias readonly align 2 %array1) convergent mustprogress nounwind "nvvm.maxntid"="256" {
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
  %sum.member = getelementptr inbounds %warpfold.record, ptr %private, i64 0, i32 0
  %sum.entry = getelementptr inbounds ptr, ptr %list, i64 0
  store ptr %sum.member, ptr %sum.entry, align 8
  %dot.member = getelementptr inbounds %warpfold.record, ptr %private, i64 0, i32 1
  %dot.entry = getelementptr inbounds ptr, ptr %list, i64 1
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

define ptx_kernel void @warpfold_partial(i64 %n, i64 %first, ptr addrspace(1) align 16 %workspace, ptr addrspace(1) noalias readonly align 1 %array0, ptr addrspace(1) noalias readonly align 2 %array1) convergent mustprogress nounwind "nvvm.maxntid"="256" {
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
  %sum.member = getelementptr inbounds %warpfold.record, ptr %private, i64 0, i32 0
  %sum.entry = getelementptr inbounds ptr, ptr %list, i64 0
  store ptr %sum.member, ptr %sum.entry, align 8
  %dot.member = getelementptr inbounds %warpfold.record, ptr %private, i64 0, i32 1
  %dot.entry = getelementptr inbounds ptr, ptr %list, i64 1
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
  %list = alloca [2 x ptr], align 8
  %sum.member = getelementptr inbounds %warpfold.record, ptr %private, i64 0, i32 0
  %sum.entry = getelementptr inbounds ptr, ptr %list, i64 0
  store ptr %sum.member, ptr %sum.entry, align 8
  %dot.member = getelementptr inbounds %warpfold.record, ptr %private, i64 0, i32 1
  %dot.entry = getelementptr inbounds ptr, ptr %list, i64 1
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

declare double @llvm.nvvm.lohi.i2d(i32, i32)
declare float @llvm.fma.f32(float, float, float)
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
