; sum: f64 sum of array 0
; product: f32 product of array 1
; most: i8 max of array 2
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%warpfold.record = type { double, float, i8 }
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
  %sum.own = load double, ptr %sum.private, align 8
  %product.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %product.private = load ptr, ptr %product.entry, align 8
  %product.own = load float, ptr %product.private, align 4
  %most.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %most.private = load ptr, ptr %most.entry, align 8
  %most.own = load i8, ptr %most.private, align 1
  %words = bitcast double %sum.own to <2 x i32>
  %word = extractelement <2 x i32> %words, i32 0
  %word.1 = extractelement <2 x i32> %words, i32 1
  %word.2 = bitcast float %product.own to i32
  %word.3 = zext i8 %most.own to i32
  %shuffled = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %word, i32 %delta, i32 31)
  %shuffled.1 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %word.1, i32 %delta, i32 31)
  %shuffled.2 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %word.2, i32 %delta, i32 31)
  %shuffled.3 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %word.3, i32 %delta, i32 31)
  %words.1 = call double @llvm.nvvm.lohi.i2d(i32 %shuffled, i32 %shuffled.1)
  %remote = bitcast i32 %shuffled.2 to float
  %bits = trunc i32 %shuffled.3 to i8
  %sum.kept = select i1 %copies, double %words.1, double %sum.own
  %sum.combined = fadd double %sum.own, %words.1
  %sum.next = select i1 %reduces, double %sum.combined, double %sum.kept
  store double %sum.next, ptr %sum.private, align 8
  %product.kept = select i1 %copies, float %remote, float %product.own
  %product.combined = fmul float %product.own, %remote
  %product.next = select i1 %reduces, float %product.combined, float %product.kept
  store float %product.next, ptr %product.private, align 4
  %most.kept = select i1 %copies, i8 %bits, i8 %most.own
  %most.combined = call i8 @llvm.smax.i8(i8 %most.own, i8 %bits)
  %most.next = select i1 %reduces, i8 %most.combined, i8 %most.kept
  store i8 %most.next, ptr %most.private, align 1
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
  %sum.own = load double, ptr %sum.private, align 8
  %product.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %product.private = load ptr, ptr %product.entry, align 8
  %product.own = load float, ptr %product.private, align 4
  %most.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %most.private = load ptr, ptr %most.entry, align 8
  %most.own = load i8, ptr %most.private, align 1
  %words = bitcast double %sum.own to <2 x i32>
  %word = extractelement <2 x i32> %words, i32 0
  %word.1 = extractelement <2 x i32> %words, i32 1
  %word.2 = bitcast float %product.own to i32
  %word.3 = zext i8 %most.own to i32
  %shuffled = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %word, i32 %delta, i32 31)
  %shuffled.1 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %word.1, i32 %delta, i32 31)
  %shuffled.2 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %word.2, i32 %delta, i32 31)
  %shuffled.3 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %word.3, i32 %delta, i32 31)
  %words.1 = call double @llvm.nvvm.lohi.i2d(i32 %shuffled, i32 %shuffled.1)
  %remote = bitcast i32 %shuffled.2 to float
  %bits = trunc i32 %shuffled.3 to i8
  %sum.combined = fadd double %sum.own, %words.1
  %sum.next = select i1 %reduces, double %sum.combined, double %sum.own
  store double %sum.next, ptr %sum.private, align 8
  %product.combined = fmul float %product.own, %remote
  %product.next = select i1 %reduces, float %product.combined, float %product.own
  store float %product.next, ptr %product.private, align 4
  %most.combined = call i8 @llvm.smax.i8(i8 %most.own, i8 %bits)
  %most.next = select i1 %reduces, i8 %most.combined, i8 %most.own
  store i8 %most.next, ptr %most.private, align 1
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
  %sum.moved = load double, ptr %sum.private, align 8
  store double %sum.moved, ptr addrspace(3) %warp.buffer, align 8
  %product.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %product.private = load ptr, ptr %product.entry, align 8
  %product.shared = getelementptr inbounds i8, ptr addrspace(3) %warp.buffer, i64 8
  %product.moved = load float, ptr %product.private, align 4
  store float %product.moved, ptr addrspace(3) %product.shared, align 4
  %most.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %most.private = load ptr, ptr %most.entry, align 8
  %most.shared = getelementptr inbounds i8, ptr addrspace(3) %warp.buffer, i64 12
  %most.moved = load i8, ptr %most.private, align 1
  store i8 %most.moved, ptr addrspace(3) %most.shared, align 1
  br label %published

published:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %receives, label %collect, label %collected

collect:
  %warp.buffer.1 = getelementptr inbounds [16 x i8], ptr addrspace(3) @warpfold_inter_warp_buffers, i32 %thread
  %sum.entry.1 = getelementptr inbounds ptr, ptr %list, i64 0
  %sum.private.1 = load ptr, ptr %sum.entry.1, align 8
  %sum.moved.1 = load double, ptr addrspace(3) %warp.buffer.1, align 8
  store double %sum.moved.1, ptr %sum.private.1, align 8
  %product.entry.1 = getelementptr inbounds ptr, ptr %list, i64 1
  %product.private.1 = load ptr, ptr %product.entry.1, align 8
  %product.shared.1 = getelementptr inbounds i8, ptr addrspace(3) %warp.buffer.1, i64 8
  %product.moved.1 = load float, ptr addrspace(3) %product.shared.1, align 4
  store float %product.moved.1, ptr %product.private.1, align 4
  %most.entry.1 = getelementptr inbounds ptr, ptr %list, i64 2
  %most.private.1 = load ptr, ptr %most.entry.1, align 8
  %most.shared.1 = getelementptr inbounds i8, ptr addrspace(3) %warp.buffer.1, i64 12
  %most.moved.1 = load i8, ptr addrspace(3) %most.shared.1, align 1
  store i8 %most.moved.1, ptr %most.private.1, align 1
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
  %sum.given = load double, ptr %sum.private, align 8
  store double %sum.given, ptr %sum.member, align 8
  %product.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %product.private = load ptr, ptr %product.entry, align 8
  %product.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 1
  %product.given = load float, ptr %product.private, align 4
  store float %product.given, ptr %product.member, align 4
  %most.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %most.private = load ptr, ptr %most.entry, align 8
  %most.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 2
  %most.given = load i8, ptr %most.private, align 1
  store i8 %most.given, ptr %most.member, align 1
  ret void
}

define internal void @warpfold_list_to_global_reduce(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %sum.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %sum.private = load ptr, ptr %sum.entry, align 8
  %sum.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %sum.given = load double, ptr %sum.private, align 8
  %sum.held = load double, ptr %sum.member, align 8
  %sum.combined = fadd double %sum.held, %sum.given
  store double %sum.combined, ptr %sum.member, align 8
  %product.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %product.private = load ptr, ptr %product.entry, align 8
  %product.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 1
  %product.given = load float, ptr %product.private, align 4
  %product.held = load float, ptr %product.member, align 4
  %product.combined = fmul float %product.held, %product.given
  store float %product.combined, ptr %product.member, align 4
  %most.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %most.private = load ptr, ptr %most.entry, align 8
  %most.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 2
  %most.given = load i8, ptr %most.private, align 1
  %most.held = load i8, ptr %most.member, align 1
  %most.combined = call i8 @llvm.smax.i8(i8 %most.held, i8 %most.given)
  store i8 %most.combined, ptr %most.member, align 1
  ret void
}

define internal void @warpfold_global_to_list_copy(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %sum.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %sum.private = load ptr, ptr %sum.entry, align 8
  %sum.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %sum.given = load double, ptr %sum.member, align 8
  store double %sum.given, ptr %sum.private, align 8
  %product.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %product.private = load ptr, ptr %product.entry, align 8
  %product.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 1
  %product.given = load float, ptr %product.member, align 4
  store float %product.given, ptr %product.private, align 4
  %most.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %most.private = load ptr, ptr %most.entry, align 8
  %most.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 2
  %most.given = load i8, ptr %most.member, align 1
  store i8 %most.given, ptr %most.private, align 1
  ret void
}

define internal void @warpfold_global_to_list_reduce(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %sum.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %sum.private = load ptr, ptr %sum.entry, align 8
  %sum.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %sum.given = load double, ptr %sum.member, align 8
  %sum.held = load double, ptr %sum.private, align 8
  %sum.combined = fadd double %sum.held, %sum.given
  store double %sum.combined, ptr %sum.private, align 8
  %product.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %product.private = load ptr, ptr %product.entry, align 8
  %product.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 1
  %product.given = load float, ptr %product.member, align 4
  %product.held = load float, ptr %product.private, align 4
  %product.combined = fmul float %product.held, %product.given
  store float %product.combined, ptr %product.private, align 4
  %most.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %most.private = load ptr, ptr %most.entry, align 8
  %most.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 2
  %most.given = load i8, ptr %most.member, align 1
  %most.held = load i8, ptr %most.private, align 1
  %most.combined = call i8 @llvm.smax.i8(i8 %most.held, i8 %most.given)
  store i8 %most.combined, ptr %most.private, align 1
  ret void
}

define internal void @warpfold_initialize(ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %sum.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %sum.private = load ptr, ptr %sum.entry, align 8
  store double -0.0, ptr %sum.private, align 8
  %product.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %product.private = load ptr, ptr %product.entry, align 8
  store float 1.0, ptr %product.private, align 4
  %most.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %most.private = load ptr, ptr %most.entry, align 8
  store i8 -128, ptr %most.private, align 1
  ret void
}

