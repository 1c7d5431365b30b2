; low: f32 min of array 0 * array 0
; high: f64 max of array 1
; squares: i64 sum of array 3 * array 3
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%warpfold.record = type { float, double, i64 }
@warpfold_inter_warp_buffers = internal addrspace(3) global [32 x [24 x i8]] poison, align 16

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
  %low.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %low.private = load ptr, ptr %low.entry, align 8
  %low.own = load float, ptr %low.private, align 4
  %high.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %high.private = load ptr, ptr %high.entry, align 8
  %high.own = load double, ptr %high.private, align 8
  %squares.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %squares.private = load ptr, ptr %squares.entry, align 8
  %squares.own = load i64, ptr %squares.private, align 8
  %word = bitcast float %low.own to i32
  %words = bitcast double %high.own to <2 x i32>
  %word.1 = extractelement <2 x i32> %words, i32 0
  %word.2 = extractelement <2 x i32> %words, i32 1
  %words.1 = bitcast i64 %squares.own to <2 x i32>
  %word.3 = extractelement <2 x i32> %words.1, i32 0
  %word.4 = extractelement <2 x i32> %words.1, i32 1
  %shuffled = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %word, i32 %delta, i32 31)
  %shuffled.1 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %word.1, i32 %delta, i32 31)
  %shuffled.2 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %word.2, i32 %delta, i32 31)
  %shuffled.3 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %word.3, i32 %delta, i32 31)
  %shuffled.4 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %word.4, i32 %delta, i32 31)
  %remote = bitcast i32 %shuffled to float
  %words.2 = call double @llvm.nvvm.lohi.i2d(i32 %shuffled.1, i32 %shuffled.2)
  %words.3 = call double @llvm.nvvm.lohi.i2d(i32 %shuffled.3, i32 %shuffled.4)
  %remote.1 = bitcast double %words.3 to i64
  %low.kept = select i1 %copies, float %remote, float %low.own
  %low.combined = call float @llvm.minimumnum.f32(float %low.own, float %remote)
  %low.next = select i1 %reduces, float %low.combined, float %low.kept
  store float %low.next, ptr %low.private, align 4
  %high.kept = select i1 %copies, double %words.2, double %high.own
  %high.combined = call double @llvm.maximumnum.f64(double %high.own, double %words.2)
  %high.next = select i1 %reduces, double %high.combined, double %high.kept
  store double %high.next, ptr %high.private, align 8
  %squares.kept = select i1 %copies, i64 %remote.1, i64 %squares.own
  %squares.combined = add i64 %squares.own, %remote.1
  %squares.next = select i1 %reduces, i64 %squares.combined, i64 %squares.kept
  store i64 %squares.next, ptr %squares.private, align 8
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
  %low.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %low.private = load ptr, ptr %low.entry, align 8
  %low.own = load float, ptr %low.private, align 4
  %high.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %high.private = load ptr, ptr %high.entry, align 8
  %high.own = load double, ptr %high.private, align 8
  %squares.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %squares.private = load ptr, ptr %squares.entry, align 8
  %squares.own = load i64, ptr %squares.private, align 8
  %word = bitcast float %low.own to i32
  %words = bitcast double %high.own to <2 x i32>
  %word.1 = extractelement <2 x i32> %words, i32 0
  %word.2 = extractelement <2 x i32> %words, i32 1
  %words.1 = bitcast i64 %squares.own to <2 x i32>
  %word.3 = extractelement <2 x i32> %words.1, i32 0
  %word.4 = extractelement <2 x i32> %words.1, i32 1
  %shuffled = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %word, i32 %delta, i32 31)
  %shuffled.1 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %word.1, i32 %delta, i32 31)
  %shuffled.2 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %word.2, i32 %delta, i32 31)
  %shuffled.3 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %word.3, i32 %delta, i32 31)
  %shuffled.4 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %word.4, i32 %delta, i32 31)
  %remote = bitcast i32 %shuffled to float
  %words.2 = call double @llvm.nvvm.lohi.i2d(i32 %shuffled.1, i32 %shuffled.2)
  %words.3 = call double @llvm.nvvm.lohi.i2d(i32 %shuffled.3, i32 %shuffled.4)
  %remote.1 = bitcast double %words.3 to i64
  %low.combined = call float @llvm.minimumnum.f32(float %low.own, float %remote)
  %low.next = select i1 %reduces, float %low.combined, float %low.own
  store float %low.next, ptr %low.private, align 4
  %high.combined = call double @llvm.maximumnum.f64(double %high.own, double %words.2)
  %high.next = select i1 %reduces, double %high.combined, double %high.own
  store double %high.next, ptr %high.private, align 8
  %squares.combined = add i64 %squares.own, %remote.1
  %squares.next = select i1 %reduces, i64 %squares.combined, i64 %squares.own
  store i64 %squares.next, ptr %squares.private, align 8
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
  %warp.buffer = getelementptr inbounds [24 x i8], ptr addrspace(3) @warpfold_inter_warp_buffers, i32 %warp
  %low.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %low.private = load ptr, ptr %low.entry, align 8
  %low.moved = load float, ptr %low.private, align 4
  store float %low.moved, ptr addrspace(3) %warp.buffer, align 4
  %high.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %high.private = load ptr, ptr %high.entry, align 8
  %high.shared = getelementptr inbounds i8, ptr addrspace(3) %warp.buffer, i64 8
  %high.moved = load double, ptr %high.private, align 8
  store double %high.moved, ptr addrspace(3) %high.shared, align 8
  %squares.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %squares.private = load ptr, ptr %squares.entry, align 8
  %squares.shared = getelementptr inbounds i8, ptr addrspace(3) %warp.buffer, i64 16
  %squares.moved = load i64, ptr %squares.private, align 8
  store i64 %squares.moved, ptr addrspace(3) %squares.shared, align 8
  br label %published

published:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %receives, label %collect, label %collected

collect:
  %warp.buffer.1 = getelementptr inbounds [24 x i8], ptr addrspace(3) @warpfold_inter_warp_buffers, i32 %thread
  %low.entry.1 = getelementptr inbounds ptr, ptr %list, i64 0
  %low.private.1 = load ptr, ptr %low.entry.1, align 8
  %low.moved.1 = load float, ptr addrspace(3) %warp.buffer.1, align 4
  store float %low.moved.1, ptr %low.private.1, align 4
  %high.entry.1 = getelementptr inbounds ptr, ptr %list, i64 1
  %high.private.1 = load ptr, ptr %high.entry.1, align 8
  %high.shared.1 = getelementptr inbounds i8, ptr addrspace(3) %warp.buffer.1, i64 8
  %high.moved.1 = load double, ptr addrspace(3) %high.shared.1, align 8
  store double %high.moved.1, ptr %high.private.1, align 8
  %squares.entry.1 = getelementptr inbounds ptr, ptr %list, i64 2
  %squares.private.1 = load ptr, ptr %squares.entry.1, align 8
  %squares.shared.1 = getelementptr inbounds i8, ptr addrspace(3) %warp.buffer.1, i64 16
  %squares.moved.1 = load i64, ptr addrspace(3) %squares.shared.1, align 8
  store i64 %squares.moved.1, ptr %squares.private.1, align 8
  br label %collected

