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
  %words.1 = insertelement <2 x i32> poison, i32 %shuffled, i32 0
  %words.2 = insertelement <2 x i32> %words.1, i32 %shuffled.1, i32 1
  %remote = bitcast <2 x i32> %words.2 to double
  %remote.1 = bitcast i32 %shuffled.2 to float
  %bits = trunc i32 %shuffled.3 to i8
  %sum.kept = select i1 %copies, double %remote, double %sum.own
  %sum.combined = fadd double %sum.own, %remote
  %sum.next = select i1 %reduces, double %sum.combined, double %sum.kept
  store double %sum.next, ptr %sum.private, align 8
  %product.kept = select i1 %copies, float %remote.1, float %product.own
  %product.combined = fmul float %product.own, %remote.1
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
  %words.1 = insertelement <2 x i32> poison, i32 %shuffled, i32 0
  %words.2 = insertelement <2 x i32> %words.1, i32 %shuffled.1, i32 1
  %remote = bitcast <2 x i32> %words.2 to double
  %remote.1 = bitcast i32 %shuffled.2 to float
  %bits = trunc i32 %shuffled.3 to i8
  %sum.combined = fadd double %sum.own, %remote
  %sum.next = select i1 %reduces, double %sum.combined, double %sum.own
  store double %sum.next, ptr %sum.private, align 8
  %product.combined = fmul float %product.own, %remote.1
  %product.next = select i1 %reduces, float %product.combined, float %product.own
  store float %product.next, ptr %product.private, align 4
  %most.combined = call i8 @llvm.smax.i8(i8 %most.own, i8 %bits)
  %most.next = select i1 %reduces, i8 %most.combined, i8 %most.own
  store i8 %most.next, ptr %most.private, align 1
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
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
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
define internal void @warpfold_accumulate(ptr %list, i64 %n, i64 %first.index, ptr addrspace(1) noalias readonly align 8 %array0, ptr addrspace(1) noalias readonly align 4 %array1, ptr addrspace(1) noalias readonly align 1 %array2) alwaysinline mustprogress nounwind willreturn {
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
  %groups = lshr i64 %n, 4
  %address = ptrtoint ptr addrspace(1) %array0 to i64
  %bits = or i64 0, %address
  %address.1 = ptrtoint ptr addrspace(1) %array1 to i64
  %bits.1 = or i64 %bits, %address.1
  %address.2 = ptrtoint ptr addrspace(1) %array2 to i64
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
  %offset = mul i64 %in.tile, 128
  %at = getelementptr i8, ptr addrspace(1) %array0, i64 %offset
  %stride = mul i64 %step, 128
  %offset.1 = mul i64 %in.tile, 64
  %at.1 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.1
  %stride.1 = mul i64 %step, 64
  %offset.2 = mul i64 %in.tile, 16
  %at.2 = getelementptr i8, ptr addrspace(1) %array2, i64 %offset.2
  %stride.2 = mul i64 %step, 16
  br label %wide.tiles

wide.tiles:
  %counter = phi i64 [ %step, %aligned ], [ %next, %wide.tiles.body ]
  %pointer0 = phi ptr addrspace(1) [ %at, %aligned ], [ %at.29, %wide.tiles.body ]
  %pointer1 = phi ptr addrspace(1) [ %at.1, %aligned ], [ %at.30, %wide.tiles.body ]
  %pointer2 = phi ptr addrspace(1) [ %at.2, %aligned ], [ %at.31, %wide.tiles.body ]
  %sum = phi double [ -0.0, %aligned ], [ %sum.32, %wide.tiles.body ]
  %sum.1 = phi double [ -0.0, %aligned ], [ %sum.33, %wide.tiles.body ]
  %sum.2 = phi double [ -0.0, %aligned ], [ %sum.34, %wide.tiles.body ]
  %sum.3 = phi double [ -0.0, %aligned ], [ %sum.35, %wide.tiles.body ]
  %sum.4 = phi double [ -0.0, %aligned ], [ %sum.36, %wide.tiles.body ]
  %sum.5 = phi double [ -0.0, %aligned ], [ %sum.37, %wide.tiles.body ]
  %sum.6 = phi double [ -0.0, %aligned ], [ %sum.38, %wide.tiles.body ]
  %sum.7 = phi double [ -0.0, %aligned ], [ %sum.39, %wide.tiles.body ]
  %sum.8 = phi double [ -0.0, %aligned ], [ %sum.40, %wide.tiles.body ]
  %sum.9 = phi double [ -0.0, %aligned ], [ %sum.41, %wide.tiles.body ]
  %sum.10 = phi double [ -0.0, %aligned ], [ %sum.42, %wide.tiles.body ]
  %sum.11 = phi double [ -0.0, %aligned ], [ %sum.43, %wide.tiles.body ]
  %sum.12 = phi double [ -0.0, %aligned ], [ %sum.44, %wide.tiles.body ]
  %sum.13 = phi double [ -0.0, %aligned ], [ %sum.45, %wide.tiles.body ]
  %sum.14 = phi double [ -0.0, %aligned ], [ %sum.46, %wide.tiles.body ]
  %sum.15 = phi double [ -0.0, %aligned ], [ %sum.47, %wide.tiles.body ]
  %product = phi float [ 1.0, %aligned ], [ %product.32, %wide.tiles.body ]
  %product.1 = phi float [ 1.0, %aligned ], [ %product.33, %wide.tiles.body ]
  %product.2 = phi float [ 1.0, %aligned ], [ %product.34, %wide.tiles.body ]
  %product.3 = phi float [ 1.0, %aligned ], [ %product.35, %wide.tiles.body ]
  %product.4 = phi float [ 1.0, %aligned ], [ %product.36, %wide.tiles.body ]
  %product.5 = phi float [ 1.0, %aligned ], [ %product.37, %wide.tiles.body ]
  %product.6 = phi float [ 1.0, %aligned ], [ %product.38, %wide.tiles.body ]
  %product.7 = phi float [ 1.0, %aligned ], [ %product.39, %wide.tiles.body ]
  %product.8 = phi float [ 1.0, %aligned ], [ %product.40, %wide.tiles.body ]
  %product.9 = phi float [ 1.0, %aligned ], [ %product.41, %wide.tiles.body ]
  %product.10 = phi float [ 1.0, %aligned ], [ %product.42, %wide.tiles.body ]
  %product.11 = phi float [ 1.0, %aligned ], [ %product.43, %wide.tiles.body ]
  %product.12 = phi float [ 1.0, %aligned ], [ %product.44, %wide.tiles.body ]
  %product.13 = phi float [ 1.0, %aligned ], [ %product.45, %wide.tiles.body ]
  %product.14 = phi float [ 1.0, %aligned ], [ %product.46, %wide.tiles.body ]
  %product.15 = phi float [ 1.0, %aligned ], [ %product.47, %wide.tiles.body ]
  %most = phi i8 [ -128, %aligned ], [ %most.32, %wide.tiles.body ]
  %most.1 = phi i8 [ -128, %aligned ], [ %most.33, %wide.tiles.body ]
  %most.2 = phi i8 [ -128, %aligned ], [ %most.34, %wide.tiles.body ]
  %most.3 = phi i8 [ -128, %aligned ], [ %most.35, %wide.tiles.body ]
  %most.4 = phi i8 [ -128, %aligned ], [ %most.36, %wide.tiles.body ]
  %most.5 = phi i8 [ -128, %aligned ], [ %most.37, %wide.tiles.body ]
  %most.6 = phi i8 [ -128, %aligned ], [ %most.38, %wide.tiles.body ]
  %most.7 = phi i8 [ -128, %aligned ], [ %most.39, %wide.tiles.body ]
  %most.8 = phi i8 [ -128, %aligned ], [ %most.40, %wide.tiles.body ]
  %most.9 = phi i8 [ -128, %aligned ], [ %most.41, %wide.tiles.body ]
  %most.10 = phi i8 [ -128, %aligned ], [ %most.42, %wide.tiles.body ]
  %most.11 = phi i8 [ -128, %aligned ], [ %most.43, %wide.tiles.body ]
  %most.12 = phi i8 [ -128, %aligned ], [ %most.44, %wide.tiles.body ]
  %most.13 = phi i8 [ -128, %aligned ], [ %most.45, %wide.tiles.body ]
  %most.14 = phi i8 [ -128, %aligned ], [ %most.46, %wide.tiles.body ]
  %most.15 = phi i8 [ -128, %aligned ], [ %most.47, %wide.tiles.body ]
  %goes.on = icmp ult i64 %counter, %limit
  br i1 %goes.on, label %wide.tiles.body, label %wide.tiles.end

wide.tiles.body:
  %at.3 = getelementptr i8, ptr addrspace(1) %pointer0, i64 0
  %loaded = load <2 x double>, ptr addrspace(1) %at.3, align 16, !invariant.load !0
  %element = extractelement <2 x double> %loaded, i32 0
  %element.1 = extractelement <2 x double> %loaded, i32 1
  %at.4 = getelementptr i8, ptr addrspace(1) %pointer0, i64 16
  %loaded.1 = load <2 x double>, ptr addrspace(1) %at.4, align 16, !invariant.load !0
  %element.2 = extractelement <2 x double> %loaded.1, i32 0
  %element.3 = extractelement <2 x double> %loaded.1, i32 1
  %at.5 = getelementptr i8, ptr addrspace(1) %pointer0, i64 32
  %loaded.2 = load <2 x double>, ptr addrspace(1) %at.5, align 16, !invariant.load !0
  %element.4 = extractelement <2 x double> %loaded.2, i32 0
  %element.5 = extractelement <2 x double> %loaded.2, i32 1
  %at.6 = getelementptr i8, ptr addrspace(1) %pointer0, i64 48
  %loaded.3 = load <2 x double>, ptr addrspace(1) %at.6, align 16, !invariant.load !0
  %element.6 = extractelement <2 x double> %loaded.3, i32 0
  %element.7 = extractelement <2 x double> %loaded.3, i32 1
  %at.7 = getelementptr i8, ptr addrspace(1) %pointer0, i64 64
  %loaded.4 = load <2 x double>, ptr addrspace(1) %at.7, align 16, !invariant.load !0
  %element.8 = extractelement <2 x double> %loaded.4, i32 0
  %element.9 = extractelement <2 x double> %loaded.4, i32 1
  %at.8 = getelementptr i8, ptr addrspace(1) %pointer0, i64 80
  %loaded.5 = load <2 x double>, ptr addrspace(1) %at.8, align 16, !invariant.load !0
  %element.10 = extractelement <2 x double> %loaded.5, i32 0
  %element.11 = extractelement <2 x double> %loaded.5, i32 1
  %at.9 = getelementptr i8, ptr addrspace(1) %pointer0, i64 96
  %loaded.6 = load <2 x double>, ptr addrspace(1) %at.9, align 16, !invariant.load !0
  %element.12 = extractelement <2 x double> %loaded.6, i32 0
  %element.13 = extractelement <2 x double> %loaded.6, i32 1
  %at.10 = getelementptr i8, ptr addrspace(1) %pointer0, i64 112
  %loaded.7 = load <2 x double>, ptr addrspace(1) %at.10, align 16, !invariant.load !0
  %element.14 = extractelement <2 x double> %loaded.7, i32 0
  %element.15 = extractelement <2 x double> %loaded.7, i32 1
  %at.11 = getelementptr i8, ptr addrspace(1) %pointer1, i64 0
  %loaded.8 = load <4 x float>, ptr addrspace(1) %at.11, align 16, !invariant.load !0
  %element.16 = extractelement <4 x float> %loaded.8, i32 0
  %element.17 = extractelement <4 x float> %loaded.8, i32 1
  %element.18 = extractelement <4 x float> %loaded.8, i32 2
  %element.19 = extractelement <4 x float> %loaded.8, i32 3
  %at.12 = getelementptr i8, ptr addrspace(1) %pointer1, i64 16
  %loaded.9 = load <4 x float>, ptr addrspace(1) %at.12, align 16, !invariant.load !0
  %element.20 = extractelement <4 x float> %loaded.9, i32 0
  %element.21 = extractelement <4 x float> %loaded.9, i32 1
  %element.22 = extractelement <4 x float> %loaded.9, i32 2
  %element.23 = extractelement <4 x float> %loaded.9, i32 3
  %at.13 = getelementptr i8, ptr addrspace(1) %pointer1, i64 32
  %loaded.10 = load <4 x float>, ptr addrspace(1) %at.13, align 16, !invariant.load !0
  %element.24 = extractelement <4 x float> %loaded.10, i32 0
  %element.25 = extractelement <4 x float> %loaded.10, i32 1
  %element.26 = extractelement <4 x float> %loaded.10, i32 2
  %element.27 = extractelement <4 x float> %loaded.10, i32 3
  %at.14 = getelementptr i8, ptr addrspace(1) %pointer1, i64 48
  %loaded.11 = load <4 x float>, ptr addrspace(1) %at.14, align 16, !invariant.load !0
  %element.28 = extractelement <4 x float> %loaded.11, i32 0
  %element.29 = extractelement <4 x float> %loaded.11, i32 1
  %element.30 = extractelement <4 x float> %loaded.11, i32 2
  %element.31 = extractelement <4 x float> %loaded.11, i32 3
  %at.15 = getelementptr i8, ptr addrspace(1) %pointer2, i64 0
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
  %at.16 = getelementptr i8, ptr addrspace(1) %pointer0, i64 4096
  %loaded.13 = load <2 x double>, ptr addrspace(1) %at.16, align 16, !invariant.load !0
  %element.48 = extractelement <2 x double> %loaded.13, i32 0
  %element.49 = extractelement <2 x double> %loaded.13, i32 1
  %at.17 = getelementptr i8, ptr addrspace(1) %pointer0, i64 4112
  %loaded.14 = load <2 x double>, ptr addrspace(1) %at.17, align 16, !invariant.load !0
  %element.50 = extractelement <2 x double> %loaded.14, i32 0
  %element.51 = extractelement <2 x double> %loaded.14, i32 1
  %at.18 = getelementptr i8, ptr addrspace(1) %pointer0, i64 4128
  %loaded.15 = load <2 x double>, ptr addrspace(1) %at.18, align 16, !invariant.load !0
  %element.52 = extractelement <2 x double> %loaded.15, i32 0
  %element.53 = extractelement <2 x double> %loaded.15, i32 1
  %at.19 = getelementptr i8, ptr addrspace(1) %pointer0, i64 4144
  %loaded.16 = load <2 x double>, ptr addrspace(1) %at.19, align 16, !invariant.load !0
  %element.54 = extractelement <2 x double> %loaded.16, i32 0
  %element.55 = extractelement <2 x double> %loaded.16, i32 1
  %at.20 = getelementptr i8, ptr addrspace(1) %pointer0, i64 4160
  %loaded.17 = load <2 x double>, ptr addrspace(1) %at.20, align 16, !invariant.load !0
  %element.56 = extractelement <2 x double> %loaded.17, i32 0
  %element.57 = extractelement <2 x double> %loaded.17, i32 1
  %at.21 = getelementptr i8, ptr addrspace(1) %pointer0, i64 4176
  %loaded.18 = load <2 x double>, ptr addrspace(1) %at.21, align 16, !invariant.load !0
  %element.58 = extractelement <2 x double> %loaded.18, i32 0
  %element.59 = extractelement <2 x double> %loaded.18, i32 1
  %at.22 = getelementptr i8, ptr addrspace(1) %pointer0, i64 4192
  %loaded.19 = load <2 x double>, ptr addrspace(1) %at.22, align 16, !invariant.load !0
  %element.60 = extractelement <2 x double> %loaded.19, i32 0
  %element.61 = extractelement <2 x double> %loaded.19, i32 1
  %at.23 = getelementptr i8, ptr addrspace(1) %pointer0, i64 4208
  %loaded.20 = load <2 x double>, ptr addrspace(1) %at.23, align 16, !invariant.load !0
  %element.62 = extractelement <2 x double> %loaded.20, i32 0
  %element.63 = extractelement <2 x double> %loaded.20, i32 1
  %at.24 = getelementptr i8, ptr addrspace(1) %pointer1, i64 2048
  %loaded.21 = load <4 x float>, ptr addrspace(1) %at.24, align 16, !invariant.load !0
  %element.64 = extractelement <4 x float> %loaded.21, i32 0
  %element.65 = extractelement <4 x float> %loaded.21, i32 1
  %element.66 = extractelement <4 x float> %loaded.21, i32 2
  %element.67 = extractelement <4 x float> %loaded.21, i32 3
  %at.25 = getelementptr i8, ptr addrspace(1) %pointer1, i64 2064
  %loaded.22 = load <4 x float>, ptr addrspace(1) %at.25, align 16, !invariant.load !0
  %element.68 = extractelement <4 x float> %loaded.22, i32 0
  %element.69 = extractelement <4 x float> %loaded.22, i32 1
  %element.70 = extractelement <4 x float> %loaded.22, i32 2
  %element.71 = extractelement <4 x float> %loaded.22, i32 3
  %at.26 = getelementptr i8, ptr addrspace(1) %pointer1, i64 2080
  %loaded.23 = load <4 x float>, ptr addrspace(1) %at.26, align 16, !invariant.load !0
  %element.72 = extractelement <4 x float> %loaded.23, i32 0
  %element.73 = extractelement <4 x float> %loaded.23, i32 1
  %element.74 = extractelement <4 x float> %loaded.23, i32 2
  %element.75 = extractelement <4 x float> %loaded.23, i32 3
  %at.27 = getelementptr i8, ptr addrspace(1) %pointer1, i64 2096
  %loaded.24 = load <4 x float>, ptr addrspace(1) %at.27, align 16, !invariant.load !0
  %element.76 = extractelement <4 x float> %loaded.24, i32 0
  %element.77 = extractelement <4 x float> %loaded.24, i32 1
  %element.78 = extractelement <4 x float> %loaded.24, i32 2
  %element.79 = extractelement <4 x float> %loaded.24, i32 3
  %at.28 = getelementptr i8, ptr addrspace(1) %pointer2, i64 512
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
  %sum.16 = fadd double %sum, %element
  %product.16 = fmul float %product, %element.16
  %most.16 = call i8 @llvm.smax.i8(i8 %most, i8 %element.32)
  %sum.17 = fadd double %sum.1, %element.1
  %product.17 = fmul float %product.1, %element.17
  %most.17 = call i8 @llvm.smax.i8(i8 %most.1, i8 %element.33)
  %sum.18 = fadd double %sum.2, %element.2
  %product.18 = fmul float %product.2, %element.18
  %most.18 = call i8 @llvm.smax.i8(i8 %most.2, i8 %element.34)
  %sum.19 = fadd double %sum.3, %element.3
  %product.19 = fmul float %product.3, %element.19
  %most.19 = call i8 @llvm.smax.i8(i8 %most.3, i8 %element.35)
  %sum.20 = fadd double %sum.4, %element.4
  %product.20 = fmul float %product.4, %element.20
  %most.20 = call i8 @llvm.smax.i8(i8 %most.4, i8 %element.36)
  %sum.21 = fadd double %sum.5, %element.5
  %product.21 = fmul float %product.5, %element.21
  %most.21 = call i8 @llvm.smax.i8(i8 %most.5, i8 %element.37)
  %sum.22 = fadd double %sum.6, %element.6
  %product.22 = fmul float %product.6, %element.22
  %most.22 = call i8 @llvm.smax.i8(i8 %most.6, i8 %element.38)
  %sum.23 = fadd double %sum.7, %element.7
  %product.23 = fmul float %product.7, %element.23
  %most.23 = call i8 @llvm.smax.i8(i8 %most.7, i8 %element.39)
  %sum.24 = fadd double %sum.8, %element.8
  %product.24 = fmul float %product.8, %element.24
  %most.24 = call i8 @llvm.smax.i8(i8 %most.8, i8 %element.40)
  %sum.25 = fadd double %sum.9, %element.9
  %product.25 = fmul float %product.9, %element.25
  %most.25 = call i8 @llvm.smax.i8(i8 %most.9, i8 %element.41)
  %sum.26 = fadd double %sum.10, %element.10
  %product.26 = fmul float %product.10, %element.26
  %most.26 = call i8 @llvm.smax.i8(i8 %most.10, i8 %element.42)
  %sum.27 = fadd double %sum.11, %element.11
  %product.27 = fmul float %product.11, %element.27
  %most.27 = call i8 @llvm.smax.i8(i8 %most.11, i8 %element.43)
  %sum.28 = fadd double %sum.12, %element.12
  %product.28 = fmul float %product.12, %element.28
  %most.28 = call i8 @llvm.smax.i8(i8 %most.12, i8 %element.44)
  %sum.29 = fadd double %sum.13, %element.13
  %product.29 = fmul float %product.13, %element.29
  %most.29 = call i8 @llvm.smax.i8(i8 %most.13, i8 %element.45)
  %sum.30 = fadd double %sum.14, %element.14
  %product.30 = fmul float %product.14, %element.30
  %most.30 = call i8 @llvm.smax.i8(i8 %most.14, i8 %element.46)
  %sum.31 = fadd double %sum.15, %element.15
  %product.31 = fmul float %product.15, %element.31
  %most.31 = call i8 @llvm.smax.i8(i8 %most.15, i8 %element.47)
  %sum.32 = fadd double %sum.16, %element.48
  %product.32 = fmul float %product.16, %element.64
  %most.32 = call i8 @llvm.smax.i8(i8 %most.16, i8 %element.80)
  %sum.33 = fadd double %sum.17, %element.49
  %product.33 = fmul float %product.17, %element.65
  %most.33 = call i8 @llvm.smax.i8(i8 %most.17, i8 %element.81)
  %sum.34 = fadd double %sum.18, %element.50
  %product.34 = fmul float %product.18, %element.66
  %most.34 = call i8 @llvm.smax.i8(i8 %most.18, i8 %element.82)
  %sum.35 = fadd double %sum.19, %element.51
  %product.35 = fmul float %product.19, %element.67
  %most.35 = call i8 @llvm.smax.i8(i8 %most.19, i8 %element.83)
  %sum.36 = fadd double %sum.20, %element.52
  %product.36 = fmul float %product.20, %element.68
  %most.36 = call i8 @llvm.smax.i8(i8 %most.20, i8 %element.84)
  %sum.37 = fadd double %sum.21, %element.53
  %product.37 = fmul float %product.21, %element.69
  %most.37 = call i8 @llvm.smax.i8(i8 %most.21, i8 %element.85)
  %sum.38 = fadd double %sum.22, %element.54
  %product.38 = fmul float %product.22, %element.70
  %most.38 = call i8 @llvm.smax.i8(i8 %most.22, i8 %element.86)
  %sum.39 = fadd double %sum.23, %element.55
  %product.39 = fmul float %product.23, %element.71
  %most.39 = call i8 @llvm.smax.i8(i8 %most.23, i8 %element.87)
  %sum.40 = fadd double %sum.24, %element.56
  %product.40 = fmul float %product.24, %element.72
  %most.40 = call i8 @llvm.smax.i8(i8 %most.24, i8 %element.88)
  %sum.41 = fadd double %sum.25, %element.57
  %product.41 = fmul float %product.25, %element.73
  %most.41 = call i8 @llvm.smax.i8(i8 %most.25, i8 %element.89)
  %sum.42 = fadd double %sum.26, %element.58
  %product.42 = fmul float %product.26, %element.74
  %most.42 = call i8 @llvm.smax.i8(i8 %most.26, i8 %element.90)
  %sum.43 = fadd double %sum.27, %element.59
  %product.43 = fmul float %product.27, %element.75
  %most.43 = call i8 @llvm.smax.i8(i8 %most.27, i8 %element.91)
  %sum.44 = fadd double %sum.28, %element.60
  %product.44 = fmul float %product.28, %element.76
  %most.44 = call i8 @llvm.smax.i8(i8 %most.28, i8 %element.92)
  %sum.45 = fadd double %sum.29, %element.61
  %product.45 = fmul float %product.29, %element.77
  %most.45 = call i8 @llvm.smax.i8(i8 %most.29, i8 %element.93)
  %sum.46 = fadd double %sum.30, %element.62
  %product.46 = fmul float %product.30, %element.78
  %most.46 = call i8 @llvm.smax.i8(i8 %most.30, i8 %element.94)
  %sum.47 = fadd double %sum.31, %element.63
  %product.47 = fmul float %product.31, %element.79
  %most.47 = call i8 @llvm.smax.i8(i8 %most.31, i8 %element.95)
  %at.29 = getelementptr i8, ptr addrspace(1) %pointer0, i64 %stride
  %at.30 = getelementptr i8, ptr addrspace(1) %pointer1, i64 %stride.1
  %at.31 = getelementptr i8, ptr addrspace(1) %pointer2, i64 %stride.2
  %next = add i64 %counter, %step
  br label %wide.tiles, !llvm.loop !2

wide.tiles.end:
  %taken = sub i64 %counter, %step
  %first = add i64 %taken, %grid.thread
  %offset.3 = mul i64 %first, 128
  %at.32 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.3
  %stride.3 = mul i64 %grid.threads, 128
  %offset.4 = mul i64 %first, 64
  %at.33 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.4
  %stride.4 = mul i64 %grid.threads, 64
  %offset.5 = mul i64 %first, 16
  %at.34 = getelementptr i8, ptr addrspace(1) %array2, i64 %offset.5
  %stride.5 = mul i64 %grid.threads, 16
  br label %wide.rest

wide.rest:
  %counter.1 = phi i64 [ %first, %wide.tiles.end ], [ %next.1, %wide.rest.body ]
  %pointer0.1 = phi ptr addrspace(1) [ %at.32, %wide.tiles.end ], [ %at.48, %wide.rest.body ]
  %pointer1.1 = phi ptr addrspace(1) [ %at.33, %wide.tiles.end ], [ %at.49, %wide.rest.body ]
  %pointer2.1 = phi ptr addrspace(1) [ %at.34, %wide.tiles.end ], [ %at.50, %wide.rest.body ]
  %sum.48 = phi double [ %sum, %wide.tiles.end ], [ %sum.64, %wide.rest.body ]
  %sum.49 = phi double [ %sum.1, %wide.tiles.end ], [ %sum.65, %wide.rest.body ]
  %sum.50 = phi double [ %sum.2, %wide.tiles.end ], [ %sum.66, %wide.rest.body ]
  %sum.51 = phi double [ %sum.3, %wide.tiles.end ], [ %sum.67, %wide.rest.body ]
  %sum.52 = phi double [ %sum.4, %wide.tiles.end ], [ %sum.68, %wide.rest.body ]
  %sum.53 = phi double [ %sum.5, %wide.tiles.end ], [ %sum.69, %wide.rest.body ]
  %sum.54 = phi double [ %sum.6, %wide.tiles.end ], [ %sum.70, %wide.rest.body ]
  %sum.55 = phi double [ %sum.7, %wide.tiles.end ], [ %sum.71, %wide.rest.body ]
  %sum.56 = phi double [ %sum.8, %wide.tiles.end ], [ %sum.72, %wide.rest.body ]
  %sum.57 = phi double [ %sum.9, %wide.tiles.end ], [ %sum.73, %wide.rest.body ]
  %sum.58 = phi double [ %sum.10, %wide.tiles.end ], [ %sum.74, %wide.rest.body ]
  %sum.59 = phi double [ %sum.11, %wide.tiles.end ], [ %sum.75, %wide.rest.body ]
  %sum.60 = phi double [ %sum.12, %wide.tiles.end ], [ %sum.76, %wide.rest.body ]
  %sum.61 = phi double [ %sum.13, %wide.tiles.end ], [ %sum.77, %wide.rest.body ]
  %sum.62 = phi double [ %sum.14, %wide.tiles.end ], [ %sum.78, %wide.rest.body ]
  %sum.63 = phi double [ %sum.15, %wide.tiles.end ], [ %sum.79, %wide.rest.body ]
  %product.48 = phi float [ %product, %wide.tiles.end ], [ %product.64, %wide.rest.body ]
  %product.49 = phi float [ %product.1, %wide.tiles.end ], [ %product.65, %wide.rest.body ]
  %product.50 = phi float [ %product.2, %wide.tiles.end ], [ %product.66, %wide.rest.body ]
  %product.51 = phi float [ %product.3, %wide.tiles.end ], [ %product.67, %wide.rest.body ]
  %product.52 = phi float [ %product.4, %wide.tiles.end ], [ %product.68, %wide.rest.body ]
  %product.53 = phi float [ %product.5, %wide.tiles.end ], [ %product.69, %wide.rest.body ]
  %product.54 = phi float [ %product.6, %wide.tiles.end ], [ %product.70, %wide.rest.body ]
  %product.55 = phi float [ %product.7, %wide.tiles.end ], [ %product.71, %wide.rest.body ]
  %product.56 = phi float [ %product.8, %wide.tiles.end ], [ %product.72, %wide.rest.body ]
  %product.57 = phi float [ %product.9, %wide.tiles.end ], [ %product.73, %wide.rest.body ]
  %product.58 = phi float [ %product.10, %wide.tiles.end ], [ %product.74, %wide.rest.body ]
  %product.59 = phi float [ %product.11, %wide.tiles.end ], [ %product.75, %wide.rest.body ]
  %product.60 = phi float [ %product.12, %wide.tiles.end ], [ %product.76, %wide.rest.body ]
  %product.61 = phi float [ %product.13, %wide.tiles.end ], [ %product.77, %wide.rest.body ]
  %product.62 = phi float [ %product.14, %wide.tiles.end ], [ %product.78, %wide.rest.body ]
  %product.63 = phi float [ %product.15, %wide.tiles.end ], [ %product.79, %wide.rest.body ]
  %most.48 = phi i8 [ %most, %wide.tiles.end ], [ %most.64, %wide.rest.body ]
  %most.49 = phi i8 [ %most.1, %wide.tiles.end ], [ %most.65, %wide.rest.body ]
  %most.50 = phi i8 [ %most.2, %wide.tiles.end ], [ %most.66, %wide.rest.body ]
  %most.51 = phi i8 [ %most.3, %wide.tiles.end ], [ %most.67, %wide.rest.body ]
  %most.52 = phi i8 [ %most.4, %wide.tiles.end ], [ %most.68, %wide.rest.body ]
  %most.53 = phi i8 [ %most.5, %wide.tiles.end ], [ %most.69, %wide.rest.body ]
  %most.54 = phi i8 [ %most.6, %wide.tiles.end ], [ %most.70, %wide.rest.body ]
  %most.55 = phi i8 [ %most.7, %wide.tiles.end ], [ %most.71, %wide.rest.body ]
  %most.56 = phi i8 [ %most.8, %wide.tiles.end ], [ %most.72, %wide.rest.body ]
  %most.57 = phi i8 [ %most.9, %wide.tiles.end ], [ %most.73, %wide.rest.body ]
  %most.58 = phi i8 [ %most.10, %wide.tiles.end ], [ %most.74, %wide.rest.body ]
  %most.59 = phi i8 [ %most.11, %wide.tiles.end ], [ %most.75, %wide.rest.body ]
  %most.60 = phi i8 [ %most.12, %wide.tiles.end ], [ %most.76, %wide.rest.body ]
  %most.61 = phi i8 [ %most.13, %wide.tiles.end ], [ %most.77, %wide.rest.body ]
  %most.62 = phi i8 [ %most.14, %wide.tiles.end ], [ %most.78, %wide.rest.body ]
  %most.63 = phi i8 [ %most.15, %wide.tiles.end ], [ %most.79, %wide.rest.body ]
  %goes.on.1 = icmp ult i64 %counter.1, %groups
  br i1 %goes.on.1, label %wide.rest.body, label %wide.rest.end

wide.rest.body:
  %at.35 = getelementptr i8, ptr addrspace(1) %pointer0.1, i64 0
  %loaded.26 = load <2 x double>, ptr addrspace(1) %at.35, align 16, !invariant.load !0
  %element.96 = extractelement <2 x double> %loaded.26, i32 0
  %element.97 = extractelement <2 x double> %loaded.26, i32 1
  %at.36 = getelementptr i8, ptr addrspace(1) %pointer0.1, i64 16
  %loaded.27 = load <2 x double>, ptr addrspace(1) %at.36, align 16, !invariant.load !0
  %element.98 = extractelement <2 x double> %loaded.27, i32 0
  %element.99 = extractelement <2 x double> %loaded.27, i32 1
  %at.37 = getelementptr i8, ptr addrspace(1) %pointer0.1, i64 32
  %loaded.28 = load <2 x double>, ptr addrspace(1) %at.37, align 16, !invariant.load !0
  %element.100 = extractelement <2 x double> %loaded.28, i32 0
  %element.101 = extractelement <2 x double> %loaded.28, i32 1
  %at.38 = getelementptr i8, ptr addrspace(1) %pointer0.1, i64 48
  %loaded.29 = load <2 x double>, ptr addrspace(1) %at.38, align 16, !invariant.load !0
  %element.102 = extractelement <2 x double> %loaded.29, i32 0
  %element.103 = extractelement <2 x double> %loaded.29, i32 1
  %at.39 = getelementptr i8, ptr addrspace(1) %pointer0.1, i64 64
  %loaded.30 = load <2 x double>, ptr addrspace(1) %at.39, align 16, !invariant.load !0
  %element.104 = extractelement <2 x double> %loaded.30, i32 0
  %element.105 = extractelement <2 x double> %loaded.30, i32 1
  %at.40 = getelementptr i8, ptr addrspace(1) %pointer0.1, i64 80
  %loaded.31 = load <2 x double>, ptr addrspace(1) %at.40, align 16, !invariant.load !0
  %element.106 = extractelement <2 x double> %loaded.31, i32 0
  %element.107 = extractelement <2 x double> %loaded.31, i32 1
  %at.41 = getelementptr i8, ptr addrspace(1) %pointer0.1, i64 96
  %loaded.32 = load <2 x double>, ptr addrspace(1) %at.41, align 16, !invariant.load !0
  %element.108 = extractelement <2 x double> %loaded.32, i32 0
  %element.109 = extractelement <2 x double> %loaded.32, i32 1
  %at.42 = getelementptr i8, ptr addrspace(1) %pointer0.1, i64 112
  %loaded.33 = load <2 x double>, ptr addrspace(1) %at.42, align 16, !invariant.load !0
  %element.110 = extractelement <2 x double> %loaded.33, i32 0
  %element.111 = extractelement <2 x double> %loaded.33, i32 1
  %at.43 = getelementptr i8, ptr addrspace(1) %pointer1.1, i64 0
  %loaded.34 = load <4 x float>, ptr addrspace(1) %at.43, align 16, !invariant.load !0
  %element.112 = extractelement <4 x float> %loaded.34, i32 0
  %element.113 = extractelement <4 x float> %loaded.34, i32 1
  %element.114 = extractelement <4 x float> %loaded.34, i32 2
  %element.115 = extractelement <4 x float> %loaded.34, i32 3
  %at.44 = getelementptr i8, ptr addrspace(1) %pointer1.1, i64 16
  %loaded.35 = load <4 x float>, ptr addrspace(1) %at.44, align 16, !invariant.load !0
  %element.116 = extractelement <4 x float> %loaded.35, i32 0
  %element.117 = extractelement <4 x float> %loaded.35, i32 1
  %element.118 = extractelement <4 x float> %loaded.35, i32 2
  %element.119 = extractelement <4 x float> %loaded.35, i32 3
  %at.45 = getelementptr i8, ptr addrspace(1) %pointer1.1, i64 32
  %loaded.36 = load <4 x float>, ptr addrspace(1) %at.45, align 16, !invariant.load !0
  %element.120 = extractelement <4 x float> %loaded.36, i32 0
  %element.121 = extractelement <4 x float> %loaded.36, i32 1
  %element.122 = extractelement <4 x float> %loaded.36, i32 2
  %element.123 = extractelement <4 x float> %loaded.36, i32 3
  %at.46 = getelementptr i8, ptr addrspace(1) %pointer1.1, i64 48
  %loaded.37 = load <4 x float>, ptr addrspace(1) %at.46, align 16, !invariant.load !0
  %element.124 = extractelement <4 x float> %loaded.37, i32 0
  %element.125 = extractelement <4 x float> %loaded.37, i32 1
  %element.126 = extractelement <4 x float> %loaded.37, i32 2
  %element.127 = extractelement <4 x float> %loaded.37, i32 3
  %at.47 = getelementptr i8, ptr addrspace(1) %pointer2.1, i64 0
  %loaded.38 = load <16 x i8>, ptr addrspace(1) %at.47, align 16, !invariant.load !0
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
  %sum.64 = fadd double %sum.48, %element.96
  %product.64 = fmul float %product.48, %element.112
  %most.64 = call i8 @llvm.smax.i8(i8 %most.48, i8 %element.128)
  %sum.65 = fadd double %sum.49, %element.97
  %product.65 = fmul float %product.49, %element.113
  %most.65 = call i8 @llvm.smax.i8(i8 %most.49, i8 %element.129)
  %sum.66 = fadd double %sum.50, %element.98
  %product.66 = fmul float %product.50, %element.114
  %most.66 = call i8 @llvm.smax.i8(i8 %most.50, i8 %element.130)
  %sum.67 = fadd double %sum.51, %element.99
  %product.67 = fmul float %product.51, %element.115
  %most.67 = call i8 @llvm.smax.i8(i8 %most.51, i8 %element.131)
  %sum.68 = fadd double %sum.52, %element.100
  %product.68 = fmul float %product.52, %element.116
  %most.68 = call i8 @llvm.smax.i8(i8 %most.52, i8 %element.132)
  %sum.69 = fadd double %sum.53, %element.101
  %product.69 = fmul float %product.53, %element.117
  %most.69 = call i8 @llvm.smax.i8(i8 %most.53, i8 %element.133)
  %sum.70 = fadd double %sum.54, %element.102
  %product.70 = fmul float %product.54, %element.118
  %most.70 = call i8 @llvm.smax.i8(i8 %most.54, i8 %element.134)
  %sum.71 = fadd double %sum.55, %element.103
  %product.71 = fmul float %product.55, %element.119
  %most.71 = call i8 @llvm.smax.i8(i8 %most.55, i8 %element.135)
  %sum.72 = fadd double %sum.56, %element.104
  %product.72 = fmul float %product.56, %element.120
  %most.72 = call i8 @llvm.smax.i8(i8 %most.56, i8 %element.136)
  %sum.73 = fadd double %sum.57, %element.105
  %product.73 = fmul float %product.57, %element.121
  %most.73 = call i8 @llvm.smax.i8(i8 %most.57, i8 %element.137)
  %sum.74 = fadd double %sum.58, %element.106
  %product.74 = fmul float %product.58, %element.122
  %most.74 = call i8 @llvm.smax.i8(i8 %most.58, i8 %element.138)
  %sum.75 = fadd double %sum.59, %element.107
  %product.75 = fmul float %product.59, %element.123
  %most.75 = call i8 @llvm.smax.i8(i8 %most.59, i8 %element.139)
  %sum.76 = fadd double %sum.60, %element.108
  %product.76 = fmul float %product.60, %element.124
  %most.76 = call i8 @llvm.smax.i8(i8 %most.60, i8 %element.140)
  %sum.77 = fadd double %sum.61, %element.109
  %product.77 = fmul float %product.61, %element.125
  %most.77 = call i8 @llvm.smax.i8(i8 %most.61, i8 %element.141)
  %sum.78 = fadd double %sum.62, %element.110
  %product.78 = fmul float %product.62, %element.126
  %most.78 = call i8 @llvm.smax.i8(i8 %most.62, i8 %element.142)
  %sum.79 = fadd double %sum.63, %element.111
  %product.79 = fmul float %product.63, %element.127
  %most.79 = call i8 @llvm.smax.i8(i8 %most.63, i8 %element.143)
  %at.48 = getelementptr i8, ptr addrspace(1) %pointer0.1, i64 %stride.3
  %at.49 = getelementptr i8, ptr addrspace(1) %pointer1.1, i64 %stride.4
  %at.50 = getelementptr i8, ptr addrspace(1) %pointer2.1, i64 %stride.5
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
  %offset.6 = mul i64 %in.tile.1, 128
  %at.51 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.6
  %stride.6 = mul i64 %step.1, 128
  %offset.7 = mul i64 %in.tile.1, 64
  %at.52 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.7
  %stride.7 = mul i64 %step.1, 64
  %offset.8 = mul i64 %in.tile.1, 16
  %at.53 = getelementptr i8, ptr addrspace(1) %array2, i64 %offset.8
  %stride.8 = mul i64 %step.1, 16
  br label %narrow.tiles

narrow.tiles:
  %counter.2 = phi i64 [ %step.1, %unaligned ], [ %next.2, %narrow.tiles.body ]
  %pointer0.2 = phi ptr addrspace(1) [ %at.51, %unaligned ], [ %at.150, %narrow.tiles.body ]
  %pointer1.2 = phi ptr addrspace(1) [ %at.52, %unaligned ], [ %at.151, %narrow.tiles.body ]
  %pointer2.2 = phi ptr addrspace(1) [ %at.53, %unaligned ], [ %at.152, %narrow.tiles.body ]
  %sum.80 = phi double [ -0.0, %unaligned ], [ %sum.112, %narrow.tiles.body ]
  %sum.81 = phi double [ -0.0, %unaligned ], [ %sum.113, %narrow.tiles.body ]
  %sum.82 = phi double [ -0.0, %unaligned ], [ %sum.114, %narrow.tiles.body ]
  %sum.83 = phi double [ -0.0, %unaligned ], [ %sum.115, %narrow.tiles.body ]
  %sum.84 = phi double [ -0.0, %unaligned ], [ %sum.116, %narrow.tiles.body ]
  %sum.85 = phi double [ -0.0, %unaligned ], [ %sum.117, %narrow.tiles.body ]
  %sum.86 = phi double [ -0.0, %unaligned ], [ %sum.118, %narrow.tiles.body ]
  %sum.87 = phi double [ -0.0, %unaligned ], [ %sum.119, %narrow.tiles.body ]
  %sum.88 = phi double [ -0.0, %unaligned ], [ %sum.120, %narrow.tiles.body ]
  %sum.89 = phi double [ -0.0, %unaligned ], [ %sum.121, %narrow.tiles.body ]
  %sum.90 = phi double [ -0.0, %unaligned ], [ %sum.122, %narrow.tiles.body ]
  %sum.91 = phi double [ -0.0, %unaligned ], [ %sum.123, %narrow.tiles.body ]
  %sum.92 = phi double [ -0.0, %unaligned ], [ %sum.124, %narrow.tiles.body ]
  %sum.93 = phi double [ -0.0, %unaligned ], [ %sum.125, %narrow.tiles.body ]
  %sum.94 = phi double [ -0.0, %unaligned ], [ %sum.126, %narrow.tiles.body ]
  %sum.95 = phi double [ -0.0, %unaligned ], [ %sum.127, %narrow.tiles.body ]
  %product.80 = phi float [ 1.0, %unaligned ], [ %product.112, %narrow.tiles.body ]
  %product.81 = phi float [ 1.0, %unaligned ], [ %product.113, %narrow.tiles.body ]
  %product.82 = phi float [ 1.0, %unaligned ], [ %product.114, %narrow.tiles.body ]
  %product.83 = phi float [ 1.0, %unaligned ], [ %product.115, %narrow.tiles.body ]
  %product.84 = phi float [ 1.0, %unaligned ], [ %product.116, %narrow.tiles.body ]
  %product.85 = phi float [ 1.0, %unaligned ], [ %product.117, %narrow.tiles.body ]
  %product.86 = phi float [ 1.0, %unaligned ], [ %product.118, %narrow.tiles.body ]
  %product.87 = phi float [ 1.0, %unaligned ], [ %product.119, %narrow.tiles.body ]
  %product.88 = phi float [ 1.0, %unaligned ], [ %product.120, %narrow.tiles.body ]
  %product.89 = phi float [ 1.0, %unaligned ], [ %product.121, %narrow.tiles.body ]
  %product.90 = phi float [ 1.0, %unaligned ], [ %product.122, %narrow.tiles.body ]
  %product.91 = phi float [ 1.0, %unaligned ], [ %product.123, %narrow.tiles.body ]
  %product.92 = phi float [ 1.0, %unaligned ], [ %product.124, %narrow.tiles.body ]
  %product.93 = phi float [ 1.0, %unaligned ], [ %product.125, %narrow.tiles.body ]
  %product.94 = phi float [ 1.0, %unaligned ], [ %product.126, %narrow.tiles.body ]
  %product.95 = phi float [ 1.0, %unaligned ], [ %product.127, %narrow.tiles.body ]
  %most.80 = phi i8 [ -128, %unaligned ], [ %most.112, %narrow.tiles.body ]
  %most.81 = phi i8 [ -128, %unaligned ], [ %most.113, %narrow.tiles.body ]
  %most.82 = phi i8 [ -128, %unaligned ], [ %most.114, %narrow.tiles.body ]
  %most.83 = phi i8 [ -128, %unaligned ], [ %most.115, %narrow.tiles.body ]
  %most.84 = phi i8 [ -128, %unaligned ], [ %most.116, %narrow.tiles.body ]
  %most.85 = phi i8 [ -128, %unaligned ], [ %most.117, %narrow.tiles.body ]
  %most.86 = phi i8 [ -128, %unaligned ], [ %most.118, %narrow.tiles.body ]
  %most.87 = phi i8 [ -128, %unaligned ], [ %most.119, %narrow.tiles.body ]
  %most.88 = phi i8 [ -128, %unaligned ], [ %most.120, %narrow.tiles.body ]
  %most.89 = phi i8 [ -128, %unaligned ], [ %most.121, %narrow.tiles.body ]
  %most.90 = phi i8 [ -128, %unaligned ], [ %most.122, %narrow.tiles.body ]
  %most.91 = phi i8 [ -128, %unaligned ], [ %most.123, %narrow.tiles.body ]
  %most.92 = phi i8 [ -128, %unaligned ], [ %most.124, %narrow.tiles.body ]
  %most.93 = phi i8 [ -128, %unaligned ], [ %most.125, %narrow.tiles.body ]
  %most.94 = phi i8 [ -128, %unaligned ], [ %most.126, %narrow.tiles.body ]
  %most.95 = phi i8 [ -128, %unaligned ], [ %most.127, %narrow.tiles.body ]
  %goes.on.2 = icmp ult i64 %counter.2, %limit.1
  br i1 %goes.on.2, label %narrow.tiles.body, label %narrow.tiles.end

narrow.tiles.body:
  %at.54 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 0
  %element.144 = load double, ptr addrspace(1) %at.54, align 8, !invariant.load !0
  %at.55 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 8
  %element.145 = load double, ptr addrspace(1) %at.55, align 8, !invariant.load !0
  %at.56 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 16
  %element.146 = load double, ptr addrspace(1) %at.56, align 8, !invariant.load !0
  %at.57 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 24
  %element.147 = load double, ptr addrspace(1) %at.57, align 8, !invariant.load !0
  %at.58 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 32
  %element.148 = load double, ptr addrspace(1) %at.58, align 8, !invariant.load !0
  %at.59 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 40
  %element.149 = load double, ptr addrspace(1) %at.59, align 8, !invariant.load !0
  %at.60 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 48
  %element.150 = load double, ptr addrspace(1) %at.60, align 8, !invariant.load !0
  %at.61 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 56
  %element.151 = load double, ptr addrspace(1) %at.61, align 8, !invariant.load !0
  %at.62 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 64
  %element.152 = load double, ptr addrspace(1) %at.62, align 8, !invariant.load !0
  %at.63 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 72
  %element.153 = load double, ptr addrspace(1) %at.63, align 8, !invariant.load !0
  %at.64 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 80
  %element.154 = load double, ptr addrspace(1) %at.64, align 8, !invariant.load !0
  %at.65 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 88
  %element.155 = load double, ptr addrspace(1) %at.65, align 8, !invariant.load !0
  %at.66 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 96
  %element.156 = load double, ptr addrspace(1) %at.66, align 8, !invariant.load !0
  %at.67 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 104
  %element.157 = load double, ptr addrspace(1) %at.67, align 8, !invariant.load !0
  %at.68 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 112
  %element.158 = load double, ptr addrspace(1) %at.68, align 8, !invariant.load !0
  %at.69 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 120
  %element.159 = load double, ptr addrspace(1) %at.69, align 8, !invariant.load !0
  %at.70 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 0
  %element.160 = load float, ptr addrspace(1) %at.70, align 4, !invariant.load !0
  %at.71 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 4
  %element.161 = load float, ptr addrspace(1) %at.71, align 4, !invariant.load !0
  %at.72 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 8
  %element.162 = load float, ptr addrspace(1) %at.72, align 4, !invariant.load !0
  %at.73 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 12
  %element.163 = load float, ptr addrspace(1) %at.73, align 4, !invariant.load !0
  %at.74 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 16
  %element.164 = load float, ptr addrspace(1) %at.74, align 4, !invariant.load !0
  %at.75 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 20
  %element.165 = load float, ptr addrspace(1) %at.75, align 4, !invariant.load !0
  %at.76 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 24
  %element.166 = load float, ptr addrspace(1) %at.76, align 4, !invariant.load !0
  %at.77 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 28
  %element.167 = load float, ptr addrspace(1) %at.77, align 4, !invariant.load !0
  %at.78 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 32
  %element.168 = load float, ptr addrspace(1) %at.78, align 4, !invariant.load !0
  %at.79 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 36
  %element.169 = load float, ptr addrspace(1) %at.79, align 4, !invariant.load !0
  %at.80 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 40
  %element.170 = load float, ptr addrspace(1) %at.80, align 4, !invariant.load !0
  %at.81 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 44
  %element.171 = load float, ptr addrspace(1) %at.81, align 4, !invariant.load !0
  %at.82 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 48
  %element.172 = load float, ptr addrspace(1) %at.82, align 4, !invariant.load !0
  %at.83 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 52
  %element.173 = load float, ptr addrspace(1) %at.83, align 4, !invariant.load !0
  %at.84 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 56
  %element.174 = load float, ptr addrspace(1) %at.84, align 4, !invariant.load !0
  %at.85 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 60
  %element.175 = load float, ptr addrspace(1) %at.85, align 4, !invariant.load !0
  %at.86 = getelementptr i8, ptr addrspace(1) %pointer2.2, i64 0
  %element.176 = load i8, ptr addrspace(1) %at.86, align 1, !invariant.load !0
  %at.87 = getelementptr i8, ptr addrspace(1) %pointer2.2, i64 1
  %element.177 = load i8, ptr addrspace(1) %at.87, align 1, !invariant.load !0
  %at.88 = getelementptr i8, ptr addrspace(1) %pointer2.2, i64 2
  %element.178 = load i8, ptr addrspace(1) %at.88, align 1, !invariant.load !0
  %at.89 = getelementptr i8, ptr addrspace(1) %pointer2.2, i64 3
  %element.179 = load i8, ptr addrspace(1) %at.89, align 1, !invariant.load !0
  %at.90 = getelementptr i8, ptr addrspace(1) %pointer2.2, i64 4
  %element.180 = load i8, ptr addrspace(1) %at.90, align 1, !invariant.load !0
  %at.91 = getelementptr i8, ptr addrspace(1) %pointer2.2, i64 5
  %element.181 = load i8, ptr addrspace(1) %at.91, align 1, !invariant.load !0
  %at.92 = getelementptr i8, ptr addrspace(1) %pointer2.2, i64 6
  %element.182 = load i8, ptr addrspace(1) %at.92, align 1, !invariant.load !0
  %at.93 = getelementptr i8, ptr addrspace(1) %pointer2.2, i64 7
  %element.183 = load i8, ptr addrspace(1) %at.93, align 1, !invariant.load !0
  %at.94 = getelementptr i8, ptr addrspace(1) %pointer2.2, i64 8
  %element.184 = load i8, ptr addrspace(1) %at.94, align 1, !invariant.load !0
  %at.95 = getelementptr i8, ptr addrspace(1) %pointer2.2, i64 9
  %element.185 = load i8, ptr addrspace(1) %at.95, align 1, !invariant.load !0
  %at.96 = getelementptr i8, ptr addrspace(1) %pointer2.2, i64 10
  %element.186 = load i8, ptr addrspace(1) %at.96, align 1, !invariant.load !0
  %at.97 = getelementptr i8, ptr addrspace(1) %pointer2.2, i64 11
  %element.187 = load i8, ptr addrspace(1) %at.97, align 1, !invariant.load !0
  %at.98 = getelementptr i8, ptr addrspace(1) %pointer2.2, i64 12
  %element.188 = load i8, ptr addrspace(1) %at.98, align 1, !invariant.load !0
  %at.99 = getelementptr i8, ptr addrspace(1) %pointer2.2, i64 13
  %element.189 = load i8, ptr addrspace(1) %at.99, align 1, !invariant.load !0
  %at.100 = getelementptr i8, ptr addrspace(1) %pointer2.2, i64 14
  %element.190 = load i8, ptr addrspace(1) %at.100, align 1, !invariant.load !0
  %at.101 = getelementptr i8, ptr addrspace(1) %pointer2.2, i64 15
  %element.191 = load i8, ptr addrspace(1) %at.101, align 1, !invariant.load !0
  %at.102 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 4096
  %element.192 = load double, ptr addrspace(1) %at.102, align 8, !invariant.load !0
  %at.103 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 4104
  %element.193 = load double, ptr addrspace(1) %at.103, align 8, !invariant.load !0
  %at.104 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 4112
  %element.194 = load double, ptr addrspace(1) %at.104, align 8, !invariant.load !0
  %at.105 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 4120
  %element.195 = load double, ptr addrspace(1) %at.105, align 8, !invariant.load !0
  %at.106 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 4128
  %element.196 = load double, ptr addrspace(1) %at.106, align 8, !invariant.load !0
  %at.107 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 4136
  %element.197 = load double, ptr addrspace(1) %at.107, align 8, !invariant.load !0
  %at.108 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 4144
  %element.198 = load double, ptr addrspace(1) %at.108, align 8, !invariant.load !0
  %at.109 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 4152
  %element.199 = load double, ptr addrspace(1) %at.109, align 8, !invariant.load !0
  %at.110 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 4160
  %element.200 = load double, ptr addrspace(1) %at.110, align 8, !invariant.load !0
  %at.111 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 4168
  %element.201 = load double, ptr addrspace(1) %at.111, align 8, !invariant.load !0
  %at.112 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 4176
  %element.202 = load double, ptr addrspace(1) %at.112, align 8, !invariant.load !0
  %at.113 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 4184
  %element.203 = load double, ptr addrspace(1) %at.113, align 8, !invariant.load !0
  %at.114 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 4192
  %element.204 = load double, ptr addrspace(1) %at.114, align 8, !invariant.load !0
  %at.115 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 4200
  %element.205 = load double, ptr addrspace(1) %at.115, align 8, !invariant.load !0
  %at.116 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 4208
  %element.206 = load double, ptr addrspace(1) %at.116, align 8, !invariant.load !0
  %at.117 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 4216
  %element.207 = load double, ptr addrspace(1) %at.117, align 8, !invariant.load !0
  %at.118 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 2048
  %element.208 = load float, ptr addrspace(1) %at.118, align 4, !invariant.load !0
  %at.119 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 2052
  %element.209 = load float, ptr addrspace(1) %at.119, align 4, !invariant.load !0
  %at.120 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 2056
  %element.210 = load float, ptr addrspace(1) %at.120, align 4, !invariant.load !0
  %at.121 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 2060
  %element.211 = load float, ptr addrspace(1) %at.121, align 4, !invariant.load !0
  %at.122 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 2064
  %element.212 = load float, ptr addrspace(1) %at.122, align 4, !invariant.load !0
  %at.123 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 2068
  %element.213 = load float, ptr addrspace(1) %at.123, align 4, !invariant.load !0
  %at.124 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 2072
  %element.214 = load float, ptr addrspace(1) %at.124, align 4, !invariant.load !0
  %at.125 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 2076
  %element.215 = load float, ptr addrspace(1) %at.125, align 4, !invariant.load !0
  %at.126 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 2080
  %element.216 = load float, ptr addrspace(1) %at.126, align 4, !invariant.load !0
  %at.127 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 2084
  %element.217 = load float, ptr addrspace(1) %at.127, align 4, !invariant.load !0
  %at.128 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 2088
  %element.218 = load float, ptr addrspace(1) %at.128, align 4, !invariant.load !0
  %at.129 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 2092
  %element.219 = load float, ptr addrspace(1) %at.129, align 4, !invariant.load !0
  %at.130 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 2096
  %element.220 = load float, ptr addrspace(1) %at.130, align 4, !invariant.load !0
  %at.131 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 2100
  %element.221 = load float, ptr addrspace(1) %at.131, align 4, !invariant.load !0
  %at.132 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 2104
  %element.222 = load float, ptr addrspace(1) %at.132, align 4, !invariant.load !0
  %at.133 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 2108
  %element.223 = load float, ptr addrspace(1) %at.133, align 4, !invariant.load !0
  %at.134 = getelementptr i8, ptr addrspace(1) %pointer2.2, i64 512
  %element.224 = load i8, ptr addrspace(1) %at.134, align 1, !invariant.load !0
  %at.135 = getelementptr i8, ptr addrspace(1) %pointer2.2, i64 513
  %element.225 = load i8, ptr addrspace(1) %at.135, align 1, !invariant.load !0
  %at.136 = getelementptr i8, ptr addrspace(1) %pointer2.2, i64 514
  %element.226 = load i8, ptr addrspace(1) %at.136, align 1, !invariant.load !0
  %at.137 = getelementptr i8, ptr addrspace(1) %pointer2.2, i64 515
  %element.227 = load i8, ptr addrspace(1) %at.137, align 1, !invariant.load !0
  %at.138 = getelementptr i8, ptr addrspace(1) %pointer2.2, i64 516
  %element.228 = load i8, ptr addrspace(1) %at.138, align 1, !invariant.load !0
  %at.139 = getelementptr i8, ptr addrspace(1) %pointer2.2, i64 517
  %element.229 = load i8, ptr addrspace(1) %at.139, align 1, !invariant.load !0
  %at.140 = getelementptr i8, ptr addrspace(1) %pointer2.2, i64 518
  %element.230 = load i8, ptr addrspace(1) %at.140, align 1, !invariant.load !0
  %at.141 = getelementptr i8, ptr addrspace(1) %pointer2.2, i64 519
  %element.231 = load i8, ptr addrspace(1) %at.141, align 1, !invariant.load !0
  %at.142 = getelementptr i8, ptr addrspace(1) %pointer2.2, i64 520
  %element.232 = load i8, ptr addrspace(1) %at.142, align 1, !invariant.load !0
  %at.143 = getelementptr i8, ptr addrspace(1) %pointer2.2, i64 521
  %element.233 = load i8, ptr addrspace(1) %at.143, align 1, !invariant.load !0
  %at.144 = getelementptr i8, ptr addrspace(1) %pointer2.2, i64 522
  %element.234 = load i8, ptr addrspace(1) %at.144, align 1, !invariant.load !0
  %at.145 = getelementptr i8, ptr addrspace(1) %pointer2.2, i64 523
  %element.235 = load i8, ptr addrspace(1) %at.145, align 1, !invariant.load !0
  %at.146 = getelementptr i8, ptr addrspace(1) %pointer2.2, i64 524
  %element.236 = load i8, ptr addrspace(1) %at.146, align 1, !invariant.load !0
  %at.147 = getelementptr i8, ptr addrspace(1) %pointer2.2, i64 525
  %element.237 = load i8, ptr addrspace(1) %at.147, align 1, !invariant.load !0
  %at.148 = getelementptr i8, ptr addrspace(1) %pointer2.2, i64 526
  %element.238 = load i8, ptr addrspace(1) %at.148, align 1, !invariant.load !0
  %at.149 = getelementptr i8, ptr addrspace(1) %pointer2.2, i64 527
  %element.239 = load i8, ptr addrspace(1) %at.149, align 1, !invariant.load !0
  %sum.96 = fadd double %sum.80, %element.144
  %product.96 = fmul float %product.80, %element.160
  %most.96 = call i8 @llvm.smax.i8(i8 %most.80, i8 %element.176)
  %sum.97 = fadd double %sum.81, %element.145
  %product.97 = fmul float %product.81, %element.161
  %most.97 = call i8 @llvm.smax.i8(i8 %most.81, i8 %element.177)
  %sum.98 = fadd double %sum.82, %element.146
  %product.98 = fmul float %product.82, %element.162
  %most.98 = call i8 @llvm.smax.i8(i8 %most.82, i8 %element.178)
  %sum.99 = fadd double %sum.83, %element.147
  %product.99 = fmul float %product.83, %element.163
  %most.99 = call i8 @llvm.smax.i8(i8 %most.83, i8 %element.179)
  %sum.100 = fadd double %sum.84, %element.148
  %product.100 = fmul float %product.84, %element.164
  %most.100 = call i8 @llvm.smax.i8(i8 %most.84, i8 %element.180)
  %sum.101 = fadd double %sum.85, %element.149
  %product.101 = fmul float %product.85, %element.165
  %most.101 = call i8 @llvm.smax.i8(i8 %most.85, i8 %element.181)
  %sum.102 = fadd double %sum.86, %element.150
  %product.102 = fmul float %product.86, %element.166
  %most.102 = call i8 @llvm.smax.i8(i8 %most.86, i8 %element.182)
  %sum.103 = fadd double %sum.87, %element.151
  %product.103 = fmul float %product.87, %element.167
  %most.103 = call i8 @llvm.smax.i8(i8 %most.87, i8 %element.183)
  %sum.104 = fadd double %sum.88, %element.152
  %product.104 = fmul float %product.88, %element.168
  %most.104 = call i8 @llvm.smax.i8(i8 %most.88, i8 %element.184)
  %sum.105 = fadd double %sum.89, %element.153
  %product.105 = fmul float %product.89, %element.169
  %most.105 = call i8 @llvm.smax.i8(i8 %most.89, i8 %element.185)
  %sum.106 = fadd double %sum.90, %element.154
  %product.106 = fmul float %product.90, %element.170
  %most.106 = call i8 @llvm.smax.i8(i8 %most.90, i8 %element.186)
  %sum.107 = fadd double %sum.91, %element.155
  %product.107 = fmul float %product.91, %element.171
  %most.107 = call i8 @llvm.smax.i8(i8 %most.91, i8 %element.187)
  %sum.108 = fadd double %sum.92, %element.156
  %product.108 = fmul float %product.92, %element.172
  %most.108 = call i8 @llvm.smax.i8(i8 %most.92, i8 %element.188)
  %sum.109 = fadd double %sum.93, %element.157
  %product.109 = fmul float %product.93, %element.173
  %most.109 = call i8 @llvm.smax.i8(i8 %most.93, i8 %element.189)
  %sum.110 = fadd double %sum.94, %element.158
  %product.110 = fmul float %product.94, %element.174
  %most.110 = call i8 @llvm.smax.i8(i8 %most.94, i8 %element.190)
  %sum.111 = fadd double %sum.95, %element.159
  %product.111 = fmul float %product.95, %element.175
  %most.111 = call i8 @llvm.smax.i8(i8 %most.95, i8 %element.191)
  %sum.112 = fadd double %sum.96, %element.192
  %product.112 = fmul float %product.96, %element.208
  %most.112 = call i8 @llvm.smax.i8(i8 %most.96, i8 %element.224)
  %sum.113 = fadd double %sum.97, %element.193
  %product.113 = fmul float %product.97, %element.209
  %most.113 = call i8 @llvm.smax.i8(i8 %most.97, i8 %element.225)
  %sum.114 = fadd double %sum.98, %element.194
  %product.114 = fmul float %product.98, %element.210
  %most.114 = call i8 @llvm.smax.i8(i8 %most.98, i8 %element.226)
  %sum.115 = fadd double %sum.99, %element.195
  %product.115 = fmul float %product.99, %element.211
  %most.115 = call i8 @llvm.smax.i8(i8 %most.99, i8 %element.227)
  %sum.116 = fadd double %sum.100, %element.196
  %product.116 = fmul float %product.100, %element.212
  %most.116 = call i8 @llvm.smax.i8(i8 %most.100, i8 %element.228)
  %sum.117 = fadd double %sum.101, %element.197
  %product.117 = fmul float %product.101, %element.213
  %most.117 = call i8 @llvm.smax.i8(i8 %most.101, i8 %element.229)
  %sum.118 = fadd double %sum.102, %element.198
  %product.118 = fmul float %product.102, %element.214
  %most.118 = call i8 @llvm.smax.i8(i8 %most.102, i8 %element.230)
  %sum.119 = fadd double %sum.103, %element.199
  %product.119 = fmul float %product.103, %element.215
  %most.119 = call i8 @llvm.smax.i8(i8 %most.103, i8 %element.231)
  %sum.120 = fadd double %sum.104, %element.200
  %product.120 = fmul float %product.104, %element.216
  %most.120 = call i8 @llvm.smax.i8(i8 %most.104, i8 %element.232)
  %sum.121 = fadd double %sum.105, %element.201
  %product.121 = fmul float %product.105, %element.217
  %most.121 = call i8 @llvm.smax.i8(i8 %most.105, i8 %element.233)
  %sum.122 = fadd double %sum.106, %element.202
  %product.122 = fmul float %product.106, %element.218
  %most.122 = call i8 @llvm.smax.i8(i8 %most.106, i8 %element.234)
  %sum.123 = fadd double %sum.107, %element.203
  %product.123 = fmul float %product.107, %element.219
  %most.123 = call i8 @llvm.smax.i8(i8 %most.107, i8 %element.235)
  %sum.124 = fadd double %sum.108, %element.204
  %product.124 = fmul float %product.108, %element.220
  %most.124 = call i8 @llvm.smax.i8(i8 %most.108, i8 %element.236)
  %sum.125 = fadd double %sum.109, %element.205
  %product.125 = fmul float %product.109, %element.221
  %most.125 = call i8 @llvm.smax.i8(i8 %most.109, i8 %element.237)
  %sum.126 = fadd double %sum.110, %element.206
  %product.126 = fmul float %product.110, %element.222
  %most.126 = call i8 @llvm.smax.i8(i8 %most.110, i8 %element.238)
  %sum.127 = fadd double %sum.111, %element.207
  %product.127 = fmul float %product.111, %element.223
  %most.127 = call i8 @llvm.smax.i8(i8 %most.111, i8 %element.239)
  %at.150 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 %stride.6
  %at.151 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 %stride.7
  %at.152 = getelementptr i8, ptr addrspace(1) %pointer2.2, i64 %stride.8
  %next.2 = add i64 %counter.2, %step.1
  br label %narrow.tiles, !llvm.loop !6

narrow.tiles.end:
  %taken.1 = sub i64 %counter.2, %step.1
  %first.1 = add i64 %taken.1, %grid.thread
  %offset.9 = mul i64 %first.1, 128
  %at.153 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.9
  %stride.9 = mul i64 %grid.threads, 128
  %offset.10 = mul i64 %first.1, 64
  %at.154 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.10
  %stride.10 = mul i64 %grid.threads, 64
  %offset.11 = mul i64 %first.1, 16
  %at.155 = getelementptr i8, ptr addrspace(1) %array2, i64 %offset.11
  %stride.11 = mul i64 %grid.threads, 16
  br label %narrow.rest

narrow.rest:
  %counter.3 = phi i64 [ %first.1, %narrow.tiles.end ], [ %next.3, %narrow.rest.body ]
  %pointer0.3 = phi ptr addrspace(1) [ %at.153, %narrow.tiles.end ], [ %at.204, %narrow.rest.body ]
  %pointer1.3 = phi ptr addrspace(1) [ %at.154, %narrow.tiles.end ], [ %at.205, %narrow.rest.body ]
  %pointer2.3 = phi ptr addrspace(1) [ %at.155, %narrow.tiles.end ], [ %at.206, %narrow.rest.body ]
  %sum.128 = phi double [ %sum.80, %narrow.tiles.end ], [ %sum.144, %narrow.rest.body ]
  %sum.129 = phi double [ %sum.81, %narrow.tiles.end ], [ %sum.145, %narrow.rest.body ]
  %sum.130 = phi double [ %sum.82, %narrow.tiles.end ], [ %sum.146, %narrow.rest.body ]
  %sum.131 = phi double [ %sum.83, %narrow.tiles.end ], [ %sum.147, %narrow.rest.body ]
  %sum.132 = phi double [ %sum.84, %narrow.tiles.end ], [ %sum.148, %narrow.rest.body ]
  %sum.133 = phi double [ %sum.85, %narrow.tiles.end ], [ %sum.149, %narrow.rest.body ]
  %sum.134 = phi double [ %sum.86, %narrow.tiles.end ], [ %sum.150, %narrow.rest.body ]
  %sum.135 = phi double [ %sum.87, %narrow.tiles.end ], [ %sum.151, %narrow.rest.body ]
  %sum.136 = phi double [ %sum.88, %narrow.tiles.end ], [ %sum.152, %narrow.rest.body ]
  %sum.137 = phi double [ %sum.89, %narrow.tiles.end ], [ %sum.153, %narrow.rest.body ]
  %sum.138 = phi double [ %sum.90, %narrow.tiles.end ], [ %sum.154, %narrow.rest.body ]
  %sum.139 = phi double [ %sum.91, %narrow.tiles.end ], [ %sum.155, %narrow.rest.body ]
  %sum.140 = phi double [ %sum.92, %narrow.tiles.end ], [ %sum.156, %narrow.rest.body ]
  %sum.141 = phi double [ %sum.93, %narrow.tiles.end ], [ %sum.157, %narrow.rest.body ]
  %sum.142 = phi double [ %sum.94, %narrow.tiles.end ], [ %sum.158, %narrow.rest.body ]
  %sum.143 = phi double [ %sum.95, %narrow.tiles.end ], [ %sum.159, %narrow.rest.body ]
  %product.128 = phi float [ %product.80, %narrow.tiles.end ], [ %product.144, %narrow.rest.body ]
  %product.129 = phi float [ %product.81, %narrow.tiles.end ], [ %product.145, %narrow.rest.body ]
  %product.130 = phi float [ %product.82, %narrow.tiles.end ], [ %product.146, %narrow.rest.body ]
  %product.131 = phi float [ %product.83, %narrow.tiles.end ], [ %product.147, %narrow.rest.body ]
  %product.132 = phi float [ %product.84, %narrow.tiles.end ], [ %product.148, %narrow.rest.body ]
  %product.133 = phi float [ %product.85, %narrow.tiles.end ], [ %product.149, %narrow.rest.body ]
  %product.134 = phi float [ %product.86, %narrow.tiles.end ], [ %product.150, %narrow.rest.body ]
  %product.135 = phi float [ %product.87, %narrow.tiles.end ], [ %product.151, %narrow.rest.body ]
  %product.136 = phi float [ %product.88, %narrow.tiles.end ], [ %product.152, %narrow.rest.body ]
  %product.137 = phi float [ %product.89, %narrow.tiles.end ], [ %product.153, %narrow.rest.body ]
  %product.138 = phi float [ %product.90, %narrow.tiles.end ], [ %product.154, %narrow.rest.body ]
  %product.139 = phi float [ %product.91, %narrow.tiles.end ], [ %product.155, %narrow.rest.body ]
  %product.140 = phi float [ %product.92, %narrow.tiles.end ], [ %product.156, %narrow.rest.body ]
  %product.141 = phi float [ %product.93, %narrow.tiles.end ], [ %product.157, %narrow.rest.body ]
  %product.142 = phi float [ %product.94, %narrow.tiles.end ], [ %product.158, %narrow.rest.body ]
  %product.143 = phi float [ %product.95, %narrow.tiles.end ], [ %product.159, %narrow.rest.body ]
  %most.128 = phi i8 [ %most.80, %narrow.tiles.end ], [ %most.144, %narrow.rest.body ]
  %most.129 = phi i8 [ %most.81, %narrow.tiles.end ], [ %most.145, %narrow.rest.body ]
  %most.130 = phi i8 [ %most.82, %narrow.tiles.end ], [ %most.146, %narrow.rest.body ]
  %most.131 = phi i8 [ %most.83, %narrow.tiles.end ], [ %most.147, %narrow.rest.body ]
  %most.132 = phi i8 [ %most.84, %narrow.tiles.end ], [ %most.148, %narrow.rest.body ]
  %most.133 = phi i8 [ %most.85, %narrow.tiles.end ], [ %most.149, %narrow.rest.body ]
  %most.134 = phi i8 [ %most.86, %narrow.tiles.end ], [ %most.150, %narrow.rest.body ]
  %most.135 = phi i8 [ %most.87, %narrow.tiles.end ], [ %most.151, %narrow.rest.body ]
  %most.136 = phi i8 [ %most.88, %narrow.tiles.end ], [ %most.152, %narrow.rest.body ]
  %most.137 = phi i8 [ %most.89, %narrow.tiles.end ], [ %most.153, %narrow.rest.body ]
  %most.138 = phi i8 [ %most.90, %narrow.tiles.end ], [ %most.154, %narrow.rest.body ]
  %most.139 = phi i8 [ %most.91, %narrow.tiles.end ], [ %most.155, %narrow.rest.body ]
  %most.140 = phi i8 [ %most.92, %narrow.tiles.end ], [ %most.156, %narrow.rest.body ]
  %most.141 = phi i8 [ %most.93, %narrow.tiles.end ], [ %most.157, %narrow.rest.body ]
  %most.142 = phi i8 [ %most.94, %narrow.tiles.end ], [ %most.158, %narrow.rest.body ]
  %most.143 = phi i8 [ %most.95, %narrow.tiles.end ], [ %most.159, %narrow.rest.body ]
  %goes.on.3 = icmp ult i64 %counter.3, %groups
  br i1 %goes.on.3, label %narrow.rest.body, label %narrow.rest.end

narrow.rest.body:
  %at.156 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 0
  %element.240 = load double, ptr addrspace(1) %at.156, align 8, !invariant.load !0
  %at.157 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 8
  %element.241 = load double, ptr addrspace(1) %at.157, align 8, !invariant.load !0
  %at.158 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 16
  %element.242 = load double, ptr addrspace(1) %at.158, align 8, !invariant.load !0
  %at.159 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 24
  %element.243 = load double, ptr addrspace(1) %at.159, align 8, !invariant.load !0
  %at.160 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 32
  %element.244 = load double, ptr addrspace(1) %at.160, align 8, !invariant.load !0
  %at.161 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 40
  %element.245 = load double, ptr addrspace(1) %at.161, align 8, !invariant.load !0
  %at.162 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 48
  %element.246 = load double, ptr addrspace(1) %at.162, align 8, !invariant.load !0
  %at.163 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 56
  %element.247 = load double, ptr addrspace(1) %at.163, align 8, !invariant.load !0
  %at.164 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 64
  %element.248 = load double, ptr addrspace(1) %at.164, align 8, !invariant.load !0
  %at.165 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 72
  %element.249 = load double, ptr addrspace(1) %at.165, align 8, !invariant.load !0
  %at.166 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 80
  %element.250 = load double, ptr addrspace(1) %at.166, align 8, !invariant.load !0
  %at.167 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 88
  %element.251 = load double, ptr addrspace(1) %at.167, align 8, !invariant.load !0
  %at.168 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 96
  %element.252 = load double, ptr addrspace(1) %at.168, align 8, !invariant.load !0
  %at.169 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 104
  %element.253 = load double, ptr addrspace(1) %at.169, align 8, !invariant.load !0
  %at.170 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 112
  %element.254 = load double, ptr addrspace(1) %at.170, align 8, !invariant.load !0
  %at.171 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 120
  %element.255 = load double, ptr addrspace(1) %at.171, align 8, !invariant.load !0
  %at.172 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 0
  %element.256 = load float, ptr addrspace(1) %at.172, align 4, !invariant.load !0
  %at.173 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 4
  %element.257 = load float, ptr addrspace(1) %at.173, align 4, !invariant.load !0
  %at.174 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 8
  %element.258 = load float, ptr addrspace(1) %at.174, align 4, !invariant.load !0
  %at.175 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 12
  %element.259 = load float, ptr addrspace(1) %at.175, align 4, !invariant.load !0
  %at.176 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 16
  %element.260 = load float, ptr addrspace(1) %at.176, align 4, !invariant.load !0
  %at.177 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 20
  %element.261 = load float, ptr addrspace(1) %at.177, align 4, !invariant.load !0
  %at.178 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 24
  %element.262 = load float, ptr addrspace(1) %at.178, align 4, !invariant.load !0
  %at.179 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 28
  %element.263 = load float, ptr addrspace(1) %at.179, align 4, !invariant.load !0
  %at.180 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 32
  %element.264 = load float, ptr addrspace(1) %at.180, align 4, !invariant.load !0
  %at.181 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 36
  %element.265 = load float, ptr addrspace(1) %at.181, align 4, !invariant.load !0
  %at.182 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 40
  %element.266 = load float, ptr addrspace(1) %at.182, align 4, !invariant.load !0
  %at.183 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 44
  %element.267 = load float, ptr addrspace(1) %at.183, align 4, !invariant.load !0
  %at.184 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 48
  %element.268 = load float, ptr addrspace(1) %at.184, align 4, !invariant.load !0
  %at.185 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 52
  %element.269 = load float, ptr addrspace(1) %at.185, align 4, !invariant.load !0
  %at.186 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 56
  %element.270 = load float, ptr addrspace(1) %at.186, align 4, !invariant.load !0
  %at.187 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 60
  %element.271 = load float, ptr addrspace(1) %at.187, align 4, !invariant.load !0
  %at.188 = getelementptr i8, ptr addrspace(1) %pointer2.3, i64 0
  %element.272 = load i8, ptr addrspace(1) %at.188, align 1, !invariant.load !0
  %at.189 = getelementptr i8, ptr addrspace(1) %pointer2.3, i64 1
  %element.273 = load i8, ptr addrspace(1) %at.189, align 1, !invariant.load !0
  %at.190 = getelementptr i8, ptr addrspace(1) %pointer2.3, i64 2
  %element.274 = load i8, ptr addrspace(1) %at.190, align 1, !invariant.load !0
  %at.191 = getelementptr i8, ptr addrspace(1) %pointer2.3, i64 3
  %element.275 = load i8, ptr addrspace(1) %at.191, align 1, !invariant.load !0
  %at.192 = getelementptr i8, ptr addrspace(1) %pointer2.3, i64 4
  %element.276 = load i8, ptr addrspace(1) %at.192, align 1, !invariant.load !0
  %at.193 = getelementptr i8, ptr addrspace(1) %pointer2.3, i64 5
  %element.277 = load i8, ptr addrspace(1) %at.193, align 1, !invariant.load !0
  %at.194 = getelementptr i8, ptr addrspace(1) %pointer2.3, i64 6
  %element.278 = load i8, ptr addrspace(1) %at.194, align 1, !invariant.load !0
  %at.195 = getelementptr i8, ptr addrspace(1) %pointer2.3, i64 7
  %element.279 = load i8, ptr addrspace(1) %at.195, align 1, !invariant.load !0
  %at.196 = getelementptr i8, ptr addrspace(1) %pointer2.3, i64 8
  %element.280 = load i8, ptr addrspace(1) %at.196, align 1, !invariant.load !0
  %at.197 = getelementptr i8, ptr addrspace(1) %pointer2.3, i64 9
  %element.281 = load i8, ptr addrspace(1) %at.197, align 1, !invariant.load !0
  %at.198 = getelementptr i8, ptr addrspace(1) %pointer2.3, i64 10
  %element.282 = load i8, ptr addrspace(1) %at.198, align 1, !invariant.load !0
  %at.199 = getelementptr i8, ptr addrspace(1) %pointer2.3, i64 11
  %element.283 = load i8, ptr addrspace(1) %at.199, align 1, !invariant.load !0
  %at.200 = getelementptr i8, ptr addrspace(1) %pointer2.3, i64 12
  %element.284 = load i8, ptr addrspace(1) %at.200, align 1, !invariant.load !0
  %at.201 = getelementptr i8, ptr addrspace(1) %pointer2.3, i64 13
  %element.285 = load i8, ptr addrspace(1) %at.201, align 1, !invariant.load !0
  %at.202 = getelementptr i8, ptr addrspace(1) %pointer2.3, i64 14
  %element.286 = load i8, ptr addrspace(1) %at.202, align 1, !invariant.load !0
  %at.203 = getelementptr i8, ptr addrspace(1) %pointer2.3, i64 15
  %element.287 = load i8, ptr addrspace(1) %at.203, align 1, !invariant.load !0
  %sum.144 = fadd double %sum.128, %element.240
  %product.144 = fmul float %product.128, %element.256
  %most.144 = call i8 @llvm.smax.i8(i8 %most.128, i8 %element.272)
  %sum.145 = fadd double %sum.129, %element.241
  %product.145 = fmul float %product.129, %element.257
  %most.145 = call i8 @llvm.smax.i8(i8 %most.129, i8 %element.273)
  %sum.146 = fadd double %sum.130, %element.242
  %product.146 = fmul float %product.130, %element.258
  %most.146 = call i8 @llvm.smax.i8(i8 %most.130, i8 %element.274)
  %sum.147 = fadd double %sum.131, %element.243
  %product.147 = fmul float %product.131, %element.259
  %most.147 = call i8 @llvm.smax.i8(i8 %most.131, i8 %element.275)
  %sum.148 = fadd double %sum.132, %element.244
  %product.148 = fmul float %product.132, %element.260
  %most.148 = call i8 @llvm.smax.i8(i8 %most.132, i8 %element.276)
  %sum.149 = fadd double %sum.133, %element.245
  %product.149 = fmul float %product.133, %element.261
  %most.149 = call i8 @llvm.smax.i8(i8 %most.133, i8 %element.277)
  %sum.150 = fadd double %sum.134, %element.246
  %product.150 = fmul float %product.134, %element.262
  %most.150 = call i8 @llvm.smax.i8(i8 %most.134, i8 %element.278)
  %sum.151 = fadd double %sum.135, %element.247
  %product.151 = fmul float %product.135, %element.263
  %most.151 = call i8 @llvm.smax.i8(i8 %most.135, i8 %element.279)
  %sum.152 = fadd double %sum.136, %element.248
  %product.152 = fmul float %product.136, %element.264
  %most.152 = call i8 @llvm.smax.i8(i8 %most.136, i8 %element.280)
  %sum.153 = fadd double %sum.137, %element.249
  %product.153 = fmul float %product.137, %element.265
  %most.153 = call i8 @llvm.smax.i8(i8 %most.137, i8 %element.281)
  %sum.154 = fadd double %sum.138, %element.250
  %product.154 = fmul float %product.138, %element.266
  %most.154 = call i8 @llvm.smax.i8(i8 %most.138, i8 %element.282)
  %sum.155 = fadd double %sum.139, %element.251
  %product.155 = fmul float %product.139, %element.267
  %most.155 = call i8 @llvm.smax.i8(i8 %most.139, i8 %element.283)
  %sum.156 = fadd double %sum.140, %element.252
  %product.156 = fmul float %product.140, %element.268
  %most.156 = call i8 @llvm.smax.i8(i8 %most.140, i8 %element.284)
  %sum.157 = fadd double %sum.141, %element.253
  %product.157 = fmul float %product.141, %element.269
  %most.157 = call i8 @llvm.smax.i8(i8 %most.141, i8 %element.285)
  %sum.158 = fadd double %sum.142, %element.254
  %product.158 = fmul float %product.142, %element.270
  %most.158 = call i8 @llvm.smax.i8(i8 %most.142, i8 %element.286)
  %sum.159 = fadd double %sum.143, %element.255
  %product.159 = fmul float %product.143, %element.271
  %most.159 = call i8 @llvm.smax.i8(i8 %most.143, i8 %element.287)
  %at.204 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 %stride.9
  %at.205 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 %stride.10
  %at.206 = getelementptr i8, ptr addrspace(1) %pointer2.3, i64 %stride.11
  %next.3 = add i64 %counter.3, %grid.threads
  br label %narrow.rest, !llvm.loop !8

narrow.rest.end:
  br label %whole

whole:
  %sum.160 = phi double [ %sum.48, %wide.rest.end ], [ %sum.128, %narrow.rest.end ]
  %sum.161 = phi double [ %sum.49, %wide.rest.end ], [ %sum.129, %narrow.rest.end ]
  %sum.162 = phi double [ %sum.50, %wide.rest.end ], [ %sum.130, %narrow.rest.end ]
  %sum.163 = phi double [ %sum.51, %wide.rest.end ], [ %sum.131, %narrow.rest.end ]
  %sum.164 = phi double [ %sum.52, %wide.rest.end ], [ %sum.132, %narrow.rest.end ]
  %sum.165 = phi double [ %sum.53, %wide.rest.end ], [ %sum.133, %narrow.rest.end ]
  %sum.166 = phi double [ %sum.54, %wide.rest.end ], [ %sum.134, %narrow.rest.end ]
  %sum.167 = phi double [ %sum.55, %wide.rest.end ], [ %sum.135, %narrow.rest.end ]
  %sum.168 = phi double [ %sum.56, %wide.rest.end ], [ %sum.136, %narrow.rest.end ]
  %sum.169 = phi double [ %sum.57, %wide.rest.end ], [ %sum.137, %narrow.rest.end ]
  %sum.170 = phi double [ %sum.58, %wide.rest.end ], [ %sum.138, %narrow.rest.end ]
  %sum.171 = phi double [ %sum.59, %wide.rest.end ], [ %sum.139, %narrow.rest.end ]
  %sum.172 = phi double [ %sum.60, %wide.rest.end ], [ %sum.140, %narrow.rest.end ]
  %sum.173 = phi double [ %sum.61, %wide.rest.end ], [ %sum.141, %narrow.rest.end ]
  %sum.174 = phi double [ %sum.62, %wide.rest.end ], [ %sum.142, %narrow.rest.end ]
  %sum.175 = phi double [ %sum.63, %wide.rest.end ], [ %sum.143, %narrow.rest.end ]
  %product.160 = phi float [ %product.48, %wide.rest.end ], [ %product.128, %narrow.rest.end ]
  %product.161 = phi float [ %product.49, %wide.rest.end ], [ %product.129, %narrow.rest.end ]
  %product.162 = phi float [ %product.50, %wide.rest.end ], [ %product.130, %narrow.rest.end ]
  %product.163 = phi float [ %product.51, %wide.rest.end ], [ %product.131, %narrow.rest.end ]
  %product.164 = phi float [ %product.52, %wide.rest.end ], [ %product.132, %narrow.rest.end ]
  %product.165 = phi float [ %product.53, %wide.rest.end ], [ %product.133, %narrow.rest.end ]
  %product.166 = phi float [ %product.54, %wide.rest.end ], [ %product.134, %narrow.rest.end ]
  %product.167 = phi float [ %product.55, %wide.rest.end ], [ %product.135, %narrow.rest.end ]
  %product.168 = phi float [ %product.56, %wide.rest.end ], [ %product.136, %narrow.rest.end ]
  %product.169 = phi float [ %product.57, %wide.rest.end ], [ %product.137, %narrow.rest.end ]
  %product.170 = phi float [ %product.58, %wide.rest.end ], [ %product.138, %narrow.rest.end ]
  %product.171 = phi float [ %product.59, %wide.rest.end ], [ %product.139, %narrow.rest.end ]
  %product.172 = phi float [ %product.60, %wide.rest.end ], [ %product.140, %narrow.rest.end ]
  %product.173 = phi float [ %product.61, %wide.rest.end ], [ %product.141, %narrow.rest.end ]
  %product.174 = phi float [ %product.62, %wide.rest.end ], [ %product.142, %narrow.rest.end ]
  %product.175 = phi float [ %product.63, %wide.rest.end ], [ %product.143, %narrow.rest.end ]
  %most.160 = phi i8 [ %most.48, %wide.rest.end ], [ %most.128, %narrow.rest.end ]
  %most.161 = phi i8 [ %most.49, %wide.rest.end ], [ %most.129, %narrow.rest.end ]
  %most.162 = phi i8 [ %most.50, %wide.rest.end ], [ %most.130, %narrow.rest.end ]
  %most.163 = phi i8 [ %most.51, %wide.rest.end ], [ %most.131, %narrow.rest.end ]
  %most.164 = phi i8 [ %most.52, %wide.rest.end ], [ %most.132, %narrow.rest.end ]
  %most.165 = phi i8 [ %most.53, %wide.rest.end ], [ %most.133, %narrow.rest.end ]
  %most.166 = phi i8 [ %most.54, %wide.rest.end ], [ %most.134, %narrow.rest.end ]
  %most.167 = phi i8 [ %most.55, %wide.rest.end ], [ %most.135, %narrow.rest.end ]
  %most.168 = phi i8 [ %most.56, %wide.rest.end ], [ %most.136, %narrow.rest.end ]
  %most.169 = phi i8 [ %most.57, %wide.rest.end ], [ %most.137, %narrow.rest.end ]
  %most.170 = phi i8 [ %most.58, %wide.rest.end ], [ %most.138, %narrow.rest.end ]
  %most.171 = phi i8 [ %most.59, %wide.rest.end ], [ %most.139, %narrow.rest.end ]
  %most.172 = phi i8 [ %most.60, %wide.rest.end ], [ %most.140, %narrow.rest.end ]
  %most.173 = phi i8 [ %most.61, %wide.rest.end ], [ %most.141, %narrow.rest.end ]
  %most.174 = phi i8 [ %most.62, %wide.rest.end ], [ %most.142, %narrow.rest.end ]
  %most.175 = phi i8 [ %most.63, %wide.rest.end ], [ %most.143, %narrow.rest.end ]
  %sum.total = fadd double %sum.160, %sum.161
  %sum.total.1 = fadd double %sum.total, %sum.162
  %sum.total.2 = fadd double %sum.total.1, %sum.163
  %sum.total.3 = fadd double %sum.total.2, %sum.164
  %sum.total.4 = fadd double %sum.total.3, %sum.165
  %sum.total.5 = fadd double %sum.total.4, %sum.166
  %sum.total.6 = fadd double %sum.total.5, %sum.167
  %sum.total.7 = fadd double %sum.total.6, %sum.168
  %sum.total.8 = fadd double %sum.total.7, %sum.169
  %sum.total.9 = fadd double %sum.total.8, %sum.170
  %sum.total.10 = fadd double %sum.total.9, %sum.171
  %sum.total.11 = fadd double %sum.total.10, %sum.172
  %sum.total.12 = fadd double %sum.total.11, %sum.173
  %sum.total.13 = fadd double %sum.total.12, %sum.174
  %sum.total.14 = fadd double %sum.total.13, %sum.175
  %product.total = fmul float %product.160, %product.161
  %product.total.1 = fmul float %product.total, %product.162
  %product.total.2 = fmul float %product.total.1, %product.163
  %product.total.3 = fmul float %product.total.2, %product.164
  %product.total.4 = fmul float %product.total.3, %product.165
  %product.total.5 = fmul float %product.total.4, %product.166
  %product.total.6 = fmul float %product.total.5, %product.167
  %product.total.7 = fmul float %product.total.6, %product.168
  %product.total.8 = fmul float %product.total.7, %product.169
  %product.total.9 = fmul float %product.total.8, %product.170
  %product.total.10 = fmul float %product.total.9, %product.171
  %product.total.11 = fmul float %product.total.10, %product.172
  %product.total.12 = fmul float %product.total.11, %product.173
  %product.total.13 = fmul float %product.total.12, %product.174
  %product.total.14 = fmul float %product.total.13, %product.175
  %most.total = call i8 @llvm.smax.i8(i8 %most.160, i8 %most.161)
  %most.total.1 = call i8 @llvm.smax.i8(i8 %most.total, i8 %most.162)
  %most.total.2 = call i8 @llvm.smax.i8(i8 %most.total.1, i8 %most.163)
  %most.total.3 = call i8 @llvm.smax.i8(i8 %most.total.2, i8 %most.164)
  %most.total.4 = call i8 @llvm.smax.i8(i8 %most.total.3, i8 %most.165)
  %most.total.5 = call i8 @llvm.smax.i8(i8 %most.total.4, i8 %most.166)
  %most.total.6 = call i8 @llvm.smax.i8(i8 %most.total.5, i8 %most.167)
  %most.total.7 = call i8 @llvm.smax.i8(i8 %most.total.6, i8 %most.168)
  %most.total.8 = call i8 @llvm.smax.i8(i8 %most.total.7, i8 %most.169)
  %most.total.9 = call i8 @llvm.smax.i8(i8 %most.total.8, i8 %most.170)
  %most.total.10 = call i8 @llvm.smax.i8(i8 %most.total.9, i8 %most.171)
  %most.total.11 = call i8 @llvm.smax.i8(i8 %most.total.10, i8 %most.172)
  %most.total.12 = call i8 @llvm.smax.i8(i8 %most.total.11, i8 %most.173)
  %most.total.13 = call i8 @llvm.smax.i8(i8 %most.total.12, i8 %most.174)
  %most.total.14 = call i8 @llvm.smax.i8(i8 %most.total.13, i8 %most.175)
  %grouped = mul i64 %groups, 16
  %first.2 = add i64 %grouped, %grid.thread
  br label %tail

tail:
  %index = phi i64 [ %first.2, %whole ], [ %next.4, %tail.body ]
  %sum.176 = phi double [ %sum.total.14, %whole ], [ %sum.177, %tail.body ]
  %product.176 = phi float [ %product.total.14, %whole ], [ %product.177, %tail.body ]
  %most.176 = phi i8 [ %most.total.14, %whole ], [ %most.177, %tail.body ]
  %goes.on.4 = icmp ult i64 %index, %n
  br i1 %goes.on.4, label %tail.body, label %tail.end

tail.body:
  %at.207 = getelementptr inbounds double, ptr addrspace(1) %array0, i64 %index
  %element.288 = load double, ptr addrspace(1) %at.207, align 8, !invariant.load !0
  %at.208 = getelementptr inbounds float, ptr addrspace(1) %array1, i64 %index
  %element.289 = load float, ptr addrspace(1) %at.208, align 4, !invariant.load !0
  %at.209 = getelementptr inbounds i8, ptr addrspace(1) %array2, i64 %index
  %element.290 = load i8, ptr addrspace(1) %at.209, align 1, !invariant.load !0
  %sum.177 = fadd double %sum.176, %element.288
  %product.177 = fmul float %product.176, %element.289
  %most.177 = call i8 @llvm.smax.i8(i8 %most.176, i8 %element.290)
  %next.4 = add i64 %index, %grid.threads
  br label %tail, !llvm.loop !10

tail.end:
  %sum.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %sum.private = load ptr, ptr %sum.entry, align 8
  store double %sum.176, ptr %sum.private, align 8
  %product.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %product.private = load ptr, ptr %product.entry, align 8
  store float %product.176, ptr %product.private, align 4
  %most.entry = getelementptr inbounds ptr, ptr %list, i64 2
  %most.private = load ptr, ptr %most.entry, align 8
  store i8 %most.176, ptr %most.private, align 1
  ret void
}

define ptx_kernel void @warpfold_reduce(i64 %n, i64 %first, ptr addrspace(1) align 16 %workspace, ptr addrspace(1) align 8 %result, ptr addrspace(1) noalias readonly align 8 %array0, ptr addrspace(1) noalias readonly align 4 %array1, ptr addrspace(1) noalias readonly align 1 %array2) convergent mustprogress nounwind "nvvm.maxntid"="256" {
entry:
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
