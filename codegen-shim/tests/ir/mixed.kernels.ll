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
  %words.2 = insertelement <2 x i32> poison, i32 %shuffled.1, i32 0
  %words.3 = insertelement <2 x i32> %words.2, i32 %shuffled.2, i32 1
  %remote.1 = bitcast <2 x i32> %words.3 to double
  %words.4 = insertelement <2 x i32> poison, i32 %shuffled.3, i32 0
  %words.5 = insertelement <2 x i32> %words.4, i32 %shuffled.4, i32 1
  %remote.2 = bitcast <2 x i32> %words.5 to i64
  %low.kept = select i1 %copies, float %remote, float %low.own
  %low.combined = call float @llvm.minimumnum.f32(float %low.own, float %remote)
  %low.next = select i1 %reduces, float %low.combined, float %low.kept
  store float %low.next, ptr %low.private, align 4
  %high.kept = select i1 %copies, double %remote.1, double %high.own
  %high.combined = call double @llvm.maximumnum.f64(double %high.own, double %remote.1)
  %high.next = select i1 %reduces, double %high.combined, double %high.kept
  store double %high.next, ptr %high.private, align 8
  %squares.kept = select i1 %copies, i64 %remote.2, i64 %squares.own
  %squares.combined = add i64 %squares.own, %remote.2
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
  %words.2 = insertelement <2 x i32> poison, i32 %shuffled.1, i32 0
  %words.3 = insertelement <2 x i32> %words.2, i32 %shuffled.2, i32 1
  %remote.1 = bitcast <2 x i32> %words.3 to double
  %words.4 = insertelement <2 x i32> poison, i32 %shuffled.3, i32 0
  %words.5 = insertelement <2 x i32> %words.4, i32 %shuffled.4, i32 1
  %remote.2 = bitcast <2 x i32> %words.5 to i64
  %low.combined = call float @llvm.minimumnum.f32(float %low.own, float %remote)
  %low.next = select i1 %reduces, float %low.combined, float %low.own
  store float %low.next, ptr %low.private, align 4
  %high.combined = call double @llvm.maximumnum.f64(double %high.own, double %remote.1)
  %high.next = select i1 %reduces, double %high.combined, double %high.own
  store double %high.next, ptr %high.private, align 8
  %squares.combined = add i64 %squares.own, %remote.2
  %squares.next = select i1 %reduces, i64 %squares.combined, i64 %squares.own
  store i64 %squares.next, ptr %squares.private, align 8
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
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
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
define internal void @warpfold_accumulate(ptr %list, i64 %n, i64 %first.index, ptr addrspace(1) noalias readonly align 4 %array0, ptr addrspace(1) noalias readonly align 8 %array1, ptr addrspace(1) noalias readonly align 8 %array3) alwaysinline mustprogress nounwind willreturn {
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
  %address.1 = ptrtoint ptr addrspace(1) %array1 to i64
  %bits.1 = or i64 %bits, %address.1
  %address.2 = ptrtoint ptr addrspace(1) %array3 to i64
  %bits.2 = or i64 %bits.1, %address.2
  %low = and i64 %bits.2, 15
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
  %offset.1 = mul i64 %in.tile, 32
  %at.1 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.1
  %stride.1 = mul i64 %step, 32
  %offset.2 = mul i64 %in.tile, 32
  %at.2 = getelementptr i8, ptr addrspace(1) %array3, i64 %offset.2
  %stride.2 = mul i64 %step, 32
  br label %wide.tiles

wide.tiles:
  %counter = phi i64 [ %step, %aligned ], [ %next, %wide.tiles.body ]
  %pointer0 = phi ptr addrspace(1) [ %at, %aligned ], [ %at.13, %wide.tiles.body ]
  %pointer1 = phi ptr addrspace(1) [ %at.1, %aligned ], [ %at.14, %wide.tiles.body ]
  %pointer3 = phi ptr addrspace(1) [ %at.2, %aligned ], [ %at.15, %wide.tiles.body ]
  %low.1 = phi float [ 0x7FF8000000000000, %aligned ], [ %low.9, %wide.tiles.body ]
  %low.2 = phi float [ 0x7FF8000000000000, %aligned ], [ %low.10, %wide.tiles.body ]
  %low.3 = phi float [ 0x7FF8000000000000, %aligned ], [ %low.11, %wide.tiles.body ]
  %low.4 = phi float [ 0x7FF8000000000000, %aligned ], [ %low.12, %wide.tiles.body ]
  %high = phi double [ 0x7FF8000000000000, %aligned ], [ %high.8, %wide.tiles.body ]
  %high.1 = phi double [ 0x7FF8000000000000, %aligned ], [ %high.9, %wide.tiles.body ]
  %high.2 = phi double [ 0x7FF8000000000000, %aligned ], [ %high.10, %wide.tiles.body ]
  %high.3 = phi double [ 0x7FF8000000000000, %aligned ], [ %high.11, %wide.tiles.body ]
  %squares = phi i64 [ 0, %aligned ], [ %squares.8, %wide.tiles.body ]
  %squares.1 = phi i64 [ 0, %aligned ], [ %squares.9, %wide.tiles.body ]
  %squares.2 = phi i64 [ 0, %aligned ], [ %squares.10, %wide.tiles.body ]
  %squares.3 = phi i64 [ 0, %aligned ], [ %squares.11, %wide.tiles.body ]
  %goes.on = icmp ult i64 %counter, %limit
  br i1 %goes.on, label %wide.tiles.body, label %wide.tiles.end

wide.tiles.body:
  %at.3 = getelementptr i8, ptr addrspace(1) %pointer0, i64 0
  %loaded = load <4 x float>, ptr addrspace(1) %at.3, align 16, !invariant.load !0
  %element = extractelement <4 x float> %loaded, i32 0
  %element.1 = extractelement <4 x float> %loaded, i32 1
  %element.2 = extractelement <4 x float> %loaded, i32 2
  %element.3 = extractelement <4 x float> %loaded, i32 3
  %at.4 = getelementptr i8, ptr addrspace(1) %pointer1, i64 0
  %loaded.1 = load <2 x double>, ptr addrspace(1) %at.4, align 16, !invariant.load !0
  %element.4 = extractelement <2 x double> %loaded.1, i32 0
  %element.5 = extractelement <2 x double> %loaded.1, i32 1
  %at.5 = getelementptr i8, ptr addrspace(1) %pointer1, i64 16
  %loaded.2 = load <2 x double>, ptr addrspace(1) %at.5, align 16, !invariant.load !0
  %element.6 = extractelement <2 x double> %loaded.2, i32 0
  %element.7 = extractelement <2 x double> %loaded.2, i32 1
  %at.6 = getelementptr i8, ptr addrspace(1) %pointer3, i64 0
  %loaded.3 = load <2 x i64>, ptr addrspace(1) %at.6, align 16, !invariant.load !0
  %element.8 = extractelement <2 x i64> %loaded.3, i32 0
  %element.9 = extractelement <2 x i64> %loaded.3, i32 1
  %at.7 = getelementptr i8, ptr addrspace(1) %pointer3, i64 16
  %loaded.4 = load <2 x i64>, ptr addrspace(1) %at.7, align 16, !invariant.load !0
  %element.10 = extractelement <2 x i64> %loaded.4, i32 0
  %element.11 = extractelement <2 x i64> %loaded.4, i32 1
  %at.8 = getelementptr i8, ptr addrspace(1) %pointer0, i64 512
  %loaded.5 = load <4 x float>, ptr addrspace(1) %at.8, align 16, !invariant.load !0
  %element.12 = extractelement <4 x float> %loaded.5, i32 0
  %element.13 = extractelement <4 x float> %loaded.5, i32 1
  %element.14 = extractelement <4 x float> %loaded.5, i32 2
  %element.15 = extractelement <4 x float> %loaded.5, i32 3
  %at.9 = getelementptr i8, ptr addrspace(1) %pointer1, i64 1024
  %loaded.6 = load <2 x double>, ptr addrspace(1) %at.9, align 16, !invariant.load !0
  %element.16 = extractelement <2 x double> %loaded.6, i32 0
  %element.17 = extractelement <2 x double> %loaded.6, i32 1
  %at.10 = getelementptr i8, ptr addrspace(1) %pointer1, i64 1040
  %loaded.7 = load <2 x double>, ptr addrspace(1) %at.10, align 16, !invariant.load !0
  %element.18 = extractelement <2 x double> %loaded.7, i32 0
  %element.19 = extractelement <2 x double> %loaded.7, i32 1
  %at.11 = getelementptr i8, ptr addrspace(1) %pointer3, i64 1024
  %loaded.8 = load <2 x i64>, ptr addrspace(1) %at.11, align 16, !invariant.load !0
  %element.20 = extractelement <2 x i64> %loaded.8, i32 0
  %element.21 = extractelement <2 x i64> %loaded.8, i32 1
  %at.12 = getelementptr i8, ptr addrspace(1) %pointer3, i64 1040
  %loaded.9 = load <2 x i64>, ptr addrspace(1) %at.12, align 16, !invariant.load !0
  %element.22 = extractelement <2 x i64> %loaded.9, i32 0
  %element.23 = extractelement <2 x i64> %loaded.9, i32 1
  %product = fmul float %element, %element
  %low.5 = call float @llvm.minimumnum.f32(float %low.1, float %product)
  %high.4 = call double @llvm.maximumnum.f64(double %high, double %element.4)
  %product.1 = mul i64 %element.8, %element.8
  %squares.4 = add i64 %squares, %product.1
  %product.2 = fmul float %element.1, %element.1
  %low.6 = call float @llvm.minimumnum.f32(float %low.2, float %product.2)
  %high.5 = call double @llvm.maximumnum.f64(double %high.1, double %element.5)
  %product.3 = mul i64 %element.9, %element.9
  %squares.5 = add i64 %squares.1, %product.3
  %product.4 = fmul float %element.2, %element.2
  %low.7 = call float @llvm.minimumnum.f32(float %low.3, float %product.4)
  %high.6 = call double @llvm.maximumnum.f64(double %high.2, double %element.6)
  %product.5 = mul i64 %element.10, %element.10
  %squares.6 = add i64 %squares.2, %product.5
  %product.6 = fmul float %element.3, %element.3
  %low.8 = call float @llvm.minimumnum.f32(float %low.4, float %product.6)
  %high.7 = call double @llvm.maximumnum.f64(double %high.3, double %element.7)
  %product.7 = mul i64 %element.11, %element.11
  %squares.7 = add i64 %squares.3, %product.7
  %product.8 = fmul float %element.12, %element.12
  %low.9 = call float @llvm.minimumnum.f32(float %low.5, float %product.8)
  %high.8 = call double @llvm.maximumnum.f64(double %high.4, double %element.16)
  %product.9 = mul i64 %element.20, %element.20
  %squares.8 = add i64 %squares.4, %product.9
  %product.10 = fmul float %element.13, %element.13
  %low.10 = call float @llvm.minimumnum.f32(float %low.6, float %product.10)
  %high.9 = call double @llvm.maximumnum.f64(double %high.5, double %element.17)
  %product.11 = mul i64 %element.21, %element.21
  %squares.9 = add i64 %squares.5, %product.11
  %product.12 = fmul float %element.14, %element.14
  %low.11 = call float @llvm.minimumnum.f32(float %low.7, float %product.12)
  %high.10 = call double @llvm.maximumnum.f64(double %high.6, double %element.18)
  %product.13 = mul i64 %element.22, %element.22
  %squares.10 = add i64 %squares.6, %product.13
  %product.14 = fmul float %element.15, %element.15
  %low.12 = call float @llvm.minimumnum.f32(float %low.8, float %product.14)
  %high.11 = call double @llvm.maximumnum.f64(double %high.7, double %element.19)
  %product.15 = mul i64 %element.23, %element.23
  %squares.11 = add i64 %squares.7, %product.15
  %at.13 = getelementptr i8, ptr addrspace(1) %pointer0, i64 %stride
  %at.14 = getelementptr i8, ptr addrspace(1) %pointer1, i64 %stride.1
  %at.15 = getelementptr i8, ptr addrspace(1) %pointer3, i64 %stride.2
  %next = add i64 %counter, %step
  br label %wide.tiles, !llvm.loop !2

wide.tiles.end:
  %taken = sub i64 %counter, %step
  %first = add i64 %taken, %grid.thread
  %offset.3 = mul i64 %first, 16
  %at.16 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.3
  %stride.3 = mul i64 %grid.threads, 16
  %offset.4 = mul i64 %first, 32
  %at.17 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.4
  %stride.4 = mul i64 %grid.threads, 32
  %offset.5 = mul i64 %first, 32
  %at.18 = getelementptr i8, ptr addrspace(1) %array3, i64 %offset.5
  %stride.5 = mul i64 %grid.threads, 32
  br label %wide.rest

wide.rest:
  %counter.1 = phi i64 [ %first, %wide.tiles.end ], [ %next.1, %wide.rest.body ]
  %pointer0.1 = phi ptr addrspace(1) [ %at.16, %wide.tiles.end ], [ %at.24, %wide.rest.body ]
  %pointer1.1 = phi ptr addrspace(1) [ %at.17, %wide.tiles.end ], [ %at.25, %wide.rest.body ]
  %pointer3.1 = phi ptr addrspace(1) [ %at.18, %wide.tiles.end ], [ %at.26, %wide.rest.body ]
  %low.13 = phi float [ %low.1, %wide.tiles.end ], [ %low.17, %wide.rest.body ]
  %low.14 = phi float [ %low.2, %wide.tiles.end ], [ %low.18, %wide.rest.body ]
  %low.15 = phi float [ %low.3, %wide.tiles.end ], [ %low.19, %wide.rest.body ]
  %low.16 = phi float [ %low.4, %wide.tiles.end ], [ %low.20, %wide.rest.body ]
  %high.12 = phi double [ %high, %wide.tiles.end ], [ %high.16, %wide.rest.body ]
  %high.13 = phi double [ %high.1, %wide.tiles.end ], [ %high.17, %wide.rest.body ]
  %high.14 = phi double [ %high.2, %wide.tiles.end ], [ %high.18, %wide.rest.body ]
  %high.15 = phi double [ %high.3, %wide.tiles.end ], [ %high.19, %wide.rest.body ]
  %squares.12 = phi i64 [ %squares, %wide.tiles.end ], [ %squares.16, %wide.rest.body ]
  %squares.13 = phi i64 [ %squares.1, %wide.tiles.end ], [ %squares.17, %wide.rest.body ]
  %squares.14 = phi i64 [ %squares.2, %wide.tiles.end ], [ %squares.18, %wide.rest.body ]
  %squares.15 = phi i64 [ %squares.3, %wide.tiles.end ], [ %squares.19, %wide.rest.body ]
  %goes.on.1 = icmp ult i64 %counter.1, %groups
  br i1 %goes.on.1, label %wide.rest.body, label %wide.rest.end

wide.rest.body:
  %at.19 = getelementptr i8, ptr addrspace(1) %pointer0.1, i64 0
  %loaded.10 = load <4 x float>, ptr addrspace(1) %at.19, align 16, !invariant.load !0
  %element.24 = extractelement <4 x float> %loaded.10, i32 0
  %element.25 = extractelement <4 x float> %loaded.10, i32 1
  %element.26 = extractelement <4 x float> %loaded.10, i32 2
  %element.27 = extractelement <4 x float> %loaded.10, i32 3
  %at.20 = getelementptr i8, ptr addrspace(1) %pointer1.1, i64 0
  %loaded.11 = load <2 x double>, ptr addrspace(1) %at.20, align 16, !invariant.load !0
  %element.28 = extractelement <2 x double> %loaded.11, i32 0
  %element.29 = extractelement <2 x double> %loaded.11, i32 1
  %at.21 = getelementptr i8, ptr addrspace(1) %pointer1.1, i64 16
  %loaded.12 = load <2 x double>, ptr addrspace(1) %at.21, align 16, !invariant.load !0
  %element.30 = extractelement <2 x double> %loaded.12, i32 0
  %element.31 = extractelement <2 x double> %loaded.12, i32 1
  %at.22 = getelementptr i8, ptr addrspace(1) %pointer3.1, i64 0
  %loaded.13 = load <2 x i64>, ptr addrspace(1) %at.22, align 16, !invariant.load !0
  %element.32 = extractelement <2 x i64> %loaded.13, i32 0
  %element.33 = extractelement <2 x i64> %loaded.13, i32 1
  %at.23 = getelementptr i8, ptr addrspace(1) %pointer3.1, i64 16
  %loaded.14 = load <2 x i64>, ptr addrspace(1) %at.23, align 16, !invariant.load !0
  %element.34 = extractelement <2 x i64> %loaded.14, i32 0
  %element.35 = extractelement <2 x i64> %loaded.14, i32 1
  %product.16 = fmul float %element.24, %element.24
  %low.17 = call float @llvm.minimumnum.f32(float %low.13, float %product.16)
  %high.16 = call double @llvm.maximumnum.f64(double %high.12, double %element.28)
  %product.17 = mul i64 %element.32, %element.32
  %squares.16 = add i64 %squares.12, %product.17
  %product.18 = fmul float %element.25, %element.25
  %low.18 = call float @llvm.minimumnum.f32(float %low.14, float %product.18)
  %high.17 = call double @llvm.maximumnum.f64(double %high.13, double %element.29)
  %product.19 = mul i64 %element.33, %element.33
  %squares.17 = add i64 %squares.13, %product.19
  %product.20 = fmul float %element.26, %element.26
  %low.19 = call float @llvm.minimumnum.f32(float %low.15, float %product.20)
  %high.18 = call double @llvm.maximumnum.f64(double %high.14, double %element.30)
  %product.21 = mul i64 %element.34, %element.34
  %squares.18 = add i64 %squares.14, %product.21
  %product.22 = fmul float %element.27, %element.27
  %low.20 = call float @llvm.minimumnum.f32(float %low.16, float %product.22)
  %high.19 = call double @llvm.maximumnum.f64(double %high.15, double %element.31)
  %product.23 = mul i64 %element.35, %element.35
  %squares.19 = add i64 %squares.15, %product.23
  %at.24 = getelementptr i8, ptr addrspace(1) %pointer0.1, i64 %stride.3
  %at.25 = getelementptr i8, ptr addrspace(1) %pointer1.1, i64 %stride.4
  %at.26 = getelementptr i8, ptr addrspace(1) %pointer3.1, i64 %stride.5
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
  %offset.6 = mul i64 %in.tile.1, 16
  %at.27 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.6
  %stride.6 = mul i64 %step.1, 16
  %offset.7 = mul i64 %in.tile.1, 32
  %at.28 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.7
  %stride.7 = mul i64 %step.1, 32
  %offset.8 = mul i64 %in.tile.1, 32
  %at.29 = getelementptr i8, ptr addrspace(1) %array3, i64 %offset.8
  %stride.8 = mul i64 %step.1, 32
  br label %narrow.tiles

narrow.tiles:
  %counter.2 = phi i64 [ %step.1, %unaligned ], [ %next.2, %narrow.tiles.body ]
  %pointer0.2 = phi ptr addrspace(1) [ %at.27, %unaligned ], [ %at.54, %narrow.tiles.body ]
  %pointer1.2 = phi ptr addrspace(1) [ %at.28, %unaligned ], [ %at.55, %narrow.tiles.body ]
  %pointer3.2 = phi ptr addrspace(1) [ %at.29, %unaligned ], [ %at.56, %narrow.tiles.body ]
  %low.21 = phi float [ 0x7FF8000000000000, %unaligned ], [ %low.29, %narrow.tiles.body ]
  %low.22 = phi float [ 0x7FF8000000000000, %unaligned ], [ %low.30, %narrow.tiles.body ]
  %low.23 = phi float [ 0x7FF8000000000000, %unaligned ], [ %low.31, %narrow.tiles.body ]
  %low.24 = phi float [ 0x7FF8000000000000, %unaligned ], [ %low.32, %narrow.tiles.body ]
  %high.20 = phi double [ 0x7FF8000000000000, %unaligned ], [ %high.28, %narrow.tiles.body ]
  %high.21 = phi double [ 0x7FF8000000000000, %unaligned ], [ %high.29, %narrow.tiles.body ]
  %high.22 = phi double [ 0x7FF8000000000000, %unaligned ], [ %high.30, %narrow.tiles.body ]
  %high.23 = phi double [ 0x7FF8000000000000, %unaligned ], [ %high.31, %narrow.tiles.body ]
  %squares.20 = phi i64 [ 0, %unaligned ], [ %squares.28, %narrow.tiles.body ]
  %squares.21 = phi i64 [ 0, %unaligned ], [ %squares.29, %narrow.tiles.body ]
  %squares.22 = phi i64 [ 0, %unaligned ], [ %squares.30, %narrow.tiles.body ]
  %squares.23 = phi i64 [ 0, %unaligned ], [ %squares.31, %narrow.tiles.body ]
  %goes.on.2 = icmp ult i64 %counter.2, %limit.1
  br i1 %goes.on.2, label %narrow.tiles.body, label %narrow.tiles.end

narrow.tiles.body:
  %at.30 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 0
  %element.36 = load float, ptr addrspace(1) %at.30, align 4, !invariant.load !0
  %at.31 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 4
  %element.37 = load float, ptr addrspace(1) %at.31, align 4, !invariant.load !0
  %at.32 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 8
  %element.38 = load float, ptr addrspace(1) %at.32, align 4, !invariant.load !0
  %at.33 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 12
  %element.39 = load float, ptr addrspace(1) %at.33, align 4, !invariant.load !0
  %at.34 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 0
  %element.40 = load double, ptr addrspace(1) %at.34, align 8, !invariant.load !0
  %at.35 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 8
  %element.41 = load double, ptr addrspace(1) %at.35, align 8, !invariant.load !0
  %at.36 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 16
  %element.42 = load double, ptr addrspace(1) %at.36, align 8, !invariant.load !0
  %at.37 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 24
  %element.43 = load double, ptr addrspace(1) %at.37, align 8, !invariant.load !0
  %at.38 = getelementptr i8, ptr addrspace(1) %pointer3.2, i64 0
  %element.44 = load i64, ptr addrspace(1) %at.38, align 8, !invariant.load !0
  %at.39 = getelementptr i8, ptr addrspace(1) %pointer3.2, i64 8
  %element.45 = load i64, ptr addrspace(1) %at.39, align 8, !invariant.load !0
  %at.40 = getelementptr i8, ptr addrspace(1) %pointer3.2, i64 16
  %element.46 = load i64, ptr addrspace(1) %at.40, align 8, !invariant.load !0
  %at.41 = getelementptr i8, ptr addrspace(1) %pointer3.2, i64 24
  %element.47 = load i64, ptr addrspace(1) %at.41, align 8, !invariant.load !0
  %at.42 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 512
  %element.48 = load float, ptr addrspace(1) %at.42, align 4, !invariant.load !0
  %at.43 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 516
  %element.49 = load float, ptr addrspace(1) %at.43, align 4, !invariant.load !0
  %at.44 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 520
  %element.50 = load float, ptr addrspace(1) %at.44, align 4, !invariant.load !0
  %at.45 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 524
  %element.51 = load float, ptr addrspace(1) %at.45, align 4, !invariant.load !0
  %at.46 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 1024
  %element.52 = load double, ptr addrspace(1) %at.46, align 8, !invariant.load !0
  %at.47 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 1032
  %element.53 = load double, ptr addrspace(1) %at.47, align 8, !invariant.load !0
  %at.48 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 1040
  %element.54 = load double, ptr addrspace(1) %at.48, align 8, !invariant.load !0
  %at.49 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 1048
  %element.55 = load double, ptr addrspace(1) %at.49, align 8, !invariant.load !0
  %at.50 = getelementptr i8, ptr addrspace(1) %pointer3.2, i64 1024
  %element.56 = load i64, ptr addrspace(1) %at.50, align 8, !invariant.load !0
  %at.51 = getelementptr i8, ptr addrspace(1) %pointer3.2, i64 1032
  %element.57 = load i64, ptr addrspace(1) %at.51, align 8, !invariant.load !0
  %at.52 = getelementptr i8, ptr addrspace(1) %pointer3.2, i64 1040
  %element.58 = load i64, ptr addrspace(1) %at.52, align 8, !invariant.load !0
  %at.53 = getelementptr i8, ptr addrspace(1) %pointer3.2, i64 1048
  %element.59 = load i64, ptr addrspace(1) %at.53, align 8, !invariant.load !0
  %product.24 = fmul float %element.36, %element.36
  %low.25 = call float @llvm.minimumnum.f32(float %low.21, float %product.24)
  %high.24 = call double @llvm.maximumnum.f64(double %high.20, double %element.40)
  %product.25 = mul i64 %element.44, %element.44
  %squares.24 = add i64 %squares.20, %product.25
  %product.26 = fmul float %element.37, %element.37
  %low.26 = call float @llvm.minimumnum.f32(float %low.22, float %product.26)
  %high.25 = call double @llvm.maximumnum.f64(double %high.21, double %element.41)
  %product.27 = mul i64 %element.45, %element.45
  %squares.25 = add i64 %squares.21, %product.27
  %product.28 = fmul float %element.38, %element.38
  %low.27 = call float @llvm.minimumnum.f32(float %low.23, float %product.28)
  %high.26 = call double @llvm.maximumnum.f64(double %high.22, double %element.42)
  %product.29 = mul i64 %element.46, %element.46
  %squares.26 = add i64 %squares.22, %product.29
  %product.30 = fmul float %element.39, %element.39
  %low.28 = call float @llvm.minimumnum.f32(float %low.24, float %product.30)
  %high.27 = call double @llvm.maximumnum.f64(double %high.23, double %element.43)
  %product.31 = mul i64 %element.47, %element.47
  %squares.27 = add i64 %squares.23, %product.31
  %product.32 = fmul float %element.48, %element.48
  %low.29 = call float @llvm.minimumnum.f32(float %low.25, float %product.32)
  %high.28 = call double @llvm.maximumnum.f64(double %high.24, double %element.52)
  %product.33 = mul i64 %element.56, %element.56
  %squares.28 = add i64 %squares.24, %product.33
  %product.34 = fmul float %element.49, %element.49
  %low.30 = call float @llvm.minimumnum.f32(float %low.26, float %product.34)
  %high.29 = call double @llvm.maximumnum.f64(double %high.25, double %element.53)
  %product.35 = mul i64 %element.57, %element.57
  %squares.29 = add i64 %squares.25, %product.35
  %product.36 = fmul float %element.50, %element.50
  %low.31 = call float @llvm.minimumnum.f32(float %low.27, float %product.36)
  %high.30 = call double @llvm.maximumnum.f64(double %high.26, double %element.54)
  %product.37 = mul i64 %element.58, %element.58
  %squares.30 = add i64 %squares.26, %product.37
  %product.38 = fmul float %element.51, %element.51
  %low.32 = call float @llvm.minimumnum.f32(float %low.28, float %product.38)
  %high.31 = call double @llvm.maximumnum.f64(double %high.27, double %element.55)
  %product.39 = mul i64 %element.59, %element.59
  %squares.31 = add i64 %squares.27, %product.39
  %at.54 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 %stride.6
  %at.55 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 %stride.7
  %at.56 = getelementptr i8, ptr addrspace(1) %pointer3.2, i64 %stride.8
  %next.2 = add i64 %counter.2, %step.1
  br label %narrow.tiles, !llvm.loop !6

narrow.tiles.end:
  %taken.1 = sub i64 %counter.2, %step.1
  %first.1 = add i64 %taken.1, %grid.thread
  %offset.9 = mul i64 %first.1, 16
  %at.57 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.9
  %stride.9 = mul i64 %grid.threads, 16
  %offset.10 = mul i64 %first.1, 32
  %at.58 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.10
  %stride.10 = mul i64 %grid.threads, 32
  %offset.11 = mul i64 %first.1, 32
  %at.59 = getelementptr i8, ptr addrspace(1) %array3, i64 %offset.11
  %stride.11 = mul i64 %grid.threads, 32
  br label %narrow.rest

narrow.rest:
  %counter.3 = phi i64 [ %first.1, %narrow.tiles.end ], [ %next.3, %narrow.rest.body ]
  %pointer0.3 = phi ptr addrspace(1) [ %at.57, %narrow.tiles.end ], [ %at.72, %narrow.rest.body ]
  %pointer1.3 = phi ptr addrspace(1) [ %at.58, %narrow.tiles.end ], [ %at.73, %narrow.rest.body ]
  %pointer3.3 = phi ptr addrspace(1) [ %at.59, %narrow.tiles.end ], [ %at.74, %narrow.rest.body ]
  %low.33 = phi float [ %low.21, %narrow.tiles.end ], [ %low.37, %narrow.rest.body ]
  %low.34 = phi float [ %low.22, %narrow.tiles.end ], [ %low.38, %narrow.rest.body ]
  %low.35 = phi float [ %low.23, %narrow.tiles.end ], [ %low.39, %narrow.rest.body ]
  %low.36 = phi float [ %low.24, %narrow.tiles.end ], [ %low.40, %narrow.rest.body ]
  %high.32 = phi double [ %high.20, %narrow.tiles.end ], [ %high.36, %narrow.rest.body ]
  %high.33 = phi double [ %high.21, %narrow.tiles.end ], [ %high.37, %narrow.rest.body ]
  %high.34 = phi double [ %high.22, %narrow.tiles.end ], [ %high.38, %narrow.rest.body ]
  %high.35 = phi double [ %high.23, %narrow.tiles.end ], [ %high.39, %narrow.rest.body ]
  %squares.32 = phi i64 [ %squares.20, %narrow.tiles.end ], [ %squares.36, %narrow.rest.body ]
  %squares.33 = phi i64 [ %squares.21, %narrow.tiles.end ], [ %squares.37, %narrow.rest.body ]
  %squares.34 = phi i64 [ %squares.22, %narrow.tiles.end ], [ %squares.38, %narrow.rest.body ]
  %squares.35 = phi i64 [ %squares.23, %narrow.tiles.end ], [ %squares.39, %narrow.rest.body ]
  %goes.on.3 = icmp ult i64 %counter.3, %groups
  br i1 %goes.on.3, label %narrow.rest.body, label %narrow.rest.end

narrow.rest.body:
  %at.60 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 0
  %element.60 = load float, ptr addrspace(1) %at.60, align 4, !invariant.load !0
  %at.61 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 4
  %element.61 = load float, ptr addrspace(1) %at.61, align 4, !invariant.load !0
  %at.62 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 8
  %element.62 = load float, ptr addrspace(1) %at.62, align 4, !invariant.load !0
  %at.63 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 12
  %element.63 = load float, ptr addrspace(1) %at.63, align 4, !invariant.load !0
  %at.64 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 0
  %element.64 = load double, ptr addrspace(1) %at.64, align 8, !invariant.load !0
  %at.65 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 8
  %element.65 = load double, ptr addrspace(1) %at.65, align 8, !invariant.load !0
  %at.66 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 16
  %element.66 = load double, ptr addrspace(1) %at.66, align 8, !invariant.load !0
  %at.67 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 24
  %element.67 = load double, ptr addrspace(1) %at.67, align 8, !invariant.load !0
  %at.68 = getelementptr i8, ptr addrspace(1) %pointer3.3, i64 0
  %element.68 = load i64, ptr addrspace(1) %at.68, align 8, !invariant.load !0
  %at.69 = getelementptr i8, ptr addrspace(1) %pointer3.3, i64 8
  %element.69 = load i64, ptr addrspace(1) %at.69, align 8, !invariant.load !0
  %at.70 = getelementptr i8, ptr addrspace(1) %pointer3.3, i64 16
  %element.70 = load i64, ptr addrspace(1) %at.70, align 8, !invariant.load !0
  %at.71 = getelementptr i8, ptr addrspace(1) %pointer3.3, i64 24
  %element.71 = load i64, ptr addrspace(1) %at.71, align 8, !invariant.load !0
  %product.40 = fmul float %element.60, %element.60
  %low.37 = call float @llvm.minimumnum.f32(float %low.33, float %product.40)
  %high.36 = call double @llvm.maximumnum.f64(double %high.32, double %element.64)
  %product.41 = mul i64 %element.68, %element.68
  %squares.36 = add i64 %squares.32, %product.41
  %product.42 = fmul float %element.61, %element.61
  %low.38 = call float @llvm.minimumnum.f32(float %low.34, float %product.42)
  %high.37 = call double @llvm.maximumnum.f64(double %high.33, double %element.65)
  %product.43 = mul i64 %element.69, %element.69
  %squares.37 = add i64 %squares.33, %product.43
  %product.44 = fmul float %element.62, %element.62
  %low.39 = call float @llvm.minimumnum.f32(float %low.35, float %product.44)
  %high.38 = call double @llvm.maximumnum.f64(double %high.34, double %element.66)
  %product.45 = mul i64 %element.70, %element.70
  %squares.38 = add i64 %squares.34, %product.45
  %product.46 = fmul float %element.63, %element.63
  %low.40 = call float @llvm.minimumnum.f32(float %low.36, float %product.46)
  %high.39 = call double @llvm.maximumnum.f64(double %high.35, double %element.67)
  %product.47 = mul i64 %element.71, %element.71
  %squares.39 = add i64 %squares.35, %product.47
  %at.72 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 %stride.9
  %at.73 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 %stride.10
  %at.74 = getelementptr i8, ptr addrspace(1) %pointer3.3, i64 %stride.11
  %next.3 = add i64 %counter.3, %grid.threads
  br label %narrow.rest, !llvm.loop !8

narrow.rest.end:
  br label %whole

whole:
  %low.41 = phi float [ %low.13, %wide.rest.end ], [ %low.33, %narrow.rest.end ]
  %low.42 = phi float [ %low.14, %wide.rest.end ], [ %low.34, %narrow.rest.end ]
  %low.43 = phi float [ %low.15, %wide.rest.end ], [ %low.35, %narrow.rest.end ]
  %low.44 = phi float [ %low.16, %wide.rest.end ], [ %low.36, %narrow.rest.end ]
  %high.40 = phi double [ %high.12, %wide.rest.end ], [ %high.32, %narrow.rest.end ]
  %high.41 = phi double [ %high.13, %wide.rest.end ], [ %high.33, %narrow.rest.end ]
  %high.42 = phi double [ %high.14, %wide.rest.end ], [ %high.34, %narrow.rest.end ]
  %high.43 = phi double [ %high.15, %wide.rest.end ], [ %high.35, %narrow.rest.end ]
  %squares.40 = phi i64 [ %squares.12, %wide.rest.end ], [ %squares.32, %narrow.rest.end ]
  %squares.41 = phi i64 [ %squares.13, %wide.rest.end ], [ %squares.33, %narrow.rest.end ]
  %squares.42 = phi i64 [ %squares.14, %wide.rest.end ], [ %squares.34, %narrow.rest.end ]
  %squares.43 = phi i64 [ %squares.15, %wide.rest.end ], [ %squares.35, %narrow.rest.end ]
  %low.total = call float @llvm.minimumnum.f32(float %low.41, float %low.42)
  %low.total.1 = call float @llvm.minimumnum.f32(float %low.total, float %low.43)
  %low.total.2 = call float @llvm.minimumnum.f32(float %low.total.1, float %low.44)
  %high.total = call double @llvm.maximumnum.f64(double %high.40, double %high.41)
  %high.total.1 = call double @llvm.maximumnum.f64(double %high.total, double %high.42)
  %high.total.2 = call double @llvm.maximumnum.f64(double %high.total.1, double %high.43)
  %squares.total = add i64 %squares.40, %squares.41
  %squares.total.1 = add i64 %squares.total, %squares.42
  %squares.total.2 = add i64 %squares.total.1, %squares.43
  %grouped = mul i64 %groups, 4
  %first.2 = add i64 %grouped, %grid.thread
  br label %tail

tail:
  %index = phi i64 [ %first.2, %whole ], [ %next.4, %tail.body ]
  %low.45 = phi float [ %low.total.2, %whole ], [ %low.46, %tail.body ]
  %high.44 = phi double [ %high.total.2, %whole ], [ %high.45, %tail.body ]
  %squares.44 = phi i64 [ %squares.total.2, %whole ], [ %squares.45, %tail.body ]
  %goes.on.4 = icmp ult i64 %index, %n
  br i1 %goes.on.4, label %tail.body, label %tail.end

tail.body:
  %at.75 = getelementptr inbounds float, ptr addrspace(1) %array0, i64 %index
  %element.72 = load float, ptr addrspace(1) %at.75, align 4, !invariant.load !0
  %at.76 = getelementptr inbounds double, ptr addrspace(1) %array1, i64 %index
  %element.73 = load double, ptr addrspace(1) %at.76, align 8, !invariant.load !0
  %at.77 = getelementptr inbounds i64, ptr addrspace(1) %array3, i64 %index
  %element.74 = load i64, ptr addrspace(1) %at.77, align 8, !invariant.load !0
  %product.48 = fmul float %element.72, %element.72
  %low.46 = call float @llvm.minimumnum.f32(float %low.45, float %product.48)
  %high.45 = call double @llvm.maximumnum.f64(double %high.44, double %element.73)
  %product.49 = mul i64 %element.74, %element.74
  %squares.45 = add i64 %squares.44, %product.49
  %next.4 = add i64 %index, %grid.threads
  br label %tail, !llvm.loop !10

tail.end:
  %low.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %low.private = load ptr, ptr %low.entry, align 8
  store float %low.45, ptr %low.private, align 4
  %high.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %high.private = load ptr, ptr %high.entry, align 8
  store double %high.44, ptr %high.private, align 8
  %squares.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %squares.private = load ptr, ptr %squares.entry, align 8
  store i64 %squares.44, ptr %squares.private, align 8
  ret void
}

define ptx_kernel void @warpfold_reduce(i64 %n, i64 %first, ptr addrspace(1) align 16 %workspace, ptr addrspace(1) align 8 %result, ptr addrspace(1) noalias readonly align 4 %array0, ptr addrspace(1) noalias readonly align 8 %array1, ptr addrspace(1) noalias readonly align 4 %array2, ptr addrspace(1) noalias readonly align 8 %array3) convergent mustprogress nounwind "nvvm.maxntid"="256" {
entry:
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