collected:
  ret void
}

define internal void @warpfold_list_to_global_copy(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %low.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %low.private = load ptr, ptr %low.entry, align 8
  %low.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %low.given = load float, ptr %low.private, align 4
  store float %low.given, ptr %low.member, align 4
  %high.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %high.private = load ptr, ptr %high.entry, align 8
  %high.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 1
  %high.given = load double, ptr %high.private, align 8
  store double %high.given, ptr %high.member, align 8
  %squares.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %squares.private = load ptr, ptr %squares.entry, align 8
  %squares.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 2
  %squares.given = load i64, ptr %squares.private, align 8
  store i64 %squares.given, ptr %squares.member, align 8
  ret void
}

define internal void @warpfold_list_to_global_reduce(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %low.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %low.private = load ptr, ptr %low.entry, align 8
  %low.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %low.given = load float, ptr %low.private, align 4
  %low.held = load float, ptr %low.member, align 4
  %low.combined = call float @llvm.minimumnum.f32(float %low.held, float %low.given)
  store float %low.combined, ptr %low.member, align 4
  %high.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %high.private = load ptr, ptr %high.entry, align 8
  %high.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 1
  %high.given = load double, ptr %high.private, align 8
  %high.held = load double, ptr %high.member, align 8
  %high.combined = call double @llvm.maximumnum.f64(double %high.held, double %high.given)
  store double %high.combined, ptr %high.member, align 8
  %squares.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %squares.private = load ptr, ptr %squares.entry, align 8
  %squares.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 2
  %squares.given = load i64, ptr %squares.private, align 8
  %squares.held = load i64, ptr %squares.member, align 8
  %squares.combined = add i64 %squares.held, %squares.given
  store i64 %squares.combined, ptr %squares.member, align 8
  ret void
}

define internal void @warpfold_global_to_list_copy(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %low.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %low.private = load ptr, ptr %low.entry, align 8
  %low.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %low.given = load float, ptr %low.member, align 4
  store float %low.given, ptr %low.private, align 4
  %high.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %high.private = load ptr, ptr %high.entry, align 8
  %high.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 1
  %high.given = load double, ptr %high.member, align 8
  store double %high.given, ptr %high.private, align 8
  %squares.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %squares.private = load ptr, ptr %squares.entry, align 8
  %squares.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 2
  %squares.given = load i64, ptr %squares.member, align 8
  store i64 %squares.given, ptr %squares.private, align 8
  ret void
}

define internal void @warpfold_global_to_list_reduce(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %low.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %low.private = load ptr, ptr %low.entry, align 8
  %low.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %low.given = load float, ptr %low.member, align 4
  %low.held = load float, ptr %low.private, align 4
  %low.combined = call float @llvm.minimumnum.f32(float %low.held, float %low.given)
  store float %low.combined, ptr %low.private, align 4
  %high.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %high.private = load ptr, ptr %high.entry, align 8
  %high.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 1
  %high.given = load double, ptr %high.member, align 8
  %high.held = load double, ptr %high.private, align 8
  %high.combined = call double @llvm.maximumnum.f64(double %high.held, double %high.given)
  store double %high.combined, ptr %high.private, align 8
  %squares.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %squares.private = load ptr, ptr %squares.entry, align 8
  %squares.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 2
  %squares.given = load i64, ptr %squares.member, align 8
  %squares.held = load i64, ptr %squares.private, align 8
  %squares.combined = add i64 %squares.held, %squares.given
  store i64 %squares.combined, ptr %squares.private, align 8
  ret void
}

define internal void @warpfold_initialize(ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %low.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %low.private = load ptr, ptr %low.entry, align 8
  store float 0x7FF8000000000000, ptr %low.private, align 4
  %high.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %high.private = load ptr, ptr %high.entry, align 8
  store double 0x7FF8000000000000, ptr %high.private, align 8
  %squares.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %squares.private = load ptr, ptr %squares.entry, align 8
  store i64 0, ptr %squares.private, align 8
  ret void
}