; The thread's share of n elements, reduced into its private copies.
define internal void @warpfold_accumulate(ptr %list, i64 %n, i64 %first.index, ptr addrspace(1) noalias readonly align 8 %array0, ptr addrspace(1) noalias readonly align 4 %array1, ptr addrspace(1) noalias readonly align 1 %array2) alwaysinline convergent mustprogress nounwind willreturn {
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
  %address.2 = ptrtoint ptr addrspace(1) %array2 to i64
  %bits.2 = or i64 %bits.1, %address.2
  %low = and i64 %bits.2, 15
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
  %offset.3 = mul i64 %offset.2, 8
  %at = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.3
  %offset.4 = mul i64 %offset.2, 4
  %at.1 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.4
  %offset.5 = mul i64 %offset.2, 1
  %at.2 = getelementptr i8, ptr addrspace(1) %array2, i64 %offset.5
  %at.3 = getelementptr i8, ptr addrspace(1) %at, i64 -4096
  %loaded = load <2 x double>, ptr addrspace(1) %at.3, align 16, !invariant.load !0
  %element = extractelement <2 x double> %loaded, i32 0
  %element.1 = extractelement <2 x double> %loaded, i32 1
  %at.4 = getelementptr i8, ptr addrspace(1) %at, i64 -4080
  %loaded.1 = load <2 x double>, ptr addrspace(1) %at.4, align 16, !invariant.load !0
  %element.2 = extractelement <2 x double> %loaded.1, i32 0
  %element.3 = extractelement <2 x double> %loaded.1, i32 1
  %at.5 = getelementptr i8, ptr addrspace(1) %at, i64 -4064
  %loaded.2 = load <2 x double>, ptr addrspace(1) %at.5, align 16, !invariant.load !0
  %element.4 = extractelement <2 x double> %loaded.2, i32 0
  %element.5 = extractelement <2 x double> %loaded.2, i32 1
  %at.6 = getelementptr i8, ptr addrspace(1) %at, i64 -4048
  %loaded.3 = load <2 x double>, ptr addrspace(1) %at.6, align 16, !invariant.load !0
  %element.6 = extractelement <2 x double> %loaded.3, i32 0
  %element.7 = extractelement <2 x double> %loaded.3, i32 1
  %at.7 = getelementptr i8, ptr addrspace(1) %at, i64 -4032
  %loaded.4 = load <2 x double>, ptr addrspace(1) %at.7, align 16, !invariant.load !0
  %element.8 = extractelement <2 x double> %loaded.4, i32 0
  %element.9 = extractelement <2 x double> %loaded.4, i32 1
  %at.8 = getelementptr i8, ptr addrspace(1) %at, i64 -4016
  %loaded.5 = load <2 x double>, ptr addrspace(1) %at.8, align 16, !invariant.load !0
  %element.10 = extractelement <2 x double> %loaded.5, i32 0
  %element.11 = extractelement <2 x double> %loaded.5, i32 1
  %at.9 = getelementptr i8, ptr addrspace(1) %at, i64 -4000
  %loaded.6 = load <2 x double>, ptr addrspace(1) %at.9, align 16, !invariant.load !0
  %element.12 = extractelement <2 x double> %loaded.6, i32 0
  %element.13 = extractelement <2 x double> %loaded.6, i32 1
  %at.10 = getelementptr i8, ptr addrspace(1) %at, i64 -3984
  %loaded.7 = load <2 x double>, ptr addrspace(1) %at.10, align 16, !invariant.load !0
  %element.14 = extractelement <2 x double> %loaded.7, i32 0
  %element.15 = extractelement <2 x double> %loaded.7, i32 1
  %at.11 = getelementptr i8, ptr addrspace(1) %at.1, i64 -2048
  %loaded.8 = load <4 x float>, ptr addrspace(1) %at.11, align 16, !invariant.load !0
  %element.16 = extractelement <4 x float> %loaded.8, i32 0
  %element.17 = extractelement <4 x float> %loaded.8, i32 1
  %element.18 = extractelement <4 x float> %loaded.8, i32 2
  %element.19 = extractelement <4 x float> %loaded.8, i32 3
  %at.12 = getelementptr i8, ptr addrspace(1) %at.1, i64 -2032
  %loaded.9 = load <4 x float>, ptr addrspace(1) %at.12, align 16, !invariant.load !0
  %element.20 = extractelement <4 x float> %loaded.9, i32 0
  %element.21 = extractelement <4 x float> %loaded.9, i32 1
  %element.22 = extractelement <4 x float> %loaded.9, i32 2
  %element.23 = extractelement <4 x float> %loaded.9, i32 3
  %at.13 = getelementptr i8, ptr addrspace(1) %at.1, i64 -2016
  %loaded.10 = load <4 x float>, ptr addrspace(1) %at.13, align 16, !invariant.load !0
  %element.24 = extractelement <4 x float> %loaded.10, i32 0
  %element.25 = extractelement <4 x float> %loaded.10, i32 1
  %element.26 = extractelement <4 x float> %loaded.10, i32 2
  %element.27 = extractelement <4 x float> %loaded.10, i32 3
  %at.14 = getelementptr i8, ptr addrspace(1) %at.1, i64 -2000
  %loaded.11 = load <4 x float>, ptr addrspace(1) %at.14, align 16, !invariant.load !0
  %element.28 = extractelement <4 x float> %loaded.11, i32 0
  %element.29 = extractelement <4 x float> %loaded.11, i32 1
  %element.30 = extractelement <4 x float> %loaded.11, i32 2
  %element.31 = extractelement <4 x float> %loaded.11, i32 3
  %at.15 = getelementptr i8, ptr addrspace(1) %at.2, i64 -512
  %loaded.12 = load <16 x i8>, ptr addrspace(1) %at.15, align 16, !invariant.load !0
  %element.32 = extractelement <16 x i8> %loaded.12, i32 0
  %element.33 = extractelement <16 x i8> %loaded.12, i32 1
  %element.34 = extractelement <16 x i8> %loaded.12, i32 2
  %element.35 = extractelement <16 x i8> %loaded.12, i32 3
  %element.36 = extractelement <16 x i8> %loaded.12, i32 4
  %element.37 = extractelement <16 x i8> %loaded.12, i32 5
  %element.38 = extractelement <16 x i8> %loaded.12, i32 6
  %element.39 = extractelement <16 x i8> %loaded.12, i32 7
  %element.40 = extractelement <16 x i8> %loaded.12, i32 8
  %element.41 = extractelement <16 x i8> %loaded.12, i32 9
  %element.42 = extractelement <16 x i8> %loaded.12, i32 10
  %element.43 = extractelement <16 x i8> %loaded.12, i32 11
  %element.44 = extractelement <16 x i8> %loaded.12, i32 12
  %element.45 = extractelement <16 x i8> %loaded.12, i32 13
  %element.46 = extractelement <16 x i8> %loaded.12, i32 14
  %element.47 = extractelement <16 x i8> %loaded.12, i32 15
  %at.16 = getelementptr i8, ptr addrspace(1) %at, i64 -8192
  %loaded.13 = load <2 x double>, ptr addrspace(1) %at.16, align 16, !invariant.load !0
  %element.48 = extractelement <2 x double> %loaded.13, i32 0
  %element.49 = extractelement <2 x double> %loaded.13, i32 1
  %at.17 = getelementptr i8, ptr addrspace(1) %at, i64 -8176
  %loaded.14 = load <2 x double>, ptr addrspace(1) %at.17, align 16, !invariant.load !0
  %element.50 = extractelement <2 x double> %loaded.14, i32 0
  %element.51 = extractelement <2 x double> %loaded.14, i32 1
  %at.18 = getelementptr i8, ptr addrspace(1) %at, i64 -8160
  %loaded.15 = load <2 x double>, ptr addrspace(1) %at.18, align 16, !invariant.load !0
  %element.52 = extractelement <2 x double> %loaded.15, i32 0
  %element.53 = extractelement <2 x double> %loaded.15, i32 1
  %at.19 = getelementptr i8, ptr addrspace(1) %at, i64 -8144
  %loaded.16 = load <2 x double>, ptr addrspace(1) %at.19, align 16, !invariant.load !0
  %element.54 = extractelement <2 x double> %loaded.16, i32 0
  %element.55 = extractelement <2 x double> %loaded.16, i32 1
  %at.20 = getelementptr i8, ptr addrspace(1) %at, i64 -8128
  %loaded.17 = load <2 x double>, ptr addrspace(1) %at.20, align 16, !invariant.load !0
  %element.56 = extractelement <2 x double> %loaded.17, i32 0
  %element.57 = extractelement <2 x double> %loaded.17, i32 1
  %at.21 = getelementptr i8, ptr addrspace(1) %at, i64 -8112
  %loaded.18 = load <2 x double>, ptr addrspace(1) %at.21, align 16, !invariant.load !0
  %element.58 = extractelement <2 x double> %loaded.18, i32 0
  %element.59 = extractelement <2 x double> %loaded.18, i32 1
  %at.22 = getelementptr i8, ptr addrspace(1) %at, i64 -8096
  %loaded.19 = load <2 x double>, ptr addrspace(1) %at.22, align 16, !invariant.load !0
  %element.60 = extractelement <2 x double> %loaded.19, i32 0
  %element.61 = extractelement <2 x double> %loaded.19, i32 1
  %at.23 = getelementptr i8, ptr addrspace(1) %at, i64 -8080
  %loaded.20 = load <2 x double>, ptr addrspace(1) %at.23, align 16, !invariant.load !0
  %element.62 = extractelement <2 x double> %loaded.20, i32 0
  %element.63 = extractelement <2 x double> %loaded.20, i32 1
  %at.24 = getelementptr i8, ptr addrspace(1) %at.1, i64 -4096
  %loaded.21 = load <4 x float>, ptr addrspace(1) %at.24, align 16, !invariant.load !0
  %element.64 = extractelement <4 x float> %loaded.21, i32 0
  %element.65 = extractelement <4 x float> %loaded.21, i32 1
  %element.66 = extractelement <4 x float> %loaded.21, i32 2
  %element.67 = extractelement <4 x float> %loaded.21, i32 3
  %at.25 = getelementptr i8, ptr addrspace(1) %at.1, i64 -4080
  %loaded.22 = load <4 x float>, ptr addrspace(1) %at.25, align 16, !invariant.load !0
  %element.68 = extractelement <4 x float> %loaded.22, i32 0
  %element.69 = extractelement <4 x float> %loaded.22, i32 1
  %element.70 = extractelement <4 x float> %loaded.22, i32 2
  %element.71 = extractelement <4 x float> %loaded.22, i32 3
  %at.26 = getelementptr i8, ptr addrspace(1) %at.1, i64 -4064
  %loaded.23 = load <4 x float>, ptr addrspace(1) %at.26, align 16, !invariant.load !0
  %element.72 = extractelement <4 x float> %loaded.23, i32 0
  %element.73 = extractelement <4 x float> %loaded.23, i32 1
  %element.74 = extractelement <4 x float> %loaded.23, i32 2
  %element.75 = extractelement <4 x float> %loaded.23, i32 3
  %at.27 = getelementptr i8, ptr addrspace(1) %at.1, i64 -4048
  %loaded.24 = load <4 x float>, ptr addrspace(1) %at.27, align 16, !invariant.load !0
  %element.76 = extractelement <4 x float> %loaded.24, i32 0
  %element.77 = extractelement <4 x float> %loaded.24, i32 1
  %element.78 = extractelement <4 x float> %loaded.24, i32 2
  %element.79 = extractelement <4 x float> %loaded.24, i32 3
  %at.28 = getelementptr i8, ptr addrspace(1) %at.2, i64 -1024
  %loaded.25 = load <16 x i8>, ptr addrspace(1) %at.28, align 16, !invariant.load !0
  %element.80 = extractelement <16 x i8> %loaded.25, i32 0
  %element.81 = extractelement <16 x i8> %loaded.25, i32 1
  %element.82 = extractelement <16 x i8> %loaded.25, i32 2
  %element.83 = extractelement <16 x i8> %loaded.25, i32 3
  %element.84 = extractelement <16 x i8> %loaded.25, i32 4
  %element.85 = extractelement <16 x i8> %loaded.25, i32 5
  %element.86 = extractelement <16 x i8> %loaded.25, i32 6
  %element.87 = extractelement <16 x i8> %loaded.25, i32 7
  %element.88 = extractelement <16 x i8> %loaded.25, i32 8
  %element.89 = extractelement <16 x i8> %loaded.25, i32 9
  %element.90 = extractelement <16 x i8> %loaded.25, i32 10
  %element.91 = extractelement <16 x i8> %loaded.25, i32 11
  %element.92 = extractelement <16 x i8> %loaded.25, i32 12
  %element.93 = extractelement <16 x i8> %loaded.25, i32 13
  %element.94 = extractelement <16 x i8> %loaded.25, i32 14
  %element.95 = extractelement <16 x i8> %loaded.25, i32 15
  %sum = fadd double -0.0, %element.15
  %product = fmul float 1.0, %element.31
  %most = call i8 @llvm.smax.i8(i8 -128, i8 %element.47)
  %sum.1 = fadd double -0.0, %element.14
  %product.1 = fmul float 1.0, %element.30
  %most.1 = call i8 @llvm.smax.i8(i8 -128, i8 %element.46)
  %sum.2 = fadd double -0.0, %element.13
  %product.2 = fmul float 1.0, %element.29
  %most.2 = call i8 @llvm.smax.i8(i8 -128, i8 %element.45)
  %sum.3 = fadd double -0.0, %element.12
  %product.3 = fmul float 1.0, %element.28
  %most.3 = call i8 @llvm.smax.i8(i8 -128, i8 %element.44)
  %sum.4 = fadd double -0.0, %element.11
  %product.4 = fmul float 1.0, %element.27
  %most.4 = call i8 @llvm.smax.i8(i8 -128, i8 %element.43)
  %sum.5 = fadd double -0.0, %element.10
  %product.5 = fmul float 1.0, %element.26
  %most.5 = call i8 @llvm.smax.i8(i8 -128, i8 %element.42)
  %sum.6 = fadd double -0.0, %element.9
  %product.6 = fmul float 1.0, %element.25
  %most.6 = call i8 @llvm.smax.i8(i8 -128, i8 %element.41)
  %sum.7 = fadd double -0.0, %element.8
  %product.7 = fmul float 1.0, %element.24
  %most.7 = call i8 @llvm.smax.i8(i8 -128, i8 %element.40)
  %sum.8 = fadd double -0.0, %element.7
  %product.8 = fmul float 1.0, %element.23
  %most.8 = call i8 @llvm.smax.i8(i8 -128, i8 %element.39)
  %sum.9 = fadd double -0.0, %element.6
  %product.9 = fmul float 1.0, %element.22
  %most.9 = call i8 @llvm.smax.i8(i8 -128, i8 %element.38)
  %sum.10 = fadd double -0.0, %element.5
  %product.10 = fmul float 1.0, %element.21
  %most.10 = call i8 @llvm.smax.i8(i8 -128, i8 %element.37)
  %sum.11 = fadd double -0.0, %element.4
  %product.11 = fmul float 1.0, %element.20
  %most.11 = call i8 @llvm.smax.i8(i8 -128, i8 %element.36)
  %sum.12 = fadd double -0.0, %element.3
  %product.12 = fmul float 1.0, %element.19
  %most.12 = call i8 @llvm.smax.i8(i8 -128, i8 %element.35)
  %sum.13 = fadd double -0.0, %element.2
  %product.13 = fmul float 1.0, %element.18
  %most.13 = call i8 @llvm.smax.i8(i8 -128, i8 %element.34)
  %sum.14 = fadd double -0.0, %element.1
  %product.14 = fmul float 1.0, %element.17
  %most.14 = call i8 @llvm.smax.i8(i8 -128, i8 %element.33)
  %sum.15 = fadd double -0.0, %element
  %product.15 = fmul float 1.0, %element.16
  %most.15 = call i8 @llvm.smax.i8(i8 -128, i8 %element.32)
  %sum.16 = fadd double %sum, %element.63
  %product.16 = fmul float %product, %element.79
  %most.16 = call i8 @llvm.smax.i8(i8 %most, i8 %element.95)
  %sum.17 = fadd double %sum.1, %element.62
  %product.17 = fmul float %product.1, %element.78
  %most.17 = call i8 @llvm.smax.i8(i8 %most.1, i8 %element.94)
  %sum.18 = fadd double %sum.2, %element.61
  %product.18 = fmul float %product.2, %element.77
  %most.18 = call i8 @llvm.smax.i8(i8 %most.2, i8 %element.93)
  %sum.19 = fadd double %sum.3, %element.60
  %product.19 = fmul float %product.3, %element.76
  %most.19 = call i8 @llvm.smax.i8(i8 %most.3, i8 %element.92)
  %sum.20 = fadd double %sum.4, %element.59
  %product.20 = fmul float %product.4, %element.75
  %most.20 = call i8 @llvm.smax.i8(i8 %most.4, i8 %element.91)
  %sum.21 = fadd double %sum.5, %element.58
  %product.21 = fmul float %product.5, %element.74
  %most.21 = call i8 @llvm.smax.i8(i8 %most.5, i8 %element.90)
  %sum.22 = fadd double %sum.6, %element.57
  %product.22 = fmul float %product.6, %element.73
  %most.22 = call i8 @llvm.smax.i8(i8 %most.6, i8 %element.89)
  %sum.23 = fadd double %sum.7, %element.56
  %product.23 = fmul float %product.7, %element.72
  %most.23 = call i8 @llvm.smax.i8(i8 %most.7, i8 %element.88)
  %sum.24 = fadd double %sum.8, %element.55
  %product.24 = fmul float %product.8, %element.71
  %most.24 = call i8 @llvm.smax.i8(i8 %most.8, i8 %element.87)
  %sum.25 = fadd double %sum.9, %element.54
  %product.25 = fmul float %product.9, %element.70
  %most.25 = call i8 @llvm.smax.i8(i8 %most.9, i8 %element.86)
  %sum.26 = fadd double %sum.10, %element.53
  %product.26 = fmul float %product.10, %element.69
  %most.26 = call i8 @llvm.smax.i8(i8 %most.10, i8 %element.85)
  %sum.27 = fadd double %sum.11, %element.52
  %product.27 = fmul float %product.11, %element.68
  %most.27 = call i8 @llvm.smax.i8(i8 %most.11, i8 %element.84)
  %sum.28 = fadd double %sum.12, %element.51
  %product.28 = fmul float %product.12, %element.67
  %most.28 = call i8 @llvm.smax.i8(i8 %most.12, i8 %element.83)
  %sum.29 = fadd double %sum.13, %element.50
  %product.29 = fmul float %product.13, %element.66
  %most.29 = call i8 @llvm.smax.i8(i8 %most.13, i8 %element.82)
  %sum.30 = fadd double %sum.14, %element.49
  %product.30 = fmul float %product.14, %element.65
  %most.30 = call i8 @llvm.smax.i8(i8 %most.14, i8 %element.81)
  %sum.31 = fadd double %sum.15, %element.48
  %product.31 = fmul float %product.15, %element.64
  %most.31 = call i8 @llvm.smax.i8(i8 %most.15, i8 %element.80)
  %next = sub i32 %first, %grid.warps
  br label %wide.tiles

wide.tiles:
  %tiles.left = phi i32 [ %next, %wide.first ], [ %next.1, %wide.tiles.body ]
  %sum.32 = phi double [ %sum.31, %wide.first ], [ %sum.79, %wide.tiles.body ]
  %sum.33 = phi double [ %sum.30, %wide.first ], [ %sum.78, %wide.tiles.body ]
  %sum.34 = phi double [ %sum.29, %wide.first ], [ %sum.77, %wide.tiles.body ]
  %sum.35 = phi double [ %sum.28, %wide.first ], [ %sum.76, %wide.tiles.body ]
  %sum.36 = phi double [ %sum.27, %wide.first ], [ %sum.75, %wide.tiles.body ]
  %sum.37 = phi double [ %sum.26, %wide.first ], [ %sum.74, %wide.tiles.body ]
  %sum.38 = phi double [ %sum.25, %wide.first ], [ %sum.73, %wide.tiles.body ]
  %sum.39 = phi double [ %sum.24, %wide.first ], [ %sum.72, %wide.tiles.body ]
  %sum.40 = phi double [ %sum.23, %wide.first ], [ %sum.71, %wide.tiles.body ]
  %sum.41 = phi double [ %sum.22, %wide.first ], [ %sum.70, %wide.tiles.body ]
  %sum.42 = phi double [ %sum.21, %wide.first ], [ %sum.69, %wide.tiles.body ]
  %sum.43 = phi double [ %sum.20, %wide.first ], [ %sum.68, %wide.tiles.body ]
  %sum.44 = phi double [ %sum.19, %wide.first ], [ %sum.67, %wide.tiles.body ]
  %sum.45 = phi double [ %sum.18, %wide.first ], [ %sum.66, %wide.tiles.body ]
  %sum.46 = phi double [ %sum.17, %wide.first ], [ %sum.65, %wide.tiles.body ]
  %sum.47 = phi double [ %sum.16, %wide.first ], [ %sum.64, %wide.tiles.body ]
  %product.32 = phi float [ %product.31, %wide.first ], [ %product.79, %wide.tiles.body ]
  %product.33 = phi float [ %product.30, %wide.first ], [ %product.78, %wide.tiles.body ]
  %product.34 = phi float [ %product.29, %wide.first ], [ %product.77, %wide.tiles.body ]
  %product.35 = phi float [ %product.28, %wide.first ], [ %product.76, %wide.tiles.body ]
  %product.36 = phi float [ %product.27, %wide.first ], [ %product.75, %wide.tiles.body ]
  %product.37 = phi float [ %product.26, %wide.first ], [ %product.74, %wide.tiles.body ]
  %product.38 = phi float [ %product.25, %wide.first ], [ %product.73, %wide.tiles.body ]
  %product.39 = phi float [ %product.24, %wide.first ], [ %product.72, %wide.tiles.body ]
  %product.40 = phi float [ %product.23, %wide.first ], [ %product.71, %wide.tiles.body ]
  %product.41 = phi float [ %product.22, %wide.first ], [ %product.70, %wide.tiles.body ]
  %product.42 = phi float [ %product.21, %wide.first ], [ %product.69, %wide.tiles.body ]
  %product.43 = phi float [ %product.20, %wide.first ], [ %product.68, %wide.tiles.body ]
  %product.44 = phi float [ %product.19, %wide.first ], [ %product.67, %wide.tiles.body ]
  %product.45 = phi float [ %product.18, %wide.first ], [ %product.66, %wide.tiles.body ]
  %product.46 = phi float [ %product.17, %wide.first ], [ %product.65, %wide.tiles.body ]
  %product.47 = phi float [ %product.16, %wide.first ], [ %product.64, %wide.tiles.body ]
  %most.32 = phi i8 [ %most.31, %wide.first ], [ %most.79, %wide.tiles.body ]
  %most.33 = phi i8 [ %most.30, %wide.first ], [ %most.78, %wide.tiles.body ]
  %most.34 = phi i8 [ %most.29, %wide.first ], [ %most.77, %wide.tiles.body ]
  %most.35 = phi i8 [ %most.28, %wide.first ], [ %most.76, %wide.tiles.body ]
  %most.36 = phi i8 [ %most.27, %wide.first ], [ %most.75, %wide.tiles.body ]
  %most.37 = phi i8 [ %most.26, %wide.first ], [ %most.74, %wide.tiles.body ]
  %most.38 = phi i8 [ %most.25, %wide.first ], [ %most.73, %wide.tiles.body ]
  %most.39 = phi i8 [ %most.24, %wide.first ], [ %most.72, %wide.tiles.body ]
  %most.40 = phi i8 [ %most.23, %wide.first ], [ %most.71, %wide.tiles.body ]
  %most.41 = phi i8 [ %most.22, %wide.first ], [ %most.70, %wide.tiles.body ]
  %most.42 = phi i8 [ %most.21, %wide.first ], [ %most.69, %wide.tiles.body ]
  %most.43 = phi i8 [ %most.20, %wide.first ], [ %most.68, %wide.tiles.body ]
  %most.44 = phi i8 [ %most.19, %wide.first ], [ %most.67, %wide.tiles.body ]
  %most.45 = phi i8 [ %most.18, %wide.first ], [ %most.66, %wide.tiles.body ]
  %most.46 = phi i8 [ %most.17, %wide.first ], [ %most.65, %wide.tiles.body ]
  %most.47 = phi i8 [ %most.16, %wide.first ], [ %most.64, %wide.tiles.body ]
  %goes.on = icmp sge i32 %tiles.left, 1
  br i1 %goes.on, label %wide.tiles.body, label %wide.tiles.last

wide.tiles.body:
  %wide.2 = zext i32 %lane to i64
  %wide.3 = sext i32 %tiles.left to i64
  %offset.6 = mul i64 %wide.2, 16
  %offset.7 = mul i64 %wide.3, 1024
  %offset.8 = add i64 %offset.6, %offset.7
  %offset.9 = mul i64 %offset.8, 8
  %at.29 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.9
  %offset.10 = mul i64 %offset.8, 4
  %at.30 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.10
  %offset.11 = mul i64 %offset.8, 1
  %at.31 = getelementptr i8, ptr addrspace(1) %array2, i64 %offset.11
  %at.32 = getelementptr i8, ptr addrspace(1) %at.29, i64 -4096
  %loaded.26 = load <2 x double>, ptr addrspace(1) %at.32, align 16, !invariant.load !0
  %element.96 = extractelement <2 x double> %loaded.26, i32 0
  %element.97 = extractelement <2 x double> %loaded.26, i32 1
  %at.33 = getelementptr i8, ptr addrspace(1) %at.29, i64 -4080
  %loaded.27 = load <2 x double>, ptr addrspace(1) %at.33, align 16, !invariant.load !0
  %element.98 = extractelement <2 x double> %loaded.27, i32 0
  %element.99 = extractelement <2 x double> %loaded.27, i32 1
  %at.34 = getelementptr i8, ptr addrspace(1) %at.29, i64 -4064
  %loaded.28 = load <2 x double>, ptr addrspace(1) %at.34, align 16, !invariant.load !0
  %element.100 = extractelement <2 x double> %loaded.28, i32 0
  %element.101 = extractelement <2 x double> %loaded.28, i32 1
  %at.35 = getelementptr i8, ptr addrspace(1) %at.29, i64 -4048
  %loaded.29 = load <2 x double>, ptr addrspace(1) %at.35, align 16, !invariant.load !0
  %element.102 = extractelement <2 x double> %loaded.29, i32 0
  %element.103 = extractelement <2 x double> %loaded.29, i32 1
  %at.36 = getelementptr i8, ptr addrspace(1) %at.29, i64 -4032
  %loaded.30 = load <2 x double>, ptr addrspace(1) %at.36, align 16, !invariant.load !0
  %element.104 = extractelement <2 x double> %loaded.30, i32 0
  %element.105 = extractelement <2 x double> %loaded.30, i32 1
  %at.37 = getelementptr i8, ptr addrspace(1) %at.29, i64 -4016
  %loaded.31 = load <2 x double>, ptr addrspace(1) %at.37, align 16, !invariant.load !0
  %element.106 = extractelement <2 x double> %loaded.31, i32 0
  %element.107 = extractelement <2 x double> %loaded.31, i32 1
  %at.38 = getelementptr i8, ptr addrspace(1) %at.29, i64 -4000
  %loaded.32 = load <2 x double>, ptr addrspace(1) %at.38, align 16, !invariant.load !0
  %element.108 = extractelement <2 x double> %loaded.32, i32 0
  %element.109 = extractelement <2 x double> %loaded.32, i32 1
  %at.39 = getelementptr i8, ptr addrspace(1) %at.29, i64 -3984
  %loaded.33 = load <2 x double>, ptr addrspace(1) %at.39, align 16, !invariant.load !0
  %element.110 = extractelement <2 x double> %loaded.33, i32 0
  %element.111 = extractelement <2 x double> %loaded.33, i32 1
  %at.40 = getelementptr i8, ptr addrspace(1) %at.30, i64 -2048
  %loaded.34 = load <4 x float>, ptr addrspace(1) %at.40, align 16, !invariant.load !0
  %element.112 = extractelement <4 x float> %loaded.34, i32 0
  %element.113 = extractelement <4 x float> %loaded.34, i32 1
  %element.114 = extractelement <4 x float> %loaded.34, i32 2
  %element.115 = extractelement <4 x float> %loaded.34, i32 3
  %at.41 = getelementptr i8, ptr addrspace(1) %at.30, i64 -2032
  %loaded.35 = load <4 x float>, ptr addrspace(1) %at.41, align 16, !invariant.load !0
  %element.116 = extractelement <4 x float> %loaded.35, i32 0
  %element.117 = extractelement <4 x float> %loaded.35, i32 1
  %element.118 = extractelement <4 x float> %loaded.35, i32 2
  %element.119 = extractelement <4 x float> %loaded.35, i32 3
  %at.42 = getelementptr i8, ptr addrspace(1) %at.30, i64 -2016
  %loaded.36 = load <4 x float>, ptr addrspace(1) %at.42, align 16, !invariant.load !0
  %element.120 = extractelement <4 x float> %loaded.36, i32 0
  %element.121 = extractelement <4 x float> %loaded.36, i32 1
  %element.122 = extractelement <4 x float> %loaded.36, i32 2
  %element.123 = extractelement <4 x float> %loaded.36, i32 3
  %at.43 = getelementptr i8, ptr addrspace(1) %at.30, i64 -2000
  %loaded.37 = load <4 x float>, ptr addrspace(1) %at.43, align 16, !invariant.load !0
  %element.124 = extractelement <4 x float> %loaded.37, i32 0
  %element.125 = extractelement <4 x float> %loaded.37, i32 1
  %element.126 = extractelement <4 x float> %loaded.37, i32 2
  %element.127 = extractelement <4 x float> %loaded.37, i32 3
  %at.44 = getelementptr i8, ptr addrspace(1) %at.31, i64 -512
  %loaded.38 = load <16 x i8>, ptr addrspace(1) %at.44, align 16, !invariant.load !0
  %element.128 = extractelement <16 x i8> %loaded.38, i32 0
  %element.129 = extractelement <16 x i8> %loaded.38, i32 1
  %element.130 = extractelement <16 x i8> %loaded.38, i32 2
  %element.131 = extractelement <16 x i8> %loaded.38, i32 3
  %element.132 = extractelement <16 x i8> %loaded.38, i32 4
  %element.133 = extractelement <16 x i8> %loaded.38, i32 5
  %element.134 = extractelement <16 x i8> %loaded.38, i32 6
  %element.135 = extractelement <16 x i8> %loaded.38, i32 7
  %element.136 = extractelement <16 x i8> %loaded.38, i32 8
  %element.137 = extractelement <16 x i8> %loaded.38, i32 9
  %element.138 = extractelement <16 x i8> %loaded.38, i32 10
  %element.139 = extractelement <16 x i8> %loaded.38, i32 11
  %element.140 = extractelement <16 x i8> %loaded.38, i32 12
  %element.141 = extractelement <16 x i8> %loaded.38, i32 13
  %element.142 = extractelement <16 x i8> %loaded.38, i32 14
  %element.143 = extractelement <16 x i8> %loaded.38, i32 15
  %at.45 = getelementptr i8, ptr addrspace(1) %at.29, i64 -8192
  %loaded.39 = load <2 x double>, ptr addrspace(1) %at.45, align 16, !invariant.load !0
  %element.144 = extractelement <2 x double> %loaded.39, i32 0
  %element.145 = extractelement <2 x double> %loaded.39, i32 1
  %at.46 = getelementptr i8, ptr addrspace(1) %at.29, i64 -8176
  %loaded.40 = load <2 x double>, ptr addrspace(1) %at.46, align 16, !invariant.load !0
  %element.146 = extractelement <2 x double> %loaded.40, i32 0
  %element.147 = extractelement <2 x double> %loaded.40, i32 1
  %at.47 = getelementptr i8, ptr addrspace(1) %at.29, i64 -8160
  %loaded.41 = load <2 x double>, ptr addrspace(1) %at.47, align 16, !invariant.load !0
  %element.148 = extractelement <2 x double> %loaded.41, i32 0
  %element.149 = extractelement <2 x double> %loaded.41, i32 1
  %at.48 = getelementptr i8, ptr addrspace(1) %at.29, i64 -8144
  %loaded.42 = load <2 x double>, ptr addrspace(1) %at.48, align 16, !invariant.load !0
  %element.150 = extractelement <2 x double> %loaded.42, i32 0
  %element.151 = extractelement <2 x double> %loaded.42, i32 1
  %at.49 = getelementptr i8, ptr addrspace(1) %at.29, i64 -8128
  %loaded.43 = load <2 x double>, ptr addrspace(1) %at.49, align 16, !invariant.load !0
  %element.152 = extractelement <2 x double> %loaded.43, i32 0
  %element.153 = extractelement <2 x double> %loaded.43, i32 1
  %at.50 = getelementptr i8, ptr addrspace(1) %at.29, i64 -8112
  %loaded.44 = load <2 x double>, ptr addrspace(1) %at.50, align 16, !invariant.load !0
  %element.154 = extractelement <2 x double> %loaded.44, i32 0
  %element.155 = extractelement <2 x double> %loaded.44, i32 1
  %at.51 = getelementptr i8, ptr addrspace(1) %at.29, i64 -8096
  %loaded.45 = load <2 x double>, ptr addrspace(1) %at.51, align 16, !invariant.load !0
  %element.156 = extractelement <2 x double> %loaded.45, i32 0
  %element.157 = extractelement <2 x double> %loaded.45, i32 1
  %at.52 = getelementptr i8, ptr addrspace(1) %at.29, i64 -8080
  %loaded.46 = load <2 x double>, ptr addrspace(1) %at.52, align 16, !invariant.load !0
  %element.158 = extractelement <2 x double> %loaded.46, i32 0
  %element.159 = extractelement <2 x double> %loaded.46, i32 1
  %at.53 = getelementptr i8, ptr addrspace(1) %at.30, i64 -4096
  %loaded.47 = load <4 x float>, ptr addrspace(1) %at.53, align 16, !invariant.load !0
  %element.160 = extractelement <4 x float> %loaded.47, i32 0
  %element.161 = extractelement <4 x float> %loaded.47, i32 1
  %element.162 = extractelement <4 x float> %loaded.47, i32 2
  %element.163 = extractelement <4 x float> %loaded.47, i32 3
  %at.54 = getelementptr i8, ptr addrspace(1) %at.30, i64 -4080
  %loaded.48 = load <4 x float>, ptr addrspace(1) %at.54, align 16, !invariant.load !0
  %element.164 = extractelement <4 x float> %loaded.48, i32 0
  %element.165 = extractelement <4 x float> %loaded.48, i32 1
  %element.166 = extractelement <4 x float> %loaded.48, i32 2
  %element.167 = extractelement <4 x float> %loaded.48, i32 3
  %at.55 = getelementptr i8, ptr addrspace(1) %at.30, i64 -4064
  %loaded.49 = load <4 x float>, ptr addrspace(1) %at.55, align 16, !invariant.load !0
  %element.168 = extractelement <4 x float> %loaded.49, i32 0
  %element.169 = extractelement <4 x float> %loaded.49, i32 1
  %element.170 = extractelement <4 x float> %loaded.49, i32 2
  %element.171 = extractelement <4 x float> %loaded.49, i32 3
  %at.56 = getelementptr i8, ptr addrspace(1) %at.30, i64 -4048
  %loaded.50 = load <4 x float>, ptr addrspace(1) %at.56, align 16, !invariant.load !0
  %element.172 = extractelement <4 x float> %loaded.50, i32 0
  %element.173 = extractelement <4 x float> %loaded.50, i32 1
  %element.174 = extractelement <4 x float> %loaded.50, i32 2
  %element.175 = extractelement <4 x float> %loaded.50, i32 3
  %at.57 = getelementptr i8, ptr addrspace(1) %at.31, i64 -1024
  %loaded.51 = load <16 x i8>, ptr addrspace(1) %at.57, align 16, !invariant.load !0
  %element.176 = extractelement <16 x i8> %loaded.51, i32 0
  %element.177 = extractelement <16 x i8> %loaded.51, i32 1
  %element.178 = extractelement <16 x i8> %loaded.51, i32 2
  %element.179 = extractelement <16 x i8> %loaded.51, i32 3
  %element.180 = extractelement <16 x i8> %loaded.51, i32 4
  %element.181 = extractelement <16 x i8> %loaded.51, i32 5
  %element.182 = extractelement <16 x i8> %loaded.51, i32 6
  %element.183 = extractelement <16 x i8> %loaded.51, i32 7
  %element.184 = extractelement <16 x i8> %loaded.51, i32 8
  %element.185 = extractelement <16 x i8> %loaded.51, i32 9
  %element.186 = extractelement <16 x i8> %loaded.51, i32 10
  %element.187 = extractelement <16 x i8> %loaded.51, i32 11
  %element.188 = extractelement <16 x i8> %loaded.51, i32 12
  %element.189 = extractelement <16 x i8> %loaded.51, i32 13
  %element.190 = extractelement <16 x i8> %loaded.51, i32 14
  %element.191 = extractelement <16 x i8> %loaded.51, i32 15
  %sum.48 = fadd double %sum.47, %element.111
  %product.48 = fmul float %product.47, %element.127
  %most.48 = call i8 @llvm.smax.i8(i8 %most.47, i8 %element.143)
  %sum.49 = fadd double %sum.46, %element.110
  %product.49 = fmul float %product.46, %element.126
  %most.49 = call i8 @llvm.smax.i8(i8 %most.46, i8 %element.142)
  %sum.50 = fadd double %sum.45, %element.109
  %product.50 = fmul float %product.45, %element.125
  %most.50 = call i8 @llvm.smax.i8(i8 %most.45, i8 %element.141)
  %sum.51 = fadd double %sum.44, %element.108
  %product.51 = fmul float %product.44, %element.124
  %most.51 = call i8 @llvm.smax.i8(i8 %most.44, i8 %element.140)
  %sum.52 = fadd double %sum.43, %element.107
  %product.52 = fmul float %product.43, %element.123
  %most.52 = call i8 @llvm.smax.i8(i8 %most.43, i8 %element.139)
  %sum.53 = fadd double %sum.42, %element.106
  %product.53 = fmul float %product.42, %element.122
  %most.53 = call i8 @llvm.smax.i8(i8 %most.42, i8 %element.138)
  %sum.54 = fadd double %sum.41, %element.105
  %product.54 = fmul float %product.41, %element.121
  %most.54 = call i8 @llvm.smax.i8(i8 %most.41, i8 %element.137)
  %sum.55 = fadd double %sum.40, %element.104
  %product.55 = fmul float %product.40, %element.120
  %most.55 = call i8 @llvm.smax.i8(i8 %most.40, i8 %element.136)
  %sum.56 = fadd double %sum.39, %element.103
  %product.56 = fmul float %product.39, %element.119
  %most.56 = call i8 @llvm.smax.i8(i8 %most.39, i8 %element.135)
  %sum.57 = fadd double %sum.38, %element.102
  %product.57 = fmul float %product.38, %element.118
  %most.57 = call i8 @llvm.smax.i8(i8 %most.38, i8 %element.134)
  %sum.58 = fadd double %sum.37, %element.101
  %product.58 = fmul float %product.37, %element.117
  %most.58 = call i8 @llvm.smax.i8(i8 %most.37, i8 %element.133)
  %sum.59 = fadd double %sum.36, %element.100
  %product.59 = fmul float %product.36, %element.116
  %most.59 = call i8 @llvm.smax.i8(i8 %most.36, i8 %element.132)
  %sum.60 = fadd double %sum.35, %element.99
  %product.60 = fmul float %product.35, %element.115
  %most.60 = call i8 @llvm.smax.i8(i8 %most.35, i8 %element.131)
  %sum.61 = fadd double %sum.34, %element.98
  %product.61 = fmul float %product.34, %element.114
  %most.61 = call i8 @llvm.smax.i8(i8 %most.34, i8 %element.130)
  %sum.62 = fadd double %sum.33, %element.97
  %product.62 = fmul float %product.33, %element.113
  %most.62 = call i8 @llvm.smax.i8(i8 %most.33, i8 %element.129)
  %sum.63 = fadd double %sum.32, %element.96
  %product.63 = fmul float %product.32, %element.112
  %most.63 = call i8 @llvm.smax.i8(i8 %most.32, i8 %element.128)
  %sum.64 = fadd double %sum.48, %element.159
  %product.64 = fmul float %product.48, %element.175
  %most.64 = call i8 @llvm.smax.i8(i8 %most.48, i8 %element.191)
  %sum.65 = fadd double %sum.49, %element.158
  %product.65 = fmul float %product.49, %element.174
  %most.65 = call i8 @llvm.smax.i8(i8 %most.49, i8 %element.190)
  %sum.66 = fadd double %sum.50, %element.157
  %product.66 = fmul float %product.50, %element.173
  %most.66 = call i8 @llvm.smax.i8(i8 %most.50, i8 %element.189)
  %sum.67 = fadd double %sum.51, %element.156
  %product.67 = fmul float %product.51, %element.172
  %most.67 = call i8 @llvm.smax.i8(i8 %most.51, i8 %element.188)
  %sum.68 = fadd double %sum.52, %element.155
  %product.68 = fmul float %product.52, %element.171
  %most.68 = call i8 @llvm.smax.i8(i8 %most.52, i8 %element.187)
  %sum.69 = fadd double %sum.53, %element.154
  %product.69 = fmul float %product.53, %element.170
  %most.69 = call i8 @llvm.smax.i8(i8 %most.53, i8 %element.186)
  %sum.70 = fadd double %sum.54, %element.153
  %product.70 = fmul float %product.54, %element.169
  %most.70 = call i8 @llvm.smax.i8(i8 %most.54, i8 %element.185)
  %sum.71 = fadd double %sum.55, %element.152
  %product.71 = fmul float %product.55, %element.168
  %most.71 = call i8 @llvm.smax.i8(i8 %most.55, i8 %element.184)
  %sum.72 = fadd double %sum.56, %element.151
  %product.72 = fmul float %product.56, %element.167
  %most.72 = call i8 @llvm.smax.i8(i8 %most.56, i8 %element.183)
  %sum.73 = fadd double %sum.57, %element.150
  %product.73 = fmul float %product.57, %element.166
  %most.73 = call i8 @llvm.smax.i8(i8 %most.57, i8 %element.182)
  %sum.74 = fadd double %sum.58, %element.149
  %product.74 = fmul float %product.58, %element.165
  %most.74 = call i8 @llvm.smax.i8(i8 %most.58, i8 %element.181)
  %sum.75 = fadd double %sum.59, %element.148
  %product.75 = fmul float %product.59, %element.164
  %most.75 = call i8 @llvm.smax.i8(i8 %most.59, i8 %element.180)
  %sum.76 = fadd double %sum.60, %element.147
  %product.76 = fmul float %product.60, %element.163
  %most.76 = call i8 @llvm.smax.i8(i8 %most.60, i8 %element.179)
  %sum.77 = fadd double %sum.61, %element.146
  %product.77 = fmul float %product.61, %element.162
  %most.77 = call i8 @llvm.smax.i8(i8 %most.61, i8 %element.178)
  %sum.78 = fadd double %sum.62, %element.145
  %product.78 = fmul float %product.62, %element.161
  %most.78 = call i8 @llvm.smax.i8(i8 %most.62, i8 %element.177)
  %sum.79 = fadd double %sum.63, %element.144
  %product.79 = fmul float %product.63, %element.160
  %most.79 = call i8 @llvm.smax.i8(i8 %most.63, i8 %element.176)
  %next.1 = sub i32 %tiles.left, %grid.warps
  br label %wide.tiles, !llvm.loop !4

wide.tiles.last:
  %sum.total = fadd double %sum.32, %sum.33
  %sum.total.1 = fadd double %sum.total, %sum.34
  %sum.total.2 = fadd double %sum.total.1, %sum.35
  %sum.total.3 = fadd double %sum.total.2, %sum.36
  %sum.total.4 = fadd double %sum.total.3, %sum.37
  %sum.total.5 = fadd double %sum.total.4, %sum.38
  %sum.total.6 = fadd double %sum.total.5, %sum.39
  %sum.total.7 = fadd double %sum.total.6, %sum.40
  %sum.total.8 = fadd double %sum.total.7, %sum.41
  %sum.total.9 = fadd double %sum.total.8, %sum.42
  %sum.total.10 = fadd double %sum.total.9, %sum.43
  %sum.total.11 = fadd double %sum.total.10, %sum.44
  %sum.total.12 = fadd double %sum.total.11, %sum.45
  %sum.total.13 = fadd double %sum.total.12, %sum.46
  %sum.total.14 = fadd double %sum.total.13, %sum.47
  %product.total = fmul float %product.32, %product.33
  %product.total.1 = fmul float %product.total, %product.34
  %product.total.2 = fmul float %product.total.1, %product.35
  %product.total.3 = fmul float %product.total.2, %product.36
  %product.total.4 = fmul float %product.total.3, %product.37
  %product.total.5 = fmul float %product.total.4, %product.38
  %product.total.6 = fmul float %product.total.5, %product.39
  %product.total.7 = fmul float %product.total.6, %product.40
  %product.total.8 = fmul float %product.total.7, %product.41
  %product.total.9 = fmul float %product.total.8, %product.42
  %product.total.10 = fmul float %product.total.9, %product.43
  %product.total.11 = fmul float %product.total.10, %product.44
  %product.total.12 = fmul float %product.total.11, %product.45
  %product.total.13 = fmul float %product.total.12, %product.46
  %product.total.14 = fmul float %product.total.13, %product.47
  %most.total = call i8 @llvm.smax.i8(i8 %most.32, i8 %most.33)
  %most.total.1 = call i8 @llvm.smax.i8(i8 %most.total, i8 %most.34)
  %most.total.2 = call i8 @llvm.smax.i8(i8 %most.total.1, i8 %most.35)
  %most.total.3 = call i8 @llvm.smax.i8(i8 %most.total.2, i8 %most.36)
  %most.total.4 = call i8 @llvm.smax.i8(i8 %most.total.3, i8 %most.37)
  %most.total.5 = call i8 @llvm.smax.i8(i8 %most.total.4, i8 %most.38)
  %most.total.6 = call i8 @llvm.smax.i8(i8 %most.total.5, i8 %most.39)
  %most.total.7 = call i8 @llvm.smax.i8(i8 %most.total.6, i8 %most.40)
  %most.total.8 = call i8 @llvm.smax.i8(i8 %most.total.7, i8 %most.41)
  %most.total.9 = call i8 @llvm.smax.i8(i8 %most.total.8, i8 %most.42)
  %most.total.10 = call i8 @llvm.smax.i8(i8 %most.total.9, i8 %most.43)
  %most.total.11 = call i8 @llvm.smax.i8(i8 %most.total.10, i8 %most.44)
  %most.total.12 = call i8 @llvm.smax.i8(i8 %most.total.11, i8 %most.45)
  %most.total.13 = call i8 @llvm.smax.i8(i8 %most.total.12, i8 %most.46)
  %most.total.14 = call i8 @llvm.smax.i8(i8 %most.total.13, i8 %most.47)
  br label %wide.tiles.end

wide.tiles.end:
  %sum.80 = phi double [ -0.0, %aligned ], [ %sum.total.14, %wide.tiles.last ]
  %product.80 = phi float [ 1.0, %aligned ], [ %product.total.14, %wide.tiles.last ]
  %most.80 = phi i8 [ -128, %aligned ], [ %most.total.14, %wide.tiles.last ]
  br label %whole

unaligned:
  %is.idle.1 = icmp slt i32 %first, 1
  br i1 %is.idle.1, label %narrow.tiles.end, label %narrow.first, !prof !5

narrow.first:
  %wide.4 = zext i32 %lane to i64
  %wide.5 = sext i32 %first to i64
  %offset.12 = mul i64 %wide.4, 16
  %offset.13 = mul i64 %wide.5, 1024
  %offset.14 = add i64 %offset.12, %offset.13
  %offset.15 = mul i64 %offset.14, 8
  %at.58 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.15
  %offset.16 = mul i64 %offset.14, 4
  %at.59 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.16
  %offset.17 = mul i64 %offset.14, 1
  %at.60 = getelementptr i8, ptr addrspace(1) %array2, i64 %offset.17
  %at.61 = getelementptr i8, ptr addrspace(1) %at.58, i64 -4096
  %element.192 = load double, ptr addrspace(1) %at.61, align 8, !invariant.load !0
  %at.62 = getelementptr i8, ptr addrspace(1) %at.58, i64 -4088
  %element.193 = load double, ptr addrspace(1) %at.62, align 8, !invariant.load !0
  %at.63 = getelementptr i8, ptr addrspace(1) %at.58, i64 -4080
  %element.194 = load double, ptr addrspace(1) %at.63, align 8, !invariant.load !0
  %at.64 = getelementptr i8, ptr addrspace(1) %at.58, i64 -4072
  %element.195 = load double, ptr addrspace(1) %at.64, align 8, !invariant.load !0
  %at.65 = getelementptr i8, ptr addrspace(1) %at.58, i64 -4064
  %element.196 = load double, ptr addrspace(1) %at.65, align 8, !invariant.load !0
  %at.66 = getelementptr i8, ptr addrspace(1) %at.58, i64 -4056
  %element.197 = load double, ptr addrspace(1) %at.66, align 8, !invariant.load !0
  %at.67 = getelementptr i8, ptr addrspace(1) %at.58, i64 -4048
  %element.198 = load double, ptr addrspace(1) %at.67, align 8, !invariant.load !0
  %at.68 = getelementptr i8, ptr addrspace(1) %at.58, i64 -4040
  %element.199 = load double, ptr addrspace(1) %at.68, align 8, !invariant.load !0
  %at.69 = getelementptr i8, ptr addrspace(1) %at.58, i64 -4032
  %element.200 = load double, ptr addrspace(1) %at.69, align 8, !invariant.load !0
  %at.70 = getelementptr i8, ptr addrspace(1) %at.58, i64 -4024
  %element.201 = load double, ptr addrspace(1) %at.70, align 8, !invariant.load !0
  %at.71 = getelementptr i8, ptr addrspace(1) %at.58, i64 -4016
  %element.202 = load double, ptr addrspace(1) %at.71, align 8, !invariant.load !0
  %at.72 = getelementptr i8, ptr addrspace(1) %at.58, i64 -4008
  %element.203 = load double, ptr addrspace(1) %at.72, align 8, !invariant.load !0
  %at.73 = getelementptr i8, ptr addrspace(1) %at.58, i64 -4000
  %element.204 = load double, ptr addrspace(1) %at.73, align 8, !invariant.load !0
  %at.74 = getelementptr i8, ptr addrspace(1) %at.58, i64 -3992
  %element.205 = load double, ptr addrspace(1) %at.74, align 8, !invariant.load !0
  %at.75 = getelementptr i8, ptr addrspace(1) %at.58, i64 -3984
  %element.206 = load double, ptr addrspace(1) %at.75, align 8, !invariant.load !0
  %at.76 = getelementptr i8, ptr addrspace(1) %at.58, i64 -3976
  %element.207 = load double, ptr addrspace(1) %at.76, align 8, !invariant.load !0
  %at.77 = getelementptr i8, ptr addrspace(1) %at.59, i64 -2048
  %element.208 = load float, ptr addrspace(1) %at.77, align 4, !invariant.load !0
  %at.78 = getelementptr i8, ptr addrspace(1) %at.59, i64 -2044
  %element.209 = load float, ptr addrspace(1) %at.78, align 4, !invariant.load !0
  %at.79 = getelementptr i8, ptr addrspace(1) %at.59, i64 -2040
  %element.210 = load float, ptr addrspace(1) %at.79, align 4, !invariant.load !0
  %at.80 = getelementptr i8, ptr addrspace(1) %at.59, i64 -2036
  %element.211 = load float, ptr addrspace(1) %at.80, align 4, !invariant.load !0
  %at.81 = getelementptr i8, ptr addrspace(1) %at.59, i64 -2032
  %element.212 = load float, ptr addrspace(1) %at.81, align 4, !invariant.load !0
  %at.82 = getelementptr i8, ptr addrspace(1) %at.59, i64 -2028
  %element.213 = load float, ptr addrspace(1) %at.82, align 4, !invariant.load !0
  %at.83 = getelementptr i8, ptr addrspace(1) %at.59, i64 -2024
  %element.214 = load float, ptr addrspace(1) %at.83, align 4, !invariant.load !0
  %at.84 = getelementptr i8, ptr addrspace(1) %at.59, i64 -2020
  %element.215 = load float, ptr addrspace(1) %at.84, align 4, !invariant.load !0
  %at.85 = getelementptr i8, ptr addrspace(1) %at.59, i64 -2016
  %element.216 = load float, ptr addrspace(1) %at.85, align 4, !invariant.load !0
  %at.86 = getelementptr i8, ptr addrspace(1) %at.59, i64 -2012
  %element.217 = load float, ptr addrspace(1) %at.86, align 4, !invariant.load !0
  %at.87 = getelementptr i8, ptr addrspace(1) %at.59, i64 -2008
  %element.218 = load float, ptr addrspace(1) %at.87, align 4, !invariant.load !0
  %at.88 = getelementptr i8, ptr addrspace(1) %at.59, i64 -2004
  %element.219 = load float, ptr addrspace(1) %at.88, align 4, !invariant.load !0
  %at.89 = getelementptr i8, ptr addrspace(1) %at.59, i64 -2000
  %element.220 = load float, ptr addrspace(1) %at.89, align 4, !invariant.load !0
  %at.90 = getelementptr i8, ptr addrspace(1) %at.59, i64 -1996
  %element.221 = load float, ptr addrspace(1) %at.90, align 4, !invariant.load !0
  %at.91 = getelementptr i8, ptr addrspace(1) %at.59, i64 -1992
  %element.222 = load float, ptr addrspace(1) %at.91, align 4, !invariant.load !0
  %at.92 = getelementptr i8, ptr addrspace(1) %at.59, i64 -1988
  %element.223 = load float, ptr addrspace(1) %at.92, align 4, !invariant.load !0
  %at.93 = getelementptr i8, ptr addrspace(1) %at.60, i64 -512
  %element.224 = load i8, ptr addrspace(1) %at.93, align 1, !invariant.load !0
  %at.94 = getelementptr i8, ptr addrspace(1) %at.60, i64 -511
  %element.225 = load i8, ptr addrspace(1) %at.94, align 1, !invariant.load !0
  %at.95 = getelementptr i8, ptr addrspace(1) %at.60, i64 -510
  %element.226 = load i8, ptr addrspace(1) %at.95, align 1, !invariant.load !0
  %at.96 = getelementptr i8, ptr addrspace(1) %at.60, i64 -509
  %element.227 = load i8, ptr addrspace(1) %at.96, align 1, !invariant.load !0
  %at.97 = getelementptr i8, ptr addrspace(1) %at.60, i64 -508
  %element.228 = load i8, ptr addrspace(1) %at.97, align 1, !invariant.load !0
  %at.98 = getelementptr i8, ptr addrspace(1) %at.60, i64 -507
  %element.229 = load i8, ptr addrspace(1) %at.98, align 1, !invariant.load !0
  %at.99 = getelementptr i8, ptr addrspace(1) %at.60, i64 -506
  %element.230 = load i8, ptr addrspace(1) %at.99, align 1, !invariant.load !0
  %at.100 = getelementptr i8, ptr addrspace(1) %at.60, i64 -505
  %element.231 = load i8, ptr addrspace(1) %at.100, align 1, !invariant.load !0
  %at.101 = getelementptr i8, ptr addrspace(1) %at.60, i64 -504
  %element.232 = load i8, ptr addrspace(1) %at.101, align 1, !invariant.load !0
  %at.102 = getelementptr i8, ptr addrspace(1) %at.60, i64 -503
  %element.233 = load i8, ptr addrspace(1) %at.102, align 1, !invariant.load !0
  %at.103 = getelementptr i8, ptr addrspace(1) %at.60, i64 -502
  %element.234 = load i8, ptr addrspace(1) %at.103, align 1, !invariant.load !0
  %at.104 = getelementptr i8, ptr addrspace(1) %at.60, i64 -501
  %element.235 = load i8, ptr addrspace(1) %at.104, align 1, !invariant.load !0
  %at.105 = getelementptr i8, ptr addrspace(1) %at.60, i64 -500
  %element.236 = load i8, ptr addrspace(1) %at.105, align 1, !invariant.load !0
  %at.106 = getelementptr i8, ptr addrspace(1) %at.60, i64 -499
  %element.237 = load i8, ptr addrspace(1) %at.106, align 1, !invariant.load !0
  %at.107 = getelementptr i8, ptr addrspace(1) %at.60, i64 -498
  %element.238 = load i8, ptr addrspace(1) %at.107, align 1, !invariant.load !0
  %at.108 = getelementptr i8, ptr addrspace(1) %at.60, i64 -497
  %element.239 = load i8, ptr addrspace(1) %at.108, align 1, !invariant.load !0
  %at.109 = getelementptr i8, ptr addrspace(1) %at.58, i64 -8192
  %element.240 = load double, ptr addrspace(1) %at.109, align 8, !invariant.load !0
  %at.110 = getelementptr i8, ptr addrspace(1) %at.58, i64 -8184
  %element.241 = load double, ptr addrspace(1) %at.110, align 8, !invariant.load !0
  %at.111 = getelementptr i8, ptr addrspace(1) %at.58, i64 -8176
  %element.242 = load double, ptr addrspace(1) %at.111, align 8, !invariant.load !0
  %at.112 = getelementptr i8, ptr addrspace(1) %at.58, i64 -8168
  %element.243 = load double, ptr addrspace(1) %at.112, align 8, !invariant.load !0
  %at.113 = getelementptr i8, ptr addrspace(1) %at.58, i64 -8160
  %element.244 = load double, ptr addrspace(1) %at.113, align 8, !invariant.load !0
  %at.114 = getelementptr i8, ptr addrspace(1) %at.58, i64 -8152
  %element.245 = load double, ptr addrspace(1) %at.114, align 8, !invariant.load !0
  %at.115 = getelementptr i8, ptr addrspace(1) %at.58, i64 -8144
  %element.246 = load double, ptr addrspace(1) %at.115, align 8, !invariant.load !0
  %at.116 = getelementptr i8, ptr addrspace(1) %at.58, i64 -8136
  %element.247 = load double, ptr addrspace(1) %at.116, align 8, !invariant.load !0
  %at.117 = getelementptr i8, ptr addrspace(1) %at.58, i64 -8128
  %element.248 = load double, ptr addrspace(1) %at.117, align 8, !invariant.load !0
  %at.118 = getelementptr i8, ptr addrspace(1) %at.58, i64 -8120
  %element.249 = load double, ptr addrspace(1) %at.118, align 8, !invariant.load !0
  %at.119 = getelementptr i8, ptr addrspace(1) %at.58, i64 -8112
  %element.250 = load double, ptr addrspace(1) %at.119, align 8, !invariant.load !0
  %at.120 = getelementptr i8, ptr addrspace(1) %at.58, i64 -8104
  %element.251 = load double, ptr addrspace(1) %at.120, align 8, !invariant.load !0
  %at.121 = getelementptr i8, ptr addrspace(1) %at.58, i64 -8096
  %element.252 = load double, ptr addrspace(1) %at.121, align 8, !invariant.load !0
  %at.122 = getelementptr i8, ptr addrspace(1) %at.58, i64 -8088
  %element.253 = load double, ptr addrspace(1) %at.122, align 8, !invariant.load !0
  %at.123 = getelementptr i8, ptr addrspace(1) %at.58, i64 -8080
  %element.254 = load double, ptr addrspace(1) %at.123, align 8, !invariant.load !0
  %at.124 = getelementptr i8, ptr addrspace(1) %at.58, i64 -8072
  %element.255 = load double, ptr addrspace(1) %at.124, align 8, !invariant.load !0
  %at.125 = getelementptr i8, ptr addrspace(1) %at.59, i64 -4096
  %element.256 = load float, ptr addrspace(1) %at.125, align 4, !invariant.load !0
  %at.126 = getelementptr i8, ptr addrspace(1) %at.59, i64 -4092
  %element.257 = load float, ptr addrspace(1) %at.126, align 4, !invariant.load !0
  %at.127 = getelementptr i8, ptr addrspace(1) %at.59, i64 -4088
  %element.258 = load float, ptr addrspace(1) %at.127, align 4, !invariant.load !0
  %at.128 = getelementptr i8, ptr addrspace(1) %at.59, i64 -4084
  %element.259 = load float, ptr addrspace(1) %at.128, align 4, !invariant.load !0
  %at.129 = getelementptr i8, ptr addrspace(1) %at.59, i64 -4080
  %element.260 = load float, ptr addrspace(1) %at.129, align 4, !invariant.load !0
  %at.130 = getelementptr i8, ptr addrspace(1) %at.59, i64 -4076
  %element.261 = load float, ptr addrspace(1) %at.130, align 4, !invariant.load !0
  %at.131 = getelementptr i8, ptr addrspace(1) %at.59, i64 -4072
  %element.262 = load float, ptr addrspace(1) %at.131, align 4, !invariant.load !0
  %at.132 = getelementptr i8, ptr addrspace(1) %at.59, i64 -4068
  %element.263 = load float, ptr addrspace(1) %at.132, align 4, !invariant.load !0
  %at.133 = getelementptr i8, ptr addrspace(1) %at.59, i64 -4064
  %element.264 = load float, ptr addrspace(1) %at.133, align 4, !invariant.load !0
  %at.134 = getelementptr i8, ptr addrspace(1) %at.59, i64 -4060
  %element.265 = load float, ptr addrspace(1) %at.134, align 4, !invariant.load !0
  %at.135 = getelementptr i8, ptr addrspace(1) %at.59, i64 -4056
  %element.266 = load float, ptr addrspace(1) %at.135, align 4, !invariant.load !0
  %at.136 = getelementptr i8, ptr addrspace(1) %at.59, i64 -4052
  %element.267 = load float, ptr addrspace(1) %at.136, align 4, !invariant.load !0
  %at.137 = getelementptr i8, ptr addrspace(1) %at.59, i64 -4048
  %element.268 = load float, ptr addrspace(1) %at.137, align 4, !invariant.load !0
  %at.138 = getelementptr i8, ptr addrspace(1) %at.59, i64 -4044
  %element.269 = load float, ptr addrspace(1) %at.138, align 4, !invariant.load !0
  %at.139 = getelementptr i8, ptr addrspace(1) %at.59, i64 -4040
  %element.270 = load float, ptr addrspace(1) %at.139, align 4, !invariant.load !0
  %at.140 = getelementptr i8, ptr addrspace(1) %at.59, i64 -4036
  %element.271 = load float, ptr addrspace(1) %at.140, align 4, !invariant.load !0
  %at.141 = getelementptr i8, ptr addrspace(1) %at.60, i64 -1024
  %element.272 = load i8, ptr addrspace(1) %at.141, align 1, !invariant.load !0
  %at.142 = getelementptr i8, ptr addrspace(1) %at.60, i64 -1023
  %element.273 = load i8, ptr addrspace(1) %at.142, align 1, !invariant.load !0
  %at.143 = getelementptr i8, ptr addrspace(1) %at.60, i64 -1022
  %element.274 = load i8, ptr addrspace(1) %at.143, align 1, !invariant.load !0
  %at.144 = getelementptr i8, ptr addrspace(1) %at.60, i64 -1021
  %element.275 = load i8, ptr addrspace(1) %at.144, align 1, !invariant.load !0
  %at.145 = getelementptr i8, ptr addrspace(1) %at.60, i64 -1020
  %element.276 = load i8, ptr addrspace(1) %at.145, align 1, !invariant.load !0
  %at.146 = getelementptr i8, ptr addrspace(1) %at.60, i64 -1019
  %element.277 = load i8, ptr addrspace(1) %at.146, align 1, !invariant.load !0
  %at.147 = getelementptr i8, ptr addrspace(1) %at.60, i64 -1018
  %element.278 = load i8, ptr addrspace(1) %at.147, align 1, !invariant.load !0
  %at.148 = getelementptr i8, ptr addrspace(1) %at.60, i64 -1017
  %element.279 = load i8, ptr addrspace(1) %at.148, align 1, !invariant.load !0
  %at.149 = getelementptr i8, ptr addrspace(1) %at.60, i64 -1016
  %element.280 = load i8, ptr addrspace(1) %at.149, align 1, !invariant.load !0
  %at.150 = getelementptr i8, ptr addrspace(1) %at.60, i64 -1015
  %element.281 = load i8, ptr addrspace(1) %at.150, align 1, !invariant.load !0
  %at.151 = getelementptr i8, ptr addrspace(1) %at.60, i64 -1014
  %element.282 = load i8, ptr addrspace(1) %at.151, align 1, !invariant.load !0
  %at.152 = getelementptr i8, ptr addrspace(1) %at.60, i64 -1013
  %element.283 = load i8, ptr addrspace(1) %at.152, align 1, !invariant.load !0
  %at.153 = getelementptr i8, ptr addrspace(1) %at.60, i64 -1012
  %element.284 = load i8, ptr addrspace(1) %at.153, align 1, !invariant.load !0
  %at.154 = getelementptr i8, ptr addrspace(1) %at.60, i64 -1011
  %element.285 = load i8, ptr addrspace(1) %at.154, align 1, !invariant.load !0
  %at.155 = getelementptr i8, ptr addrspace(1) %at.60, i64 -1010
  %element.286 = load i8, ptr addrspace(1) %at.155, align 1, !invariant.load !0
  %at.156 = getelementptr i8, ptr addrspace(1) %at.60, i64 -1009
  %element.287 = load i8, ptr addrspace(1) %at.156, align 1, !invariant.load !0
  %sum.81 = fadd double -0.0, %element.207
  %product.81 = fmul float 1.0, %element.223
  %most.81 = call i8 @llvm.smax.i8(i8 -128, i8 %element.239)
  %sum.82 = fadd double -0.0, %element.206
  %product.82 = fmul float 1.0, %element.222
  %most.82 = call i8 @llvm.smax.i8(i8 -128, i8 %element.238)
  %sum.83 = fadd double -0.0, %element.205
  %product.83 = fmul float 1.0, %element.221
  %most.83 = call i8 @llvm.smax.i8(i8 -128, i8 %element.237)
  %sum.84 = fadd double -0.0, %element.204
  %product.84 = fmul float 1.0, %element.220
  %most.84 = call i8 @llvm.smax.i8(i8 -128, i8 %element.236)
  %sum.85 = fadd double -0.0, %element.203
  %product.85 = fmul float 1.0, %element.219
  %most.85 = call i8 @llvm.smax.i8(i8 -128, i8 %element.235)
  %sum.86 = fadd double -0.0, %element.202
  %product.86 = fmul float 1.0, %element.218
  %most.86 = call i8 @llvm.smax.i8(i8 -128, i8 %element.234)
  %sum.87 = fadd double -0.0, %element.201
  %product.87 = fmul float 1.0, %element.217
  %most.87 = call i8 @llvm.smax.i8(i8 -128, i8 %element.233)
  %sum.88 = fadd double -0.0, %element.200
  %product.88 = fmul float 1.0, %element.216
  %most.88 = call i8 @llvm.smax.i8(i8 -128, i8 %element.232)
  %sum.89 = fadd double -0.0, %element.199
  %product.89 = fmul float 1.0, %element.215
  %most.89 = call i8 @llvm.smax.i8(i8 -128, i8 %element.231)
  %sum.90 = fadd double -0.0, %element.198
  %product.90 = fmul float 1.0, %element.214
  %most.90 = call i8 @llvm.smax.i8(i8 -128, i8 %element.230)
  %sum.91 = fadd double -0.0, %element.197
  %product.91 = fmul float 1.0, %element.213
  %most.91 = call i8 @llvm.smax.i8(i8 -128, i8 %element.229)
  %sum.92 = fadd double -0.0, %element.196
  %product.92 = fmul float 1.0, %element.212
  %most.92 = call i8 @llvm.smax.i8(i8 -128, i8 %element.228)
  %sum.93 = fadd double -0.0, %element.195
  %product.93 = fmul float 1.0, %element.211
  %most.93 = call i8 @llvm.smax.i8(i8 -128, i8 %element.227)
  %sum.94 = fadd double -0.0, %element.194
  %product.94 = fmul float 1.0, %element.210
  %most.94 = call i8 @llvm.smax.i8(i8 -128, i8 %element.226)
  %sum.95 = fadd double -0.0, %element.193
  %product.95 = fmul float 1.0, %element.209
  %most.95 = call i8 @llvm.smax.i8(i8 -128, i8 %element.225)
  %sum.96 = fadd double -0.0, %element.192
  %product.96 = fmul float 1.0, %element.208
  %most.96 = call i8 @llvm.smax.i8(i8 -128, i8 %element.224)
  %sum.97 = fadd double %sum.81, %element.255
  %product.97 = fmul float %product.81, %element.271
  %most.97 = call i8 @llvm.smax.i8(i8 %most.81, i8 %element.287)
  %sum.98 = fadd double %sum.82, %element.254
  %product.98 = fmul float %product.82, %element.270
  %most.98 = call i8 @llvm.smax.i8(i8 %most.82, i8 %element.286)
  %sum.99 = fadd double %sum.83, %element.253
  %product.99 = fmul float %product.83, %element.269
  %most.99 = call i8 @llvm.smax.i8(i8 %most.83, i8 %element.285)
  %sum.100 = fadd double %sum.84, %element.252
  %product.100 = fmul float %product.84, %element.268
  %most.100 = call i8 @llvm.smax.i8(i8 %most.84, i8 %element.284)
  %sum.101 = fadd double %sum.85, %element.251
  %product.101 = fmul float %product.85, %element.267
  %most.101 = call i8 @llvm.smax.i8(i8 %most.85, i8 %element.283)
  %sum.102 = fadd double %sum.86, %element.250
  %product.102 = fmul float %product.86, %element.266
  %most.102 = call i8 @llvm.smax.i8(i8 %most.86, i8 %element.282)
  %sum.103 = fadd double %sum.87, %element.249
  %product.103 = fmul float %product.87, %element.265
  %most.103 = call i8 @llvm.smax.i8(i8 %most.87, i8 %element.281)
  %sum.104 = fadd double %sum.88, %element.248
  %product.104 = fmul float %product.88, %element.264
  %most.104 = call i8 @llvm.smax.i8(i8 %most.88, i8 %element.280)
  %sum.105 = fadd double %sum.89, %element.247
  %product.105 = fmul float %product.89, %element.263
  %most.105 = call i8 @llvm.smax.i8(i8 %most.89, i8 %element.279)
  %sum.106 = fadd double %sum.90, %element.246
  %product.106 = fmul float %product.90, %element.262
  %most.106 = call i8 @llvm.smax.i8(i8 %most.90, i8 %element.278)
  %sum.107 = fadd double %sum.91, %element.245
  %product.107 = fmul float %product.91, %element.261
  %most.107 = call i8 @llvm.smax.i8(i8 %most.91, i8 %element.277)
  %sum.108 = fadd double %sum.92, %element.244
  %product.108 = fmul float %product.92, %element.260
  %most.108 = call i8 @llvm.smax.i8(i8 %most.92, i8 %element.276)
  %sum.109 = fadd double %sum.93, %element.243
  %product.109 = fmul float %product.93, %element.259
  %most.109 = call i8 @llvm.smax.i8(i8 %most.93, i8 %element.275)
  %sum.110 = fadd double %sum.94, %element.242
  %product.110 = fmul float %product.94, %element.258
  %most.110 = call i8 @llvm.smax.i8(i8 %most.94, i8 %element.274)
  %sum.111 = fadd double %sum.95, %element.241
  %product.111 = fmul float %product.95, %element.257
  %most.111 = call i8 @llvm.smax.i8(i8 %most.95, i8 %element.273)
  %sum.112 = fadd double %sum.96, %element.240
  %product.112 = fmul float %product.96, %element.256
  %most.112 = call i8 @llvm.smax.i8(i8 %most.96, i8 %element.272)
  %next.2 = sub i32 %first, %grid.warps
  br label %narrow.tiles

narrow.tiles:
  %tiles.left.1 = phi i32 [ %next.2, %narrow.first ], [ %next.3, %narrow.tiles.body ]
  %sum.113 = phi double [ %sum.112, %narrow.first ], [ %sum.160, %narrow.tiles.body ]
  %sum.114 = phi double [ %sum.111, %narrow.first ], [ %sum.159, %narrow.tiles.body ]
  %sum.115 = phi double [ %sum.110, %narrow.first ], [ %sum.158, %narrow.tiles.body ]
  %sum.116 = phi double [ %sum.109, %narrow.first ], [ %sum.157, %narrow.tiles.body ]
  %sum.117 = phi double [ %sum.108, %narrow.first ], [ %sum.156, %narrow.tiles.body ]
  %sum.118 = phi double [ %sum.107, %narrow.first ], [ %sum.155, %narrow.tiles.body ]
  %sum.119 = phi double [ %sum.106, %narrow.first ], [ %sum.154, %narrow.tiles.body ]
  %sum.120 = phi double [ %sum.105, %narrow.first ], [ %sum.153, %narrow.tiles.body ]
  %sum.121 = phi double [ %sum.104, %narrow.first ], [ %sum.152, %narrow.tiles.body ]
  %sum.122 = phi double [ %sum.103, %narrow.first ], [ %sum.151, %narrow.tiles.body ]
  %sum.123 = phi double [ %sum.102, %narrow.first ], [ %sum.150, %narrow.tiles.body ]
  %sum.124 = phi double [ %sum.101, %narrow.first ], [ %sum.149, %narrow.tiles.body ]
  %sum.125 = phi double [ %sum.100, %narrow.first ], [ %sum.148, %narrow.tiles.body ]
  %sum.126 = phi double [ %sum.99, %narrow.first ], [ %sum.147, %narrow.tiles.body ]
  %sum.127 = phi double [ %sum.98, %narrow.first ], [ %sum.146, %narrow.tiles.body ]
  %sum.128 = phi double [ %sum.97, %narrow.first ], [ %sum.145, %narrow.tiles.body ]
  %product.113 = phi float [ %product.112, %narrow.first ], [ %product.160, %narrow.tiles.body ]
  %product.114 = phi float [ %product.111, %narrow.first ], [ %product.159, %narrow.tiles.body ]
  %product.115 = phi float [ %product.110, %narrow.first ], [ %product.158, %narrow.tiles.body ]
  %product.116 = phi float [ %product.109, %narrow.first ], [ %product.157, %narrow.tiles.body ]
  %product.117 = phi float [ %product.108, %narrow.first ], [ %product.156, %narrow.tiles.body ]
  %product.118 = phi float [ %product.107, %narrow.first ], [ %product.155, %narrow.tiles.body ]
  %product.119 = phi float [ %product.106, %narrow.first ], [ %product.154, %narrow.tiles.body ]
  %product.120 = phi float [ %product.105, %narrow.first ], [ %product.153, %narrow.tiles.body ]
  %product.121 = phi float [ %product.104, %narrow.first ], [ %product.152, %narrow.tiles.body ]
  %product.122 = phi float [ %product.103, %narrow.first ], [ %product.151, %narrow.tiles.body ]
  %product.123 = phi float [ %product.102, %narrow.first ], [ %product.150, %narrow.tiles.body ]
  %product.124 = phi float [ %product.101, %narrow.first ], [ %product.149, %narrow.tiles.body ]
  %product.125 = phi float [ %product.100, %narrow.first ], [ %product.148, %narrow.tiles.body ]
  %product.126 = phi float [ %product.99, %narrow.first ], [ %product.147, %narrow.tiles.body ]
  %product.127 = phi float [ %product.98, %narrow.first ], [ %product.146, %narrow.tiles.body ]
  %product.128 = phi float [ %product.97, %narrow.first ], [ %product.145, %narrow.tiles.body ]
  %most.113 = phi i8 [ %most.112, %narrow.first ], [ %most.160, %narrow.tiles.body ]
  %most.114 = phi i8 [ %most.111, %narrow.first ], [ %most.159, %narrow.tiles.body ]
  %most.115 = phi i8 [ %most.110, %narrow.first ], [ %most.158, %narrow.tiles.body ]
  %most.116 = phi i8 [ %most.109, %narrow.first ], [ %most.157, %narrow.tiles.body ]
  %most.117 = phi i8 [ %most.108, %narrow.first ], [ %most.156, %narrow.tiles.body ]
  %most.118 = phi i8 [ %most.107, %narrow.first ], [ %most.155, %narrow.tiles.body ]
  %most.119 = phi i8 [ %most.106, %narrow.first ], [ %most.154, %narrow.tiles.body ]
  %most.120 = phi i8 [ %most.105, %narrow.first ], [ %most.153, %narrow.tiles.body ]
  %most.121 = phi i8 [ %most.104, %narrow.first ], [ %most.152, %narrow.tiles.body ]
  %most.122 = phi i8 [ %most.103, %narrow.first ], [ %most.151, %narrow.tiles.body ]
  %most.123 = phi i8 [ %most.102, %narrow.first ], [ %most.150, %narrow.tiles.body ]
  %most.124 = phi i8 [ %most.101, %narrow.first ], [ %most.149, %narrow.tiles.body ]
  %most.125 = phi i8 [ %most.100, %narrow.first ], [ %most.148, %narrow.tiles.body ]
  %most.126 = phi i8 [ %most.99, %narrow.first ], [ %most.147, %narrow.tiles.body ]
  %most.127 = phi i8 [ %most.98, %narrow.first ], [ %most.146, %narrow.tiles.body ]
  %most.128 = phi i8 [ %most.97, %narrow.first ], [ %most.145, %narrow.tiles.body ]
  %goes.on.1 = icmp sge i32 %tiles.left.1, 1
  br i1 %goes.on.1, label %narrow.tiles.body, label %narrow.tiles.last

narrow.tiles.body:
  %wide.6 = zext i32 %lane to i64
  %wide.7 = sext i32 %tiles.left.1 to i64
  %offset.18 = mul i64 %wide.6, 16
  %offset.19 = mul i64 %wide.7, 1024
  %offset.20 = add i64 %offset.18, %offset.19
  %offset.21 = mul i64 %offset.20, 8
  %at.157 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.21
  %offset.22 = mul i64 %offset.20, 4
  %at.158 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.22
  %offset.23 = mul i64 %offset.20, 1
  %at.159 = getelementptr i8, ptr addrspace(1) %array2, i64 %offset.23
  %at.160 = getelementptr i8, ptr addrspace(1) %at.157, i64 -4096
  %element.288 = load double, ptr addrspace(1) %at.160, align 8, !invariant.load !0
  %at.161 = getelementptr i8, ptr addrspace(1) %at.157, i64 -4088
  %element.289 = load double, ptr addrspace(1) %at.161, align 8, !invariant.load !0
  %at.162 = getelementptr i8, ptr addrspace(1) %at.157, i64 -4080
  %element.290 = load double, ptr addrspace(1) %at.162, align 8, !invariant.load !0
  %at.163 = getelementptr i8, ptr addrspace(1) %at.157, i64 -4072
  %element.291 = load double, ptr addrspace(1) %at.163, align 8, !invariant.load !0
  %at.164 = getelementptr i8, ptr addrspace(1) %at.157, i64 -4064
  %element.292 = load double, ptr addrspace(1) %at.164, align 8, !invariant.load !0
  %at.165 = getelementptr i8, ptr addrspace(1) %at.157, i64 -4056
  %element.293 = load double, ptr addrspace(1) %at.165, align 8, !invariant.load !0
  %at.166 = getelementptr i8, ptr addrspace(1) %at.157, i64 -4048
  %element.294 = load double, ptr addrspace(1) %at.166, align 8, !invariant.load !0
  %at.167 = getelementptr i8, ptr addrspace(1) %at.157, i64 -4040
  %element.295 = load double, ptr addrspace(1) %at.167, align 8, !invariant.load !0
  %at.168 = getelementptr i8, ptr addrspace(1) %at.157, i64 -4032
  %element.296 = load double, ptr addrspace(1) %at.168, align 8, !invariant.load !0
  %at.169 = getelementptr i8, ptr addrspace(1) %at.157, i64 -4024
  %element.297 = load double, ptr addrspace(1) %at.169, align 8, !invariant.load !0
  %at.170 = getelementptr i8, ptr addrspace(1) %at.157, i64 -4016
  %element.298 = load double, ptr addrspace(1) %at.170, align 8, !invariant.load !0
  %at.171 = getelementptr i8, ptr addrspace(1) %at.157, i64 -4008
  %element.299 = load double, ptr addrspace(1) %at.171, align 8, !invariant.load !0
  %at.172 = getelementptr i8, ptr addrspace(1) %at.157, i64 -4000
  %element.300 = load double, ptr addrspace(1) %at.172, align 8, !invariant.load !0
  %at.173 = getelementptr i8, ptr addrspace(1) %at.157, i64 -3992
  %element.301 = load double, ptr addrspace(1) %at.173, align 8, !invariant.load !0
  %at.174 = getelementptr i8, ptr addrspace(1) %at.157, i64 -3984
  %element.302 = load double, ptr addrspace(1) %at.174, align 8, !invariant.load !0
  %at.175 = getelementptr i8, ptr addrspace(1) %at.157, i64 -3976
  %element.303 = load double, ptr addrspace(1) %at.175, align 8, !invariant.load !0
  %at.176 = getelementptr i8, ptr addrspace(1) %at.158, i64 -2048
  %element.304 = load float, ptr addrspace(1) %at.176, align 4, !invariant.load !0
  %at.177 = getelementptr i8, ptr addrspace(1) %at.158, i64 -2044
  %element.305 = load float, ptr addrspace(1) %at.177, align 4, !invariant.load !0
  %at.178 = getelementptr i8, ptr addrspace(1) %at.158, i64 -2040
  %element.306 = load float, ptr addrspace(1) %at.178, align 4, !invariant.load !0
  %at.179 = getelementptr i8, ptr addrspace(1) %at.158, i64 -2036
  %element.307 = load float, ptr addrspace(1) %at.179, align 4, !invariant.load !0
  %at.180 = getelementptr i8, ptr addrspace(1) %at.158, i64 -2032
  %element.308 = load float, ptr addrspace(1) %at.180, align 4, !invariant.load !0
  %at.181 = getelementptr i8, ptr addrspace(1) %at.158, i64 -2028
  %element.309 = load float, ptr addrspace(1) %at.181, align 4, !invariant.load !0
  %at.182 = getelementptr i8, ptr addrspace(1) %at.158, i64 -2024
  %element.310 = load float, ptr addrspace(1) %at.182, align 4, !invariant.load !0
  %at.183 = getelementptr i8, ptr addrspace(1) %at.158, i64 -2020
  %element.311 = load float, ptr addrspace(1) %at.183, align 4, !invariant.load !0
  %at.184 = getelementptr i8, ptr addrspace(1) %at.158, i64 -2016
  %element.312 = load float, ptr addrspace(1) %at.184, align 4, !invariant.load !0
  %at.185 = getelementptr i8, ptr addrspace(1) %at.158, i64 -2012
  %element.313 = load float, ptr addrspace(1) %at.185, align 4, !invariant.load !0
  %at.186 = getelementptr i8, ptr addrspace(1) %at.158, i64 -2008
  %element.314 = load float, ptr addrspace(1) %at.186, align 4, !invariant.load !0
  %at.187 = getelementptr i8, ptr addrspace(1) %at.158, i64 -2004
  %element.315 = load float, ptr addrspace(1) %at.187, align 4, !invariant.load !0
  %at.188 = getelementptr i8, ptr addrspace(1) %at.158, i64 -2000
  %element.316 = load float, ptr addrspace(1) %at.188, align 4, !invariant.load !0
  %at.189 = getelementptr i8, ptr addrspace(1) %at.158, i64 -1996
  %element.317 = load float, ptr addrspace(1) %at.189, align 4, !invariant.load !0
  %at.190 = getelementptr i8, ptr addrspace(1) %at.158, i64 -1992
  %element.318 = load float, ptr addrspace(1) %at.190, align 4, !invariant.load !0
  %at.191 = getelementptr i8, ptr addrspace(1) %at.158, i64 -1988
  %element.319 = load float, ptr addrspace(1) %at.191, align 4, !invariant.load !0
  %at.192 = getelementptr i8, ptr addrspace(1) %at.159, i64 -512
  %element.320 = load i8, ptr addrspace(1) %at.192, align 1, !invariant.load !0
  %at.193 = getelementptr i8, ptr addrspace(1) %at.159, i64 -511
  %element.321 = load i8, ptr addrspace(1) %at.193, align 1, !invariant.load !0
  %at.194 = getelementptr i8, ptr addrspace(1) %at.159, i64 -510
  %element.322 = load i8, ptr addrspace(1) %at.194, align 1, !invariant.load !0
  %at.195 = getelementptr i8, ptr addrspace(1) %at.159, i64 -509
  %element.323 = load i8, ptr addrspace(1) %at.195, align 1, !invariant.load !0
  %at.196 = getelementptr i8, ptr addrspace(1) %at.159, i64 -508
  %element.324 = load i8, ptr addrspace(1) %at.196, align 1, !invariant.load !0
  %at.197 = getelementptr i8, ptr addrspace(1) %at.159, i64 -507
  %element.325 = load i8, ptr addrspace(1) %at.197, align 1, !invariant.load !0
  %at.198 = getelementptr i8, ptr addrspace(1) %at.159, i64 -506
  %element.326 = load i8, ptr addrspace(1) %at.198, align 1, !invariant.load !0
  %at.199 = getelementptr i8, ptr addrspace(1) %at.159, i64 -505
  %element.327 = load i8, ptr addrspace(1) %at.199, align 1, !invariant.load !0
  %at.200 = getelementptr i8, ptr addrspace(1) %at.159, i64 -504
  %element.328 = load i8, ptr addrspace(1) %at.200, align 1, !invariant.load !0
  %at.201 = getelementptr i8, ptr addrspace(1) %at.159, i64 -503
  %element.329 = load i8, ptr addrspace(1) %at.201, align 1, !invariant.load !0
  %at.202 = getelementptr i8, ptr addrspace(1) %at.159, i64 -502
  %element.330 = load i8, ptr addrspace(1) %at.202, align 1, !invariant.load !0
  %at.203 = getelementptr i8, ptr addrspace(1) %at.159, i64 -501
  %element.331 = load i8, ptr addrspace(1) %at.203, align 1, !invariant.load !0
  %at.204 = getelementptr i8, ptr addrspace(1) %at.159, i64 -500
  %element.332 = load i8, ptr addrspace(1) %at.204, align 1, !invariant.load !0
  %at.205 = getelementptr i8, ptr addrspace(1) %at.159, i64 -499
  %element.333 = load i8, ptr addrspace(1) %at.205, align 1, !invariant.load !0
  %at.206 = getelementptr i8, ptr addrspace(1) %at.159, i64 -498
  %element.334 = load i8, ptr addrspace(1) %at.206, align 1, !invariant.load !0
  %at.207 = getelementptr i8, ptr addrspace(1) %at.159, i64 -497
  %element.335 = load i8, ptr addrspace(1) %at.207, align 1, !invariant.load !0
  %at.208 = getelementptr i8, ptr addrspace(1) %at.157, i64 -8192
  %element.336 = load double, ptr addrspace(1) %at.208, align 8, !invariant.load !0
  %at.209 = getelementptr i8, ptr addrspace(1) %at.157, i64 -8184
  %element.337 = load double, ptr addrspace(1) %at.209, align 8, !invariant.load !0
  %at.210 = getelementptr i8, ptr addrspace(1) %at.157, i64 -8176
  %element.338 = load double, ptr addrspace(1) %at.210, align 8, !invariant.load !0
  %at.211 = getelementptr i8, ptr addrspace(1) %at.157, i64 -8168
  %element.339 = load double, ptr addrspace(1) %at.211, align 8, !invariant.load !0
  %at.212 = getelementptr i8, ptr addrspace(1) %at.157, i64 -8160
  %element.340 = load double, ptr addrspace(1) %at.212, align 8, !invariant.load !0
  %at.213 = getelementptr i8, ptr addrspace(1) %at.157, i64 -8152
  %element.341 = load double, ptr addrspace(1) %at.213, align 8, !invariant.load !0
  %at.214 = getelementptr i8, ptr addrspace(1) %at.157, i64 -8144
  %element.342 = load double, ptr addrspace(1) %at.214, align 8, !invariant.load !0
  %at.215 = getelementptr i8, ptr addrspace(1) %at.157, i64 -8136
  %element.343 = load double, ptr addrspace(1) %at.215, align 8, !invariant.load !0
  %at.216 = getelementptr i8, ptr addrspace(1) %at.157, i64 -8128
  %element.344 = load double, ptr addrspace(1) %at.216, align 8, !invariant.load !0
  %at.217 = getelementptr i8, ptr addrspace(1) %at.157, i64 -8120
  %element.345 = load double, ptr addrspace(1) %at.217, align 8, !invariant.load !0
  %at.218 = getelementptr i8, ptr addrspace(1) %at.157, i64 -8112
  %element.346 = load double, ptr addrspace(1) %at.218, align 8, !invariant.load !0
  %at.219 = getelementptr i8, ptr addrspace(1) %at.157, i64 -8104
  %element.347 = load double, ptr addrspace(1) %at.219, align 8, !invariant.load !0
  %at.220 = getelementptr i8, ptr addrspace(1) %at.157, i64 -8096
  %element.348 = load double, ptr addrspace(1) %at.220, align 8, !invariant.load !0
  %at.221 = getelementptr i8, ptr addrspace(1) %at.157, i64 -8088
  %element.349 = load double, ptr addrspace(1) %at.221, align 8, !invariant.load !0
  %at.222 = getelementptr i8, ptr addrspace(1) %at.157, i64 -8080
  %element.350 = load double, ptr addrspace(1) %at.222, align 8, !invariant.load !0
  %at.223 = getelementptr i8, ptr addrspace(1) %at.157, i64 -8072
  %element.351 = load double, ptr addrspace(1) %at.223, align 8, !invariant.load !0
  %at.224 = getelementptr i8, ptr addrspace(1) %at.158, i64 -4096
  %element.352 = load float, ptr addrspace(1) %at.224, align 4, !invariant.load !0
  %at.225 = getelementptr i8, ptr addrspace(1) %at.158, i64 -4092
  %element.353 = load float, ptr addrspace(1) %at.225, align 4, !invariant.load !0
  %at.226 = getelementptr i8, ptr addrspace(1) %at.158, i64 -4088
  %element.354 = load float, ptr addrspace(1) %at.226, align 4, !invariant.load !0
  %at.227 = getelementptr i8, ptr addrspace(1) %at.158, i64 -4084
  %element.355 = load float, ptr addrspace(1) %at.227, align 4, !invariant.load !0
  %at.228 = getelementptr i8, ptr addrspace(1) %at.158, i64 -4080
  %element.356 = load float, ptr addrspace(1) %at.228, align 4, !invariant.load !0
  %at.229 = getelementptr i8, ptr addrspace(1) %at.158, i64 -4076
  %element.357 = load float, ptr addrspace(1) %at.229, align 4, !invariant.load !0
  %at.230 = getelementptr i8, ptr addrspace(1) %at.158, i64 -4072
  %element.358 = load float, ptr addrspace(1) %at.230, align 4, !invariant.load !0
  %at.231 = getelementptr i8, ptr addrspace(1) %at.158, i64 -4068
  %element.359 = load float, ptr addrspace(1) %at.231, align 4, !invariant.load !0
  %at.232 = getelementptr i8, ptr addrspace(1) %at.158, i64 -4064
  %element.360 = load float, ptr addrspace(1) %at.232, align 4, !invariant.load !0
  %at.233 = getelementptr i8, ptr addrspace(1) %at.158, i64 -4060
  %element.361 = load float, ptr addrspace(1) %at.233, align 4, !invariant.load !0
  %at.234 = getelementptr i8, ptr addrspace(1) %at.158, i64 -4056
  %element.362 = load float, ptr addrspace(1) %at.234, align 4, !invariant.load !0
  %at.235 = getelementptr i8, ptr addrspace(1) %at.158, i64 -4052
  %element.363 = load float, ptr addrspace(1) %at.235, align 4, !invariant.load !0
  %at.236 = getelementptr i8, ptr addrspace(1) %at.158, i64 -4048
  %element.364 = load float, ptr addrspace(1) %at.236, align 4, !invariant.load !0
  %at.237 = getelementptr i8, ptr addrspace(1) %at.158, i64 -4044
  %element.365 = load float, ptr addrspace(1) %at.237, align 4, !invariant.load !0
  %at.238 = getelementptr i8, ptr addrspace(1) %at.158, i64 -4040
  %element.366 = load float, ptr addrspace(1) %at.238, align 4, !invariant.load !0
  %at.239 = getelementptr i8, ptr addrspace(1) %at.158, i64 -4036
  %element.367 = load float, ptr addrspace(1) %at.239, align 4, !invariant.load !0
  %at.240 = getelementptr i8, ptr addrspace(1) %at.159, i64 -1024
  %element.368 = load i8, ptr addrspace(1) %at.240, align 1, !invariant.load !0
  %at.241 = getelementptr i8, ptr addrspace(1) %at.159, i64 -1023
  %element.369 = load i8, ptr addrspace(1) %at.241, align 1, !invariant.load !0
  %at.242 = getelementptr i8, ptr addrspace(1) %at.159, i64 -1022
  %element.370 = load i8, ptr addrspace(1) %at.242, align 1, !invariant.load !0
  %at.243 = getelementptr i8, ptr addrspace(1) %at.159, i64 -1021
  %element.371 = load i8, ptr addrspace(1) %at.243, align 1, !invariant.load !0
  %at.244 = getelementptr i8, ptr addrspace(1) %at.159, i64 -1020
  %element.372 = load i8, ptr addrspace(1) %at.244, align 1, !invariant.load !0
  %at.245 = getelementptr i8, ptr addrspace(1) %at.159, i64 -1019
  %element.373 = load i8, ptr addrspace(1) %at.245, align 1, !invariant.load !0
  %at.246 = getelementptr i8, ptr addrspace(1) %at.159, i64 -1018
  %element.374 = load i8, ptr addrspace(1) %at.246, align 1, !invariant.load !0
  %at.247 = getelementptr i8, ptr addrspace(1) %at.159, i64 -1017
  %element.375 = load i8, ptr addrspace(1) %at.247, align 1, !invariant.load !0
  %at.248 = getelementptr i8, ptr addrspace(1) %at.159, i64 -1016
  %element.376 = load i8, ptr addrspace(1) %at.248, align 1, !invariant.load !0
  %at.249 = getelementptr i8, ptr addrspace(1) %at.159, i64 -1015
  %element.377 = load i8, ptr addrspace(1) %at.249, align 1, !invariant.load !0
  %at.250 = getelementptr i8, ptr addrspace(1) %at.159, i64 -1014
  %element.378 = load i8, ptr addrspace(1) %at.250, align 1, !invariant.load !0
  %at.251 = getelementptr i8, ptr addrspace(1) %at.159, i64 -1013
  %element.379 = load i8, ptr addrspace(1) %at.251, align 1, !invariant.load !0
  %at.252 = getelementptr i8, ptr addrspace(1) %at.159, i64 -1012
  %element.380 = load i8, ptr addrspace(1) %at.252, align 1, !invariant.load !0
  %at.253 = getelementptr i8, ptr addrspace(1) %at.159, i64 -1011
  %element.381 = load i8, ptr addrspace(1) %at.253, align 1, !invariant.load !0
  %at.254 = getelementptr i8, ptr addrspace(1) %at.159, i64 -1010
  %element.382 = load i8, ptr addrspace(1) %at.254, align 1, !invariant.load !0
  %at.255 = getelementptr i8, ptr addrspace(1) %at.159, i64 -1009
  %element.383 = load i8, ptr addrspace(1) %at.255, align 1, !invariant.load !0
  %sum.129 = fadd double %sum.128, %element.303
  %product.129 = fmul float %product.128, %element.319
  %most.129 = call i8 @llvm.smax.i8(i8 %most.128, i8 %element.335)
  %sum.130 = fadd double %sum.127, %element.302
  %product.130 = fmul float %product.127, %element.318
  %most.130 = call i8 @llvm.smax.i8(i8 %most.127, i8 %element.334)
  %sum.131 = fadd double %sum.126, %element.301
  %product.131 = fmul float %product.126, %element.317
  %most.131 = call i8 @llvm.smax.i8(i8 %most.126, i8 %element.333)
  %sum.132 = fadd double %sum.125, %element.300
  %product.132 = fmul float %product.125, %element.316
  %most.132 = call i8 @llvm.smax.i8(i8 %most.125, i8 %element.332)
  %sum.133 = fadd double %sum.124, %element.299
  %product.133 = fmul float %product.124, %element.315
  %most.133 = call i8 @llvm.smax.i8(i8 %most.124, i8 %element.331)
  %sum.134 = fadd double %sum.123, %element.298
  %product.134 = fmul float %product.123, %element.314
  %most.134 = call i8 @llvm.smax.i8(i8 %most.123, i8 %element.330)
  %sum.135 = fadd double %sum.122, %element.297
  %product.135 = fmul float %product.122, %element.313
  %most.135 = call i8 @llvm.smax.i8(i8 %most.122, i8 %element.329)
  %sum.136 = fadd double %sum.121, %element.296
  %product.136 = fmul float %product.121, %element.312
  %most.136 = call i8 @llvm.smax.i8(i8 %most.121, i8 %element.328)
  %sum.137 = fadd double %sum.120, %element.295
  %product.137 = fmul float %product.120, %element.311
  %most.137 = call i8 @llvm.smax.i8(i8 %most.120, i8 %element.327)
  %sum.138 = fadd double %sum.119, %element.294
  %product.138 = fmul float %product.119, %element.310
  %most.138 = call i8 @llvm.smax.i8(i8 %most.119, i8 %element.326)
  %sum.139 = fadd double %sum.118, %element.293
  %product.139 = fmul float %product.118, %element.309
  %most.139 = call i8 @llvm.smax.i8(i8 %most.118, i8 %element.325)
  %sum.140 = fadd double %sum.117, %element.292
  %product.140 = fmul float %product.117, %element.308
  %most.140 = call i8 @llvm.smax.i8(i8 %most.117, i8 %element.324)
  %sum.141 = fadd double %sum.116, %element.291
  %product.141 = fmul float %product.116, %element.307
  %most.141 = call i8 @llvm.smax.i8(i8 %most.116, i8 %element.323)
  %sum.142 = fadd double %sum.115, %element.290
  %product.142 = fmul float %product.115, %element.306
  %most.142 = call i8 @llvm.smax.i8(i8 %most.115, i8 %element.322)
  %sum.143 = fadd double %sum.114, %element.289
  %product.143 = fmul float %product.114, %element.305
  %most.143 = call i8 @llvm.smax.i8(i8 %most.114, i8 %element.321)
  %sum.144 = fadd double %sum.113, %element.288
  %product.144 = fmul float %product.113, %element.304
  %most.144 = call i8 @llvm.smax.i8(i8 %most.113, i8 %element.320)
  %sum.145 = fadd double %sum.129, %element.351
  %product.145 = fmul float %product.129, %element.367
  %most.145 = call i8 @llvm.smax.i8(i8 %most.129, i8 %element.383)
  %sum.146 = fadd double %sum.130, %element.350
  %product.146 = fmul float %product.130, %element.366
  %most.146 = call i8 @llvm.smax.i8(i8 %most.130, i8 %element.382)
  %sum.147 = fadd double %sum.131, %element.349
  %product.147 = fmul float %product.131, %element.365
  %most.147 = call i8 @llvm.smax.i8(i8 %most.131, i8 %element.381)
  %sum.148 = fadd double %sum.132, %element.348
  %product.148 = fmul float %product.132, %element.364
  %most.148 = call i8 @llvm.smax.i8(i8 %most.132, i8 %element.380)
  %sum.149 = fadd double %sum.133, %element.347
  %product.149 = fmul float %product.133, %element.363
  %most.149 = call i8 @llvm.smax.i8(i8 %most.133, i8 %element.379)
  %sum.150 = fadd double %sum.134, %element.346
  %product.150 = fmul float %product.134, %element.362
  %most.150 = call i8 @llvm.smax.i8(i8 %most.134, i8 %element.378)
  %sum.151 = fadd double %sum.135, %element.345
  %product.151 = fmul float %product.135, %element.361
  %most.151 = call i8 @llvm.smax.i8(i8 %most.135, i8 %element.377)
  %sum.152 = fadd double %sum.136, %element.344
  %product.152 = fmul float %product.136, %element.360
  %most.152 = call i8 @llvm.smax.i8(i8 %most.136, i8 %element.376)
  %sum.153 = fadd double %sum.137, %element.343
  %product.153 = fmul float %product.137, %element.359
  %most.153 = call i8 @llvm.smax.i8(i8 %most.137, i8 %element.375)
  %sum.154 = fadd double %sum.138, %element.342
  %product.154 = fmul float %product.138, %element.358
  %most.154 = call i8 @llvm.smax.i8(i8 %most.138, i8 %element.374)
  %sum.155 = fadd double %sum.139, %element.341
  %product.155 = fmul float %product.139, %element.357
  %most.155 = call i8 @llvm.smax.i8(i8 %most.139, i8 %element.373)
  %sum.156 = fadd double %sum.140, %element.340
  %product.156 = fmul float %product.140, %element.356
  %most.156 = call i8 @llvm.smax.i8(i8 %most.140, i8 %element.372)
  %sum.157 = fadd double %sum.141, %element.339
  %product.157 = fmul float %product.141, %element.355
  %most.157 = call i8 @llvm.smax.i8(i8 %most.141, i8 %element.371)
  %sum.158 = fadd double %sum.142, %element.338
  %product.158 = fmul float %product.142, %element.354
  %most.158 = call i8 @llvm.smax.i8(i8 %most.142, i8 %element.370)
  %sum.159 = fadd double %sum.143, %element.337
  %product.159 = fmul float %product.143, %element.353
  %most.159 = call i8 @llvm.smax.i8(i8 %most.143, i8 %element.369)
  %sum.160 = fadd double %sum.144, %element.336
  %product.160 = fmul float %product.144, %element.352
  %most.160 = call i8 @llvm.smax.i8(i8 %most.144, i8 %element.368)
  %next.3 = sub i32 %tiles.left.1, %grid.warps
  br label %narrow.tiles, !llvm.loop !7

narrow.tiles.last:
  %sum.total.15 = fadd double %sum.113, %sum.114
  %sum.total.16 = fadd double %sum.total.15, %sum.115
  %sum.total.17 = fadd double %sum.total.16, %sum.116
  %sum.total.18 = fadd double %sum.total.17, %sum.117
  %sum.total.19 = fadd double %sum.total.18, %sum.118
  %sum.total.20 = fadd double %sum.total.19, %sum.119
  %sum.total.21 = fadd double %sum.total.20, %sum.120
  %sum.total.22 = fadd double %sum.total.21, %sum.121
  %sum.total.23 = fadd double %sum.total.22, %sum.122
  %sum.total.24 = fadd double %sum.total.23, %sum.123
  %sum.total.25 = fadd double %sum.total.24, %sum.124
  %sum.total.26 = fadd double %sum.total.25, %sum.125
  %sum.total.27 = fadd double %sum.total.26, %sum.126
  %sum.total.28 = fadd double %sum.total.27, %sum.127
  %sum.total.29 = fadd double %sum.total.28, %sum.128
  %product.total.15 = fmul float %product.113, %product.114
  %product.total.16 = fmul float %product.total.15, %product.115
  %product.total.17 = fmul float %product.total.16, %product.116
  %product.total.18 = fmul float %product.total.17, %product.117
  %product.total.19 = fmul float %product.total.18, %product.118
  %product.total.20 = fmul float %product.total.19, %product.119
  %product.total.21 = fmul float %product.total.20, %product.120
  %product.total.22 = fmul float %product.total.21, %product.121
  %product.total.23 = fmul float %product.total.22, %product.122
  %product.total.24 = fmul float %product.total.23, %product.123
  %product.total.25 = fmul float %product.total.24, %product.124
  %product.total.26 = fmul float %product.total.25, %product.125
  %product.total.27 = fmul float %product.total.26, %product.126
  %product.total.28 = fmul float %product.total.27, %product.127
  %product.total.29 = fmul float %product.total.28, %product.128
  %most.total.15 = call i8 @llvm.smax.i8(i8 %most.113, i8 %most.114)
  %most.total.16 = call i8 @llvm.smax.i8(i8 %most.total.15, i8 %most.115)
  %most.total.17 = call i8 @llvm.smax.i8(i8 %most.total.16, i8 %most.116)
  %most.total.18 = call i8 @llvm.smax.i8(i8 %most.total.17, i8 %most.117)
  %most.total.19 = call i8 @llvm.smax.i8(i8 %most.total.18, i8 %most.118)
  %most.total.20 = call i8 @llvm.smax.i8(i8 %most.total.19, i8 %most.119)
  %most.total.21 = call i8 @llvm.smax.i8(i8 %most.total.20, i8 %most.120)
  %most.total.22 = call i8 @llvm.smax.i8(i8 %most.total.21, i8 %most.121)
  %most.total.23 = call i8 @llvm.smax.i8(i8 %most.total.22, i8 %most.122)
  %most.total.24 = call i8 @llvm.smax.i8(i8 %most.total.23, i8 %most.123)
  %most.total.25 = call i8 @llvm.smax.i8(i8 %most.total.24, i8 %most.124)
  %most.total.26 = call i8 @llvm.smax.i8(i8 %most.total.25, i8 %most.125)
  %most.total.27 = call i8 @llvm.smax.i8(i8 %most.total.26, i8 %most.126)
  %most.total.28 = call i8 @llvm.smax.i8(i8 %most.total.27, i8 %most.127)
  %most.total.29 = call i8 @llvm.smax.i8(i8 %most.total.28, i8 %most.128)
  br label %narrow.tiles.end

narrow.tiles.end:
  %sum.161 = phi double [ -0.0, %unaligned ], [ %sum.total.29, %narrow.tiles.last ]
  %product.161 = phi float [ 1.0, %unaligned ], [ %product.total.29, %narrow.tiles.last ]
  %most.161 = phi i8 [ -128, %unaligned ], [ %most.total.29, %narrow.tiles.last ]
  br label %whole

whole:
  %sum.162 = phi double [ %sum.80, %wide.tiles.end ], [ %sum.161, %narrow.tiles.end ]
  %product.162 = phi float [ %product.80, %wide.tiles.end ], [ %product.161, %narrow.tiles.end ]
  %most.162 = phi i8 [ %most.80, %wide.tiles.end ], [ %most.161, %narrow.tiles.end ]
  %has.tail = icmp ult i32 %grid.thread, %narrow.1
  br i1 %has.tail, label %tail.some, label %tail.end, !prof !8

tail.some:
  %are.few = icmp ult i32 %grid.threads, 1024
  %step = select i1 %are.few, i32 %grid.threads, i32 1024
  %wide.8 = zext i32 %narrow.1 to i64
  %tiled = sub i64 %n, %wide.8
  %offset.24 = mul i64 %tiled, 8
  %at.256 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.24
  %offset.25 = mul i64 %tiled, 4
  %at.257 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.25
  %offset.26 = mul i64 %tiled, 1
  %at.258 = getelementptr i8, ptr addrspace(1) %array2, i64 %offset.26
  br label %tail

tail:
  %element.number = phi i32 [ %grid.thread, %tail.some ], [ %next.5, %following.1 ]
  %sum.163 = phi double [ %sum.162, %tail.some ], [ %sum.167, %following.1 ]
  %product.163 = phi float [ %product.162, %tail.some ], [ %product.167, %following.1 ]
  %most.163 = phi i8 [ %most.162, %tail.some ], [ %most.167, %following.1 ]
  %goes.on.2 = icmp ult i32 %element.number, %narrow.1
  br i1 %goes.on.2, label %tail.body, label %tail.end

tail.body:
  %exists = icmp ult i32 %element.number, %narrow.1
  %wide.9 = zext i32 %element.number to i64
  br i1 %exists, label %element.384, label %element.end

element.384:
  %at.259 = getelementptr inbounds double, ptr addrspace(1) %at.256, i64 %wide.9
  %element.385 = load double, ptr addrspace(1) %at.259, align 8, !invariant.load !0
  %at.260 = getelementptr inbounds float, ptr addrspace(1) %at.257, i64 %wide.9
  %element.386 = load float, ptr addrspace(1) %at.260, align 4, !invariant.load !0
  %at.261 = getelementptr inbounds i8, ptr addrspace(1) %at.258, i64 %wide.9
  %element.387 = load i8, ptr addrspace(1) %at.261, align 1, !invariant.load !0
  br label %element.end

element.end:
  %element.388 = phi double [ %element.385, %element.384 ], [ 0.0, %tail.body ]
  %element.389 = phi float [ %element.386, %element.384 ], [ 0.0, %tail.body ]
  %element.390 = phi i8 [ %element.387, %element.384 ], [ 0, %tail.body ]
  %next.4 = add i32 %element.number, %step
  %exists.1 = icmp ult i32 %next.4, %narrow.1
  %wide.10 = zext i32 %next.4 to i64
  br i1 %exists.1, label %element.391, label %element.end.1

element.391:
  %at.262 = getelementptr inbounds double, ptr addrspace(1) %at.256, i64 %wide.10
  %element.392 = load double, ptr addrspace(1) %at.262, align 8, !invariant.load !0
  %at.263 = getelementptr inbounds float, ptr addrspace(1) %at.257, i64 %wide.10
  %element.393 = load float, ptr addrspace(1) %at.263, align 4, !invariant.load !0
  %at.264 = getelementptr inbounds i8, ptr addrspace(1) %at.258, i64 %wide.10
  %element.394 = load i8, ptr addrspace(1) %at.264, align 1, !invariant.load !0
  br label %element.end.1

element.end.1:
  %element.395 = phi double [ %element.392, %element.391 ], [ 0.0, %element.end ]
  %element.396 = phi float [ %element.393, %element.391 ], [ 0.0, %element.end ]
  %element.397 = phi i8 [ %element.394, %element.391 ], [ 0, %element.end ]
  %next.5 = add i32 %next.4, %step
  br i1 %exists, label %one, label %following

one:
  %sum.164 = fadd double %sum.163, %element.388
  %product.164 = fmul float %product.163, %element.389
  %most.164 = call i8 @llvm.smax.i8(i8 %most.163, i8 %element.390)
  br label %following

following:
  %sum.165 = phi double [ %sum.164, %one ], [ %sum.163, %element.end.1 ]
  %product.165 = phi float [ %product.164, %one ], [ %product.163, %element.end.1 ]
  %most.165 = phi i8 [ %most.164, %one ], [ %most.163, %element.end.1 ]
  br i1 %exists.1, label %one.1, label %following.1

one.1:
  %sum.166 = fadd double %sum.165, %element.395
  %product.166 = fmul float %product.165, %element.396
  %most.166 = call i8 @llvm.smax.i8(i8 %most.165, i8 %element.397)
  br label %following.1

following.1:
  %sum.167 = phi double [ %sum.166, %one.1 ], [ %sum.165, %following ]
  %product.167 = phi float [ %product.166, %one.1 ], [ %product.165, %following ]
  %most.167 = phi i8 [ %most.166, %one.1 ], [ %most.165, %following ]
  br label %tail, !llvm.loop !10

tail.end:
  %sum.168 = phi double [ %sum.162, %whole ], [ %sum.163, %tail ]
  %product.168 = phi float [ %product.162, %whole ], [ %product.163, %tail ]
  %most.168 = phi i8 [ %most.162, %whole ], [ %most.163, %tail ]
  %sum.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %sum.private = load ptr, ptr %sum.entry, align 8
  store double %sum.168, ptr %sum.private, align 8
  %product.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %product.private = load ptr, ptr %product.entry, align 8
  store float %product.168, ptr %product.private, align 4
  %most.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %most.private = load ptr, ptr %most.entry, align 8
  store i8 %most.168, ptr %most.private, align 1
  ret void
}