; The thread's share of n elements, reduced into its private copies.
define internal void @warpfold_accumulate(ptr %list, i64 %n, i64 %first.index, ptr addrspace(1) noalias readonly align 4 %array0, ptr addrspace(1) noalias readonly align 8 %array1, ptr addrspace(1) noalias readonly align 8 %array3) alwaysinline convergent mustprogress nounwind willreturn {
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
  %address.2 = ptrtoint ptr addrspace(1) %array3 to i64
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
  %offset = mul i64 %wide, 4
  %offset.1 = mul i64 %wide.1, 256
  %offset.2 = add i64 %offset, %offset.1
  %offset.3 = mul i64 %offset.2, 4
  %at = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.3
  %offset.4 = mul i64 %offset.2, 8
  %at.1 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.4
  %offset.5 = mul i64 %offset.2, 8
  %at.2 = getelementptr i8, ptr addrspace(1) %array3, i64 %offset.5
  %at.3 = getelementptr i8, ptr addrspace(1) %at, i64 -512
  %loaded = load <4 x float>, ptr addrspace(1) %at.3, align 16, !invariant.load !0
  %element = extractelement <4 x float> %loaded, i32 0
  %element.1 = extractelement <4 x float> %loaded, i32 1
  %element.2 = extractelement <4 x float> %loaded, i32 2
  %element.3 = extractelement <4 x float> %loaded, i32 3
  %at.4 = getelementptr i8, ptr addrspace(1) %at.1, i64 -1024
  %loaded.1 = load <2 x double>, ptr addrspace(1) %at.4, align 16, !invariant.load !0
  %element.4 = extractelement <2 x double> %loaded.1, i32 0
  %element.5 = extractelement <2 x double> %loaded.1, i32 1
  %at.5 = getelementptr i8, ptr addrspace(1) %at.1, i64 -1008
  %loaded.2 = load <2 x double>, ptr addrspace(1) %at.5, align 16, !invariant.load !0
  %element.6 = extractelement <2 x double> %loaded.2, i32 0
  %element.7 = extractelement <2 x double> %loaded.2, i32 1
  %at.6 = getelementptr i8, ptr addrspace(1) %at.2, i64 -1024
  %loaded.3 = load <2 x i64>, ptr addrspace(1) %at.6, align 16, !invariant.load !0
  %element.8 = extractelement <2 x i64> %loaded.3, i32 0
  %element.9 = extractelement <2 x i64> %loaded.3, i32 1
  %at.7 = getelementptr i8, ptr addrspace(1) %at.2, i64 -1008
  %loaded.4 = load <2 x i64>, ptr addrspace(1) %at.7, align 16, !invariant.load !0
  %element.10 = extractelement <2 x i64> %loaded.4, i32 0
  %element.11 = extractelement <2 x i64> %loaded.4, i32 1
  %at.8 = getelementptr i8, ptr addrspace(1) %at, i64 -1024
  %loaded.5 = load <4 x float>, ptr addrspace(1) %at.8, align 16, !invariant.load !0
  %element.12 = extractelement <4 x float> %loaded.5, i32 0
  %element.13 = extractelement <4 x float> %loaded.5, i32 1
  %element.14 = extractelement <4 x float> %loaded.5, i32 2
  %element.15 = extractelement <4 x float> %loaded.5, i32 3
  %at.9 = getelementptr i8, ptr addrspace(1) %at.1, i64 -2048
  %loaded.6 = load <2 x double>, ptr addrspace(1) %at.9, align 16, !invariant.load !0
  %element.16 = extractelement <2 x double> %loaded.6, i32 0
  %element.17 = extractelement <2 x double> %loaded.6, i32 1
  %at.10 = getelementptr i8, ptr addrspace(1) %at.1, i64 -2032
  %loaded.7 = load <2 x double>, ptr addrspace(1) %at.10, align 16, !invariant.load !0
  %element.18 = extractelement <2 x double> %loaded.7, i32 0
  %element.19 = extractelement <2 x double> %loaded.7, i32 1
  %at.11 = getelementptr i8, ptr addrspace(1) %at.2, i64 -2048
  %loaded.8 = load <2 x i64>, ptr addrspace(1) %at.11, align 16, !invariant.load !0
  %element.20 = extractelement <2 x i64> %loaded.8, i32 0
  %element.21 = extractelement <2 x i64> %loaded.8, i32 1
  %at.12 = getelementptr i8, ptr addrspace(1) %at.2, i64 -2032
  %loaded.9 = load <2 x i64>, ptr addrspace(1) %at.12, align 16, !invariant.load !0
  %element.22 = extractelement <2 x i64> %loaded.9, i32 0
  %element.23 = extractelement <2 x i64> %loaded.9, i32 1
  %product = fmul float %element.3, %element.3
  %low.1 = call float @llvm.minimumnum.f32(float 0x7FF8000000000000, float %product)
  %high = call double @llvm.maximumnum.f64(double 0x7FF8000000000000, double %element.7)
  %product.1 = mul i64 %element.11, %element.11
  %squares = add i64 0, %product.1
  %product.2 = fmul float %element.2, %element.2
  %low.2 = call float @llvm.minimumnum.f32(float 0x7FF8000000000000, float %product.2)
  %high.1 = call double @llvm.maximumnum.f64(double 0x7FF8000000000000, double %element.6)
  %product.3 = mul i64 %element.10, %element.10
  %squares.1 = add i64 0, %product.3
  %product.4 = fmul float %element.1, %element.1
  %low.3 = call float @llvm.minimumnum.f32(float 0x7FF8000000000000, float %product.4)
  %high.2 = call double @llvm.maximumnum.f64(double 0x7FF8000000000000, double %element.5)
  %product.5 = mul i64 %element.9, %element.9
  %squares.2 = add i64 0, %product.5
  %product.6 = fmul float %element, %element
  %low.4 = call float @llvm.minimumnum.f32(float 0x7FF8000000000000, float %product.6)
  %high.3 = call double @llvm.maximumnum.f64(double 0x7FF8000000000000, double %element.4)
  %product.7 = mul i64 %element.8, %element.8
  %squares.3 = add i64 0, %product.7
  %product.8 = fmul float %element.15, %element.15
  %low.5 = call float @llvm.minimumnum.f32(float %low.1, float %product.8)
  %high.4 = call double @llvm.maximumnum.f64(double %high, double %element.19)
  %product.9 = mul i64 %element.23, %element.23
  %squares.4 = add i64 %squares, %product.9
  %product.10 = fmul float %element.14, %element.14
  %low.6 = call float @llvm.minimumnum.f32(float %low.2, float %product.10)
  %high.5 = call double @llvm.maximumnum.f64(double %high.1, double %element.18)
  %product.11 = mul i64 %element.22, %element.22
  %squares.5 = add i64 %squares.1, %product.11
  %product.12 = fmul float %element.13, %element.13
  %low.7 = call float @llvm.minimumnum.f32(float %low.3, float %product.12)
  %high.6 = call double @llvm.maximumnum.f64(double %high.2, double %element.17)
  %product.13 = mul i64 %element.21, %element.21
  %squares.6 = add i64 %squares.2, %product.13
  %product.14 = fmul float %element.12, %element.12
  %low.8 = call float @llvm.minimumnum.f32(float %low.4, float %product.14)
  %high.7 = call double @llvm.maximumnum.f64(double %high.3, double %element.16)
  %product.15 = mul i64 %element.20, %element.20
  %squares.7 = add i64 %squares.3, %product.15
  %next = sub i32 %first, %grid.warps
  br label %wide.tiles

wide.tiles:
  %tiles.left = phi i32 [ %next, %wide.first ], [ %next.1, %wide.tiles.body ]
  %low.9 = phi float [ %low.8, %wide.first ], [ %low.20, %wide.tiles.body ]
  %low.10 = phi float [ %low.7, %wide.first ], [ %low.19, %wide.tiles.body ]
  %low.11 = phi float [ %low.6, %wide.first ], [ %low.18, %wide.tiles.body ]
  %low.12 = phi float [ %low.5, %wide.first ], [ %low.17, %wide.tiles.body ]
  %high.8 = phi double [ %high.7, %wide.first ], [ %high.19, %wide.tiles.body ]
  %high.9 = phi double [ %high.6, %wide.first ], [ %high.18, %wide.tiles.body ]
  %high.10 = phi double [ %high.5, %wide.first ], [ %high.17, %wide.tiles.body ]
  %high.11 = phi double [ %high.4, %wide.first ], [ %high.16, %wide.tiles.body ]
  %squares.8 = phi i64 [ %squares.7, %wide.first ], [ %squares.19, %wide.tiles.body ]
  %squares.9 = phi i64 [ %squares.6, %wide.first ], [ %squares.18, %wide.tiles.body ]
  %squares.10 = phi i64 [ %squares.5, %wide.first ], [ %squares.17, %wide.tiles.body ]
  %squares.11 = phi i64 [ %squares.4, %wide.first ], [ %squares.16, %wide.tiles.body ]
  %goes.on = icmp sge i32 %tiles.left, 1
  br i1 %goes.on, label %wide.tiles.body, label %wide.tiles.last

wide.tiles.body:
  %wide.2 = zext i32 %lane to i64
  %wide.3 = sext i32 %tiles.left to i64
  %offset.6 = mul i64 %wide.2, 4
  %offset.7 = mul i64 %wide.3, 256
  %offset.8 = add i64 %offset.6, %offset.7
  %offset.9 = mul i64 %offset.8, 4
  %at.13 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.9
  %offset.10 = mul i64 %offset.8, 8
  %at.14 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.10
  %offset.11 = mul i64 %offset.8, 8
  %at.15 = getelementptr i8, ptr addrspace(1) %array3, i64 %offset.11
  %at.16 = getelementptr i8, ptr addrspace(1) %at.13, i64 -512
  %loaded.10 = load <4 x float>, ptr addrspace(1) %at.16, align 16, !invariant.load !0
  %element.24 = extractelement <4 x float> %loaded.10, i32 0
  %element.25 = extractelement <4 x float> %loaded.10, i32 1
  %element.26 = extractelement <4 x float> %loaded.10, i32 2
  %element.27 = extractelement <4 x float> %loaded.10, i32 3
  %at.17 = getelementptr i8, ptr addrspace(1) %at.14, i64 -1024
  %loaded.11 = load <2 x double>, ptr addrspace(1) %at.17, align 16, !invariant.load !0
  %element.28 = extractelement <2 x double> %loaded.11, i32 0
  %element.29 = extractelement <2 x double> %loaded.11, i32 1
  %at.18 = getelementptr i8, ptr addrspace(1) %at.14, i64 -1008
  %loaded.12 = load <2 x double>, ptr addrspace(1) %at.18, align 16, !invariant.load !0
  %element.30 = extractelement <2 x double> %loaded.12, i32 0
  %element.31 = extractelement <2 x double> %loaded.12, i32 1
  %at.19 = getelementptr i8, ptr addrspace(1) %at.15, i64 -1024
  %loaded.13 = load <2 x i64>, ptr addrspace(1) %at.19, align 16, !invariant.load !0
  %element.32 = extractelement <2 x i64> %loaded.13, i32 0
  %element.33 = extractelement <2 x i64> %loaded.13, i32 1
  %at.20 = getelementptr i8, ptr addrspace(1) %at.15, i64 -1008
  %loaded.14 = load <2 x i64>, ptr addrspace(1) %at.20, align 16, !invariant.load !0
  %element.34 = extractelement <2 x i64> %loaded.14, i32 0
  %element.35 = extractelement <2 x i64> %loaded.14, i32 1
  %at.21 = getelementptr i8, ptr addrspace(1) %at.13, i64 -1024
  %loaded.15 = load <4 x float>, ptr addrspace(1) %at.21, align 16, !invariant.load !0
  %element.36 = extractelement <4 x float> %loaded.15, i32 0
  %element.37 = extractelement <4 x float> %loaded.15, i32 1
  %element.38 = extractelement <4 x float> %loaded.15, i32 2
  %element.39 = extractelement <4 x float> %loaded.15, i32 3
  %at.22 = getelementptr i8, ptr addrspace(1) %at.14, i64 -2048
  %loaded.16 = load <2 x double>, ptr addrspace(1) %at.22, align 16, !invariant.load !0
  %element.40 = extractelement <2 x double> %loaded.16, i32 0
  %element.41 = extractelement <2 x double> %loaded.16, i32 1
  %at.23 = getelementptr i8, ptr addrspace(1) %at.14, i64 -2032
  %loaded.17 = load <2 x double>, ptr addrspace(1) %at.23, align 16, !invariant.load !0
  %element.42 = extractelement <2 x double> %loaded.17, i32 0
  %element.43 = extractelement <2 x double> %loaded.17, i32 1
  %at.24 = getelementptr i8, ptr addrspace(1) %at.15, i64 -2048
  %loaded.18 = load <2 x i64>, ptr addrspace(1) %at.24, align 16, !invariant.load !0
  %element.44 = extractelement <2 x i64> %loaded.18, i32 0
  %element.45 = extractelement <2 x i64> %loaded.18, i32 1
  %at.25 = getelementptr i8, ptr addrspace(1) %at.15, i64 -2032
  %loaded.19 = load <2 x i64>, ptr addrspace(1) %at.25, align 16, !invariant.load !0
  %element.46 = extractelement <2 x i64> %loaded.19, i32 0
  %element.47 = extractelement <2 x i64> %loaded.19, i32 1
  %product.16 = fmul float %element.27, %element.27
  %low.13 = call float @llvm.minimumnum.f32(float %low.12, float %product.16)
  %high.12 = call double @llvm.maximumnum.f64(double %high.11, double %element.31)
  %product.17 = mul i64 %element.35, %element.35
  %squares.12 = add i64 %squares.11, %product.17
  %product.18 = fmul float %element.26, %element.26
  %low.14 = call float @llvm.minimumnum.f32(float %low.11, float %product.18)
  %high.13 = call double @llvm.maximumnum.f64(double %high.10, double %element.30)
  %product.19 = mul i64 %element.34, %element.34
  %squares.13 = add i64 %squares.10, %product.19
  %product.20 = fmul float %element.25, %element.25
  %low.15 = call float @llvm.minimumnum.f32(float %low.10, float %product.20)
  %high.14 = call double @llvm.maximumnum.f64(double %high.9, double %element.29)
  %product.21 = mul i64 %element.33, %element.33
  %squares.14 = add i64 %squares.9, %product.21
  %product.22 = fmul float %element.24, %element.24
  %low.16 = call float @llvm.minimumnum.f32(float %low.9, float %product.22)
  %high.15 = call double @llvm.maximumnum.f64(double %high.8, double %element.28)
  %product.23 = mul i64 %element.32, %element.32
  %squares.15 = add i64 %squares.8, %product.23
  %product.24 = fmul float %element.39, %element.39
  %low.17 = call float @llvm.minimumnum.f32(float %low.13, float %product.24)
  %high.16 = call double @llvm.maximumnum.f64(double %high.12, double %element.43)
  %product.25 = mul i64 %element.47, %element.47
  %squares.16 = add i64 %squares.12, %product.25
  %product.26 = fmul float %element.38, %element.38
  %low.18 = call float @llvm.minimumnum.f32(float %low.14, float %product.26)
  %high.17 = call double @llvm.maximumnum.f64(double %high.13, double %element.42)
  %product.27 = mul i64 %element.46, %element.46
  %squares.17 = add i64 %squares.13, %product.27
  %product.28 = fmul float %element.37, %element.37
  %low.19 = call float @llvm.minimumnum.f32(float %low.15, float %product.28)
  %high.18 = call double @llvm.maximumnum.f64(double %high.14, double %element.41)
  %product.29 = mul i64 %element.45, %element.45
  %squares.18 = add i64 %squares.14, %product.29
  %product.30 = fmul float %element.36, %element.36
  %low.20 = call float @llvm.minimumnum.f32(float %low.16, float %product.30)
  %high.19 = call double @llvm.maximumnum.f64(double %high.15, double %element.40)
  %product.31 = mul i64 %element.44, %element.44
  %squares.19 = add i64 %squares.15, %product.31
  %next.1 = sub i32 %tiles.left, %grid.warps
  br label %wide.tiles, !llvm.loop !4

wide.tiles.last:
  %low.total = call float @llvm.minimumnum.f32(float %low.9, float %low.10)
  %low.total.1 = call float @llvm.minimumnum.f32(float %low.total, float %low.11)
  %low.total.2 = call float @llvm.minimumnum.f32(float %low.total.1, float %low.12)
  %high.total = call double @llvm.maximumnum.f64(double %high.8, double %high.9)
  %high.total.1 = call double @llvm.maximumnum.f64(double %high.total, double %high.10)
  %high.total.2 = call double @llvm.maximumnum.f64(double %high.total.1, double %high.11)
  %squares.total = add i64 %squares.8, %squares.9
  %squares.total.1 = add i64 %squares.total, %squares.10
  %squares.total.2 = add i64 %squares.total.1, %squares.11
  br label %wide.tiles.end

wide.tiles.end:
  %low.21 = phi float [ 0x7FF8000000000000, %aligned ], [ %low.total.2, %wide.tiles.last ]
  %high.20 = phi double [ 0x7FF8000000000000, %aligned ], [ %high.total.2, %wide.tiles.last ]
  %squares.20 = phi i64 [ 0, %aligned ], [ %squares.total.2, %wide.tiles.last ]
  br label %whole

unaligned:
  %is.idle.1 = icmp slt i32 %first, 1
  br i1 %is.idle.1, label %narrow.tiles.end, label %narrow.first, !prof !5

narrow.first:
  %wide.4 = zext i32 %lane to i64
  %wide.5 = sext i32 %first to i64
  %offset.12 = mul i64 %wide.4, 4
  %offset.13 = mul i64 %wide.5, 256
  %offset.14 = add i64 %offset.12, %offset.13
  %offset.15 = mul i64 %offset.14, 4
  %at.26 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.15
  %offset.16 = mul i64 %offset.14, 8
  %at.27 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.16
  %offset.17 = mul i64 %offset.14, 8
  %at.28 = getelementptr i8, ptr addrspace(1) %array3, i64 %offset.17
  %at.29 = getelementptr i8, ptr addrspace(1) %at.26, i64 -512
  %element.48 = load float, ptr addrspace(1) %at.29, align 4, !invariant.load !0
  %at.30 = getelementptr i8, ptr addrspace(1) %at.26, i64 -508
  %element.49 = load float, ptr addrspace(1) %at.30, align 4, !invariant.load !0
  %at.31 = getelementptr i8, ptr addrspace(1) %at.26, i64 -504
  %element.50 = load float, ptr addrspace(1) %at.31, align 4, !invariant.load !0
  %at.32 = getelementptr i8, ptr addrspace(1) %at.26, i64 -500
  %element.51 = load float, ptr addrspace(1) %at.32, align 4, !invariant.load !0
  %at.33 = getelementptr i8, ptr addrspace(1) %at.27, i64 -1024
  %element.52 = load double, ptr addrspace(1) %at.33, align 8, !invariant.load !0
  %at.34 = getelementptr i8, ptr addrspace(1) %at.27, i64 -1016
  %element.53 = load double, ptr addrspace(1) %at.34, align 8, !invariant.load !0
  %at.35 = getelementptr i8, ptr addrspace(1) %at.27, i64 -1008
  %element.54 = load double, ptr addrspace(1) %at.35, align 8, !invariant.load !0
  %at.36 = getelementptr i8, ptr addrspace(1) %at.27, i64 -1000
  %element.55 = load double, ptr addrspace(1) %at.36, align 8, !invariant.load !0
  %at.37 = getelementptr i8, ptr addrspace(1) %at.28, i64 -1024
  %element.56 = load i64, ptr addrspace(1) %at.37, align 8, !invariant.load !0
  %at.38 = getelementptr i8, ptr addrspace(1) %at.28, i64 -1016
  %element.57 = load i64, ptr addrspace(1) %at.38, align 8, !invariant.load !0
  %at.39 = getelementptr i8, ptr addrspace(1) %at.28, i64 -1008
  %element.58 = load i64, ptr addrspace(1) %at.39, align 8, !invariant.load !0
  %at.40 = getelementptr i8, ptr addrspace(1) %at.28, i64 -1000
  %element.59 = load i64, ptr addrspace(1) %at.40, align 8, !invariant.load !0
  %at.41 = getelementptr i8, ptr addrspace(1) %at.26, i64 -1024
  %element.60 = load float, ptr addrspace(1) %at.41, align 4, !invariant.load !0
  %at.42 = getelementptr i8, ptr addrspace(1) %at.26, i64 -1020
  %element.61 = load float, ptr addrspace(1) %at.42, align 4, !invariant.load !0
  %at.43 = getelementptr i8, ptr addrspace(1) %at.26, i64 -1016
  %element.62 = load float, ptr addrspace(1) %at.43, align 4, !invariant.load !0
  %at.44 = getelementptr i8, ptr addrspace(1) %at.26, i64 -1012
  %element.63 = load float, ptr addrspace(1) %at.44, align 4, !invariant.load !0
  %at.45 = getelementptr i8, ptr addrspace(1) %at.27, i64 -2048
  %element.64 = load double, ptr addrspace(1) %at.45, align 8, !invariant.load !0
  %at.46 = getelementptr i8, ptr addrspace(1) %at.27, i64 -2040
  %element.65 = load double, ptr addrspace(1) %at.46, align 8, !invariant.load !0
  %at.47 = getelementptr i8, ptr addrspace(1) %at.27, i64 -2032
  %element.66 = load double, ptr addrspace(1) %at.47, align 8, !invariant.load !0
  %at.48 = getelementptr i8, ptr addrspace(1) %at.27, i64 -2024
  %element.67 = load double, ptr addrspace(1) %at.48, align 8, !invariant.load !0
  %at.49 = getelementptr i8, ptr addrspace(1) %at.28, i64 -2048
  %element.68 = load i64, ptr addrspace(1) %at.49, align 8, !invariant.load !0
  %at.50 = getelementptr i8, ptr addrspace(1) %at.28, i64 -2040
  %element.69 = load i64, ptr addrspace(1) %at.50, align 8, !invariant.load !0
  %at.51 = getelementptr i8, ptr addrspace(1) %at.28, i64 -2032
  %element.70 = load i64, ptr addrspace(1) %at.51, align 8, !invariant.load !0
  %at.52 = getelementptr i8, ptr addrspace(1) %at.28, i64 -2024
  %element.71 = load i64, ptr addrspace(1) %at.52, align 8, !invariant.load !0
  %product.32 = fmul float %element.51, %element.51
  %low.22 = call float @llvm.minimumnum.f32(float 0x7FF8000000000000, float %product.32)
  %high.21 = call double @llvm.maximumnum.f64(double 0x7FF8000000000000, double %element.55)
  %product.33 = mul i64 %element.59, %element.59
  %squares.21 = add i64 0, %product.33
  %product.34 = fmul float %element.50, %element.50
  %low.23 = call float @llvm.minimumnum.f32(float 0x7FF8000000000000, float %product.34)
  %high.22 = call double @llvm.maximumnum.f64(double 0x7FF8000000000000, double %element.54)
  %product.35 = mul i64 %element.58, %element.58
  %squares.22 = add i64 0, %product.35
  %product.36 = fmul float %element.49, %element.49
  %low.24 = call float @llvm.minimumnum.f32(float 0x7FF8000000000000, float %product.36)
  %high.23 = call double @llvm.maximumnum.f64(double 0x7FF8000000000000, double %element.53)
  %product.37 = mul i64 %element.57, %element.57
  %squares.23 = add i64 0, %product.37
  %product.38 = fmul float %element.48, %element.48
  %low.25 = call float @llvm.minimumnum.f32(float 0x7FF8000000000000, float %product.38)
  %high.24 = call double @llvm.maximumnum.f64(double 0x7FF8000000000000, double %element.52)
  %product.39 = mul i64 %element.56, %element.56
  %squares.24 = add i64 0, %product.39
  %product.40 = fmul float %element.63, %element.63
  %low.26 = call float @llvm.minimumnum.f32(float %low.22, float %product.40)
  %high.25 = call double @llvm.maximumnum.f64(double %high.21, double %element.67)
  %product.41 = mul i64 %element.71, %element.71
  %squares.25 = add i64 %squares.21, %product.41
  %product.42 = fmul float %element.62, %element.62
  %low.27 = call float @llvm.minimumnum.f32(float %low.23, float %product.42)
  %high.26 = call double @llvm.maximumnum.f64(double %high.22, double %element.66)
  %product.43 = mul i64 %element.70, %element.70
  %squares.26 = add i64 %squares.22, %product.43
  %product.44 = fmul float %element.61, %element.61
  %low.28 = call float @llvm.minimumnum.f32(float %low.24, float %product.44)
  %high.27 = call double @llvm.maximumnum.f64(double %high.23, double %element.65)
  %product.45 = mul i64 %element.69, %element.69
  %squares.27 = add i64 %squares.23, %product.45
  %product.46 = fmul float %element.60, %element.60
  %low.29 = call float @llvm.minimumnum.f32(float %low.25, float %product.46)
  %high.28 = call double @llvm.maximumnum.f64(double %high.24, double %element.64)
  %product.47 = mul i64 %element.68, %element.68
  %squares.28 = add i64 %squares.24, %product.47
  %next.2 = sub i32 %first, %grid.warps
  br label %narrow.tiles

narrow.tiles:
  %tiles.left.1 = phi i32 [ %next.2, %narrow.first ], [ %next.3, %narrow.tiles.body ]
  %low.30 = phi float [ %low.29, %narrow.first ], [ %low.41, %narrow.tiles.body ]
  %low.31 = phi float [ %low.28, %narrow.first ], [ %low.40, %narrow.tiles.body ]
  %low.32 = phi float [ %low.27, %narrow.first ], [ %low.39, %narrow.tiles.body ]
  %low.33 = phi float [ %low.26, %narrow.first ], [ %low.38, %narrow.tiles.body ]
  %high.29 = phi double [ %high.28, %narrow.first ], [ %high.40, %narrow.tiles.body ]
  %high.30 = phi double [ %high.27, %narrow.first ], [ %high.39, %narrow.tiles.body ]
  %high.31 = phi double [ %high.26, %narrow.first ], [ %high.38, %narrow.tiles.body ]
  %high.32 = phi double [ %high.25, %narrow.first ], [ %high.37, %narrow.tiles.body ]
  %squares.29 = phi i64 [ %squares.28, %narrow.first ], [ %squares.40, %narrow.tiles.body ]
  %squares.30 = phi i64 [ %squares.27, %narrow.first ], [ %squares.39, %narrow.tiles.body ]
  %squares.31 = phi i64 [ %squares.26, %narrow.first ], [ %squares.38, %narrow.tiles.body ]
  %squares.32 = phi i64 [ %squares.25, %narrow.first ], [ %squares.37, %narrow.tiles.body ]
  %goes.on.1 = icmp sge i32 %tiles.left.1, 1
  br i1 %goes.on.1, label %narrow.tiles.body, label %narrow.tiles.last

narrow.tiles.body:
  %wide.6 = zext i32 %lane to i64
  %wide.7 = sext i32 %tiles.left.1 to i64
  %offset.18 = mul i64 %wide.6, 4
  %offset.19 = mul i64 %wide.7, 256
  %offset.20 = add i64 %offset.18, %offset.19
  %offset.21 = mul i64 %offset.20, 4
  %at.53 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.21
  %offset.22 = mul i64 %offset.20, 8
  %at.54 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.22
  %offset.23 = mul i64 %offset.20, 8
  %at.55 = getelementptr i8, ptr addrspace(1) %array3, i64 %offset.23
  %at.56 = getelementptr i8, ptr addrspace(1) %at.53, i64 -512
  %element.72 = load float, ptr addrspace(1) %at.56, align 4, !invariant.load !0
  %at.57 = getelementptr i8, ptr addrspace(1) %at.53, i64 -508
  %element.73 = load float, ptr addrspace(1) %at.57, align 4, !invariant.load !0
  %at.58 = getelementptr i8, ptr addrspace(1) %at.53, i64 -504
  %element.74 = load float, ptr addrspace(1) %at.58, align 4, !invariant.load !0
  %at.59 = getelementptr i8, ptr addrspace(1) %at.53, i64 -500
  %element.75 = load float, ptr addrspace(1) %at.59, align 4, !invariant.load !0
  %at.60 = getelementptr i8, ptr addrspace(1) %at.54, i64 -1024
  %element.76 = load double, ptr addrspace(1) %at.60, align 8, !invariant.load !0
  %at.61 = getelementptr i8, ptr addrspace(1) %at.54, i64 -1016
  %element.77 = load double, ptr addrspace(1) %at.61, align 8, !invariant.load !0
  %at.62 = getelementptr i8, ptr addrspace(1) %at.54, i64 -1008
  %element.78 = load double, ptr addrspace(1) %at.62, align 8, !invariant.load !0
  %at.63 = getelementptr i8, ptr addrspace(1) %at.54, i64 -1000
  %element.79 = load double, ptr addrspace(1) %at.63, align 8, !invariant.load !0
  %at.64 = getelementptr i8, ptr addrspace(1) %at.55, i64 -1024
  %element.80 = load i64, ptr addrspace(1) %at.64, align 8, !invariant.load !0
  %at.65 = getelementptr i8, ptr addrspace(1) %at.55, i64 -1016
  %element.81 = load i64, ptr addrspace(1) %at.65, align 8, !invariant.load !0
  %at.66 = getelementptr i8, ptr addrspace(1) %at.55, i64 -1008
  %element.82 = load i64, ptr addrspace(1) %at.66, align 8, !invariant.load !0
  %at.67 = getelementptr i8, ptr addrspace(1) %at.55, i64 -1000
  %element.83 = load i64, ptr addrspace(1) %at.67, align 8, !invariant.load !0
  %at.68 = getelementptr i8, ptr addrspace(1) %at.53, i64 -1024
  %element.84 = load float, ptr addrspace(1) %at.68, align 4, !invariant.load !0
  %at.69 = getelementptr i8, ptr addrspace(1) %at.53, i64 -1020
  %element.85 = load float, ptr addrspace(1) %at.69, align 4, !invariant.load !0
  %at.70 = getelementptr i8, ptr addrspace(1) %at.53, i64 -1016
  %element.86 = load float, ptr addrspace(1) %at.70, align 4, !invariant.load !0
  %at.71 = getelementptr i8, ptr addrspace(1) %at.53, i64 -1012
  %element.87 = load float, ptr addrspace(1) %at.71, align 4, !invariant.load !0
  %at.72 = getelementptr i8, ptr addrspace(1) %at.54, i64 -2048
  %element.88 = load double, ptr addrspace(1) %at.72, align 8, !invariant.load !0
  %at.73 = getelementptr i8, ptr addrspace(1) %at.54, i64 -2040
  %element.89 = load double, ptr addrspace(1) %at.73, align 8, !invariant.load !0
  %at.74 = getelementptr i8, ptr addrspace(1) %at.54, i64 -2032
  %element.90 = load double, ptr addrspace(1) %at.74, align 8, !invariant.load !0
  %at.75 = getelementptr i8, ptr addrspace(1) %at.54, i64 -2024
  %element.91 = load double, ptr addrspace(1) %at.75, align 8, !invariant.load !0
  %at.76 = getelementptr i8, ptr addrspace(1) %at.55, i64 -2048
  %element.92 = load i64, ptr addrspace(1) %at.76, align 8, !invariant.load !0
  %at.77 = getelementptr i8, ptr addrspace(1) %at.55, i64 -2040
  %element.93 = load i64, ptr addrspace(1) %at.77, align 8, !invariant.load !0
  %at.78 = getelementptr i8, ptr addrspace(1) %at.55, i64 -2032
  %element.94 = load i64, ptr addrspace(1) %at.78, align 8, !invariant.load !0
  %at.79 = getelementptr i8, ptr addrspace(1) %at.55, i64 -2024
  %element.95 = load i64, ptr addrspace(1) %at.79, align 8, !invariant.load !0
  %product.48 = fmul float %element.75, %element.75
  %low.34 = call float @llvm.minimumnum.f32(float %low.33, float %product.48)
  %high.33 = call double @llvm.maximumnum.f64(double %high.32, double %element.79)
  %product.49 = mul i64 %element.83, %element.83
  %squares.33 = add i64 %squares.32, %product.49
  %product.50 = fmul float %element.74, %element.74
  %low.35 = call float @llvm.minimumnum.f32(float %low.32, float %product.50)
  %high.34 = call double @llvm.maximumnum.f64(double %high.31, double %element.78)
  %product.51 = mul i64 %element.82, %element.82
  %squares.34 = add i64 %squares.31, %product.51
  %product.52 = fmul float %element.73, %element.73
  %low.36 = call float @llvm.minimumnum.f32(float %low.31, float %product.52)
  %high.35 = call double @llvm.maximumnum.f64(double %high.30, double %element.77)
  %product.53 = mul i64 %element.81, %element.81
  %squares.35 = add i64 %squares.30, %product.53
  %product.54 = fmul float %element.72, %element.72
  %low.37 = call float @llvm.minimumnum.f32(float %low.30, float %product.54)
  %high.36 = call double @llvm.maximumnum.f64(double %high.29, double %element.76)
  %product.55 = mul i64 %element.80, %element.80
  %squares.36 = add i64 %squares.29, %product.55
  %product.56 = fmul float %element.87, %element.87
  %low.38 = call float @llvm.minimumnum.f32(float %low.34, float %product.56)
  %high.37 = call double @llvm.maximumnum.f64(double %high.33, double %element.91)
  %product.57 = mul i64 %element.95, %element.95
  %squares.37 = add i64 %squares.33, %product.57
  %product.58 = fmul float %element.86, %element.86
  %low.39 = call float @llvm.minimumnum.f32(float %low.35, float %product.58)
  %high.38 = call double @llvm.maximumnum.f64(double %high.34, double %element.90)
  %product.59 = mul i64 %element.94, %element.94
  %squares.38 = add i64 %squares.34, %product.59
  %product.60 = fmul float %element.85, %element.85
  %low.40 = call float @llvm.minimumnum.f32(float %low.36, float %product.60)
  %high.39 = call double @llvm.maximumnum.f64(double %high.35, double %element.89)
  %product.61 = mul i64 %element.93, %element.93
  %squares.39 = add i64 %squares.35, %product.61
  %product.62 = fmul float %element.84, %element.84
  %low.41 = call float @llvm.minimumnum.f32(float %low.37, float %product.62)
  %high.40 = call double @llvm.maximumnum.f64(double %high.36, double %element.88)
  %product.63 = mul i64 %element.92, %element.92
  %squares.40 = add i64 %squares.36, %product.63
  %next.3 = sub i32 %tiles.left.1, %grid.warps
  br label %narrow.tiles, !llvm.loop !7

narrow.tiles.last:
  %low.total.3 = call float @llvm.minimumnum.f32(float %low.30, float %low.31)
  %low.total.4 = call float @llvm.minimumnum.f32(float %low.total.3, float %low.32)
  %low.total.5 = call float @llvm.minimumnum.f32(float %low.total.4, float %low.33)
  %high.total.3 = call double @llvm.maximumnum.f64(double %high.29, double %high.30)
  %high.total.4 = call double @llvm.maximumnum.f64(double %high.total.3, double %high.31)
  %high.total.5 = call double @llvm.maximumnum.f64(double %high.total.4, double %high.32)
  %squares.total.3 = add i64 %squares.29, %squares.30
  %squares.total.4 = add i64 %squares.total.3, %squares.31
  %squares.total.5 = add i64 %squares.total.4, %squares.32
  br label %narrow.tiles.end

narrow.tiles.end:
  %low.42 = phi float [ 0x7FF8000000000000, %unaligned ], [ %low.total.5, %narrow.tiles.last ]
  %high.41 = phi double [ 0x7FF8000000000000, %unaligned ], [ %high.total.5, %narrow.tiles.last ]
  %squares.41 = phi i64 [ 0, %unaligned ], [ %squares.total.5, %narrow.tiles.last ]
  br label %whole

whole:
  %low.43 = phi float [ %low.21, %wide.tiles.end ], [ %low.42, %narrow.tiles.end ]
  %high.42 = phi double [ %high.20, %wide.tiles.end ], [ %high.41, %narrow.tiles.end ]
  %squares.42 = phi i64 [ %squares.20, %wide.tiles.end ], [ %squares.41, %narrow.tiles.end ]
  %has.tail = icmp ult i32 %grid.thread, %narrow.1
  br i1 %has.tail, label %tail.some, label %tail.end, !prof !8

tail.some:
  %are.few = icmp ult i32 %grid.threads, 256
  %step = select i1 %are.few, i32 %grid.threads, i32 256
  %wide.8 = zext i32 %narrow.1 to i64
  %tiled = sub i64 %n, %wide.8
  %offset.24 = mul i64 %tiled, 4
  %at.80 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.24
  %offset.25 = mul i64 %tiled, 8
  %at.81 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.25
  %offset.26 = mul i64 %tiled, 8
  %at.82 = getelementptr i8, ptr addrspace(1) %array3, i64 %offset.26
  br label %tail

tail:
  %element.number = phi i32 [ %grid.thread, %tail.some ], [ %next.4, %following ]
  %low.44 = phi float [ %low.43, %tail.some ], [ %low.46, %following ]
  %high.43 = phi double [ %high.42, %tail.some ], [ %high.45, %following ]
  %squares.43 = phi i64 [ %squares.42, %tail.some ], [ %squares.45, %following ]
  %goes.on.2 = icmp ult i32 %element.number, %narrow.1
  br i1 %goes.on.2, label %tail.body, label %tail.end

tail.body:
  %exists = icmp ult i32 %element.number, %narrow.1
  %wide.9 = zext i32 %element.number to i64
  br i1 %exists, label %element.96, label %element.end

element.96:
  %at.83 = getelementptr inbounds float, ptr addrspace(1) %at.80, i64 %wide.9
  %element.97 = load float, ptr addrspace(1) %at.83, align 4, !invariant.load !0
  %at.84 = getelementptr inbounds double, ptr addrspace(1) %at.81, i64 %wide.9
  %element.98 = load double, ptr addrspace(1) %at.84, align 8, !invariant.load !0
  %at.85 = getelementptr inbounds i64, ptr addrspace(1) %at.82, i64 %wide.9
  %element.99 = load i64, ptr addrspace(1) %at.85, align 8, !invariant.load !0
  br label %element.end

element.end:
  %element.100 = phi float [ %element.97, %element.96 ], [ 0.0, %tail.body ]
  %element.101 = phi double [ %element.98, %element.96 ], [ 0.0, %tail.body ]
  %element.102 = phi i64 [ %element.99, %element.96 ], [ 0, %tail.body ]
  %next.4 = add i32 %element.number, %step
  br i1 %exists, label %one, label %following

one:
  %product.64 = fmul float %element.100, %element.100
  %low.45 = call float @llvm.minimumnum.f32(float %low.44, float %product.64)
  %high.44 = call double @llvm.maximumnum.f64(double %high.43, double %element.101)
  %product.65 = mul i64 %element.102, %element.102
  %squares.44 = add i64 %squares.43, %product.65
  br label %following

following:
  %low.46 = phi float [ %low.45, %one ], [ %low.44, %element.end ]
  %high.45 = phi double [ %high.44, %one ], [ %high.43, %element.end ]
  %squares.45 = phi i64 [ %squares.44, %one ], [ %squares.43, %element.end ]
  br label %tail, !llvm.loop !10

tail.end:
  %low.47 = phi float [ %low.43, %whole ], [ %low.44, %tail ]
  %high.46 = phi double [ %high.42, %whole ], [ %high.43, %tail ]
  %squares.46 = phi i64 [ %squares.42, %whole ], [ %squares.43, %tail ]
  %low.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %low.private = load ptr, ptr %low.entry, align 8
  store float %low.47, ptr %low.private, align 4
  %high.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %high.private = load ptr, ptr %high.entry, align 8
  store double %high.46, ptr %high.private, align 8
  %squares.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %squares.private = load ptr, ptr %squares.entry, align 8
  store i64 %squares.46, ptr %squares.private, align 8
  ret void
}