define ptx_kernel void @warpfold_reduce(i64 %n, i64 %first, ptr addrspace(1) align 16 %workspace, ptr addrspace(1) align 8 %result, ptr addrspace(1) noalias readonly align 8 %array0, ptr addrspace(1) noalias readonly align 4 %array1, ptr addrspace(1) noalias readonly align 1 %array2) convergent mustprogress nounwind "nvvm.maxntid"="256" {
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
  %list = alloca [3 x ptr], align 8
  %sum.member = getelementptr inbounds %warpfold.record, ptr %private, i64 0, i32 0
  %sum.entry = getelementptr inbounds ptr, ptr %list, i64 0
  store ptr %sum.member, ptr %sum.entry, align 8
  %product.member = getelementptr inbounds %warpfold.record, ptr %private, i64 0, i32 1
  %product.entry = getelementptr inbounds ptr, ptr %list, i64 1
  store ptr %product.member, ptr %product.entry, align 8
  %most.member = getelementptr inbounds %warpfold.record, ptr %private, i64 0, i32 2
  %most.entry = getelementptr inbounds ptr, ptr %list, i64 2
  store ptr %most.member, ptr %most.entry, align 8
  call void @warpfold_accumulate(ptr %list, i64 %n, i64 %first, ptr addrspace(1) %array0, ptr addrspace(1) %array1, ptr addrspace(1) %array2)
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

define ptx_kernel void @warpfold_partial(i64 %n, i64 %first, ptr addrspace(1) align 16 %workspace, ptr addrspace(1) noalias readonly align 8 %array0, ptr addrspace(1) noalias readonly align 4 %array1, ptr addrspace(1) noalias readonly align 1 %array2) convergent mustprogress nounwind "nvvm.maxntid"="256" {
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
  %list = alloca [3 x ptr], align 8
  %sum.member = getelementptr inbounds %warpfold.record, ptr %private, i64 0, i32 0
  %sum.entry = getelementptr inbounds ptr, ptr %list, i64 0
  store ptr %sum.member, ptr %sum.entry, align 8
  %product.member = getelementptr inbounds %warpfold.record, ptr %private, i64 0, i32 1
  %product.entry = getelementptr inbounds ptr, ptr %list, i64 1
  store ptr %product.member, ptr %product.entry, align 8
  %most.member = getelementptr inbounds %warpfold.record, ptr %private, i64 0, i32 2
  %most.entry = getelementptr inbounds ptr, ptr %list, i64 2
  store ptr %most.member, ptr %most.entry, align 8
  call void @warpfold_accumulate(ptr %list, i64 %n, i64 %first, ptr addrspace(1) %array0, ptr addrspace(1) %array1, ptr addrspace(1) %array2)
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
  %list = alloca [3 x ptr], align 8
  %sum.member = getelementptr inbounds %warpfold.record, ptr %private, i64 0, i32 0
  %sum.entry = getelementptr inbounds ptr, ptr %list, i64 0
  store ptr %sum.member, ptr %sum.entry, align 8
  %product.member = getelementptr inbounds %warpfold.record, ptr %private, i64 0, i32 1
  %product.entry = getelementptr inbounds ptr, ptr %list, i64 1
  store ptr %product.member, ptr %product.entry, align 8
  %most.member = getelementptr inbounds %warpfold.record, ptr %private, i64 0, i32 2
  %most.entry = getelementptr inbounds ptr, ptr %list, i64 2
  store ptr %most.member, ptr %most.entry, align 8
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
declare i8 @llvm.smax.i8(i8, i8)
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