define ptx_kernel void @warpfold_reduce(i64 %n, i64 %first, ptr addrspace(1) align 16 %workspace, ptr addrspace(1) align 8 %result, ptr addrspace(1) noalias readonly align 4 %array0, ptr addrspace(1) noalias readonly align 8 %array1, ptr addrspace(1) noalias readonly align 4 %array2, ptr addrspace(1) noalias readonly align 8 %array3) convergent mustprogress nounwind "nvvm.maxntid"="256" {
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
  %low.member = getelementptr inbounds %warpfold.record, ptr %private, i64 0, i32 0
  %low.entry = getelementptr inbounds ptr, ptr %list, i64 0
  store ptr %low.member, ptr %low.entry, align 8
  %high.member = getelementptr inbounds %warpfold.record, ptr %private, i64 0, i32 1
  %high.entry = getelementptr inbounds ptr, ptr %list, i64 1
  store ptr %high.member, ptr %high.entry, align 8
  %squares.member = getelementptr inbounds %warpfold.record, ptr %private, i64 0, i32 2
  %squares.entry = getelementptr inbounds ptr, ptr %list, i64 2
  store ptr %squares.member, ptr %squares.entry, align 8
  call void @warpfold_accumulate(ptr %list, i64 %n, i64 %first, ptr addrspace(1) %array0, ptr addrspace(1) %array1, ptr addrspace(1) %array3)
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

define ptx_kernel void @warpfold_partial(i64 %n, i64 %first, ptr addrspace(1) align 16 %workspace, ptr addrspace(1) noalias readonly align 4 %array0, ptr addrspace(1) noalias readonly align 8 %array1, ptr addrspace(1) noalias readonly align 4 %array2, ptr addrspace(1) noalias readonly align 8 %array3) convergent mustprogress nounwind "nvvm.maxntid"="256" {
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
  %low.member = getelementptr inbounds %warpfold.record, ptr %private, i64 0, i32 0
  %low.entry = getelementptr inbounds ptr, ptr %list, i64 0
  store ptr %low.member, ptr %low.entry, align 8
  %high.member = getelementptr inbounds %warpfold.record, ptr %private, i64 0, i32 1
  %high.entry = getelementptr inbounds ptr, ptr %list, i64 1
  store ptr %high.member, ptr %high.entry, align 8
  %squares.member = getelementptr inbounds %warpfold.record, ptr %private, i64 0, i32 2
  %squares.entry = getelementptr inbounds ptr, ptr %list, i64 2
  store ptr %squares.member, ptr %squares.entry, align 8
  call void @warpfold_accumulate(ptr %list, i64 %n, i64 %first, ptr addrspace(1) %array0, ptr addrspace(1) %array1, ptr addrspace(1) %array3)
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
  %low.member = getelementptr inbounds %warpfold.record, ptr %private, i64 0, i32 0
  %low.entry = getelementptr inbounds ptr, ptr %list, i64 0
  store ptr %low.member, ptr %low.entry, align 8
  %high.member = getelementptr inbounds %warpfold.record, ptr %private, i64 0, i32 1
  %high.entry = getelementptr inbounds ptr, ptr %list, i64 1
  store ptr %high.member, ptr %high.entry, align 8
  %squares.member = getelementptr inbounds %warpfold.record, ptr %private, i64 0, i32 2
  %squares.entry = getelementptr inbounds ptr, ptr %list, i64 2
  store ptr %squares.member, ptr %squares.entry, align 8
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

declare double @llvm.maximumnum.f64(double, double)
declare double @llvm.nvvm.lohi.i2d(i32, i32)
declare float @llvm.minimumnum.f32(float, float)
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
