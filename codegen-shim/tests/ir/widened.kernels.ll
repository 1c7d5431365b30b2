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
  %words.1 = insertelement <2 x i32> poison, i32 %shuffled, i32 0
  %words.2 = insertelement <2 x i32> %words.1, i32 %shuffled.1, i32 1
  %remote = bitcast <2 x i32> %words.2 to i64
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
  %words.1 = insertelement <2 x i32> poison, i32 %shuffled, i32 0
  %words.2 = insertelement <2 x i32> %words.1, i32 %shuffled.1, i32 1
  %remote = bitcast <2 x i32> %words.2 to i64
  %remote.1 = bitcast i32 %shuffled.2 to float
  %sum.combined = add i64 %sum.own, %remote
  %sum.next = select i1 %reduces, i64 %sum.combined, i64 %sum.own
  store i64 %sum.next, ptr %sum.private, align 8
  %dot.combined = fadd float %dot.own, %remote.1
  %dot.next = select i1 %reduces, float %dot.combined, float %dot.own
  store float %dot.next, ptr %dot.private, align 4
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
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
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
define internal void @warpfold_accumulate(ptr %list, i64 %n, i64 %first.index, ptr addrspace(1) noalias readonly align 1 %array0, ptr addrspace(1) noalias readonly align 2 %array1) alwaysinline mustprogress nounwind willreturn {
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
  %offset.1 = mul i64 %in.tile, 32
  %at.1 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.1
  %stride.1 = mul i64 %step, 32
  br label %wide.tiles

wide.tiles:
  %counter = phi i64 [ %step, %aligned ], [ %next, %wide.tiles.body ]
  %pointer0 = phi ptr addrspace(1) [ %at, %aligned ], [ %at.8, %wide.tiles.body ]
  %pointer1 = phi ptr addrspace(1) [ %at.1, %aligned ], [ %at.9, %wide.tiles.body ]
  %sum = phi i64 [ 0, %aligned ], [ %sum.32, %wide.tiles.body ]
  %sum.1 = phi i64 [ 0, %aligned ], [ %sum.33, %wide.tiles.body ]
  %sum.2 = phi i64 [ 0, %aligned ], [ %sum.34, %wide.tiles.body ]
  %sum.3 = phi i64 [ 0, %aligned ], [ %sum.35, %wide.tiles.body ]
  %sum.4 = phi i64 [ 0, %aligned ], [ %sum.36, %wide.tiles.body ]
  %sum.5 = phi i64 [ 0, %aligned ], [ %sum.37, %wide.tiles.body ]
  %sum.6 = phi i64 [ 0, %aligned ], [ %sum.38, %wide.tiles.body ]
  %sum.7 = phi i64 [ 0, %aligned ], [ %sum.39, %wide.tiles.body ]
  %sum.8 = phi i64 [ 0, %aligned ], [ %sum.40, %wide.tiles.body ]
  %sum.9 = phi i64 [ 0, %aligned ], [ %sum.41, %wide.tiles.body ]
  %sum.10 = phi i64 [ 0, %aligned ], [ %sum.42, %wide.tiles.body ]
  %sum.11 = phi i64 [ 0, %aligned ], [ %sum.43, %wide.tiles.body ]
  %sum.12 = phi i64 [ 0, %aligned ], [ %sum.44, %wide.tiles.body ]
  %sum.13 = phi i64 [ 0, %aligned ], [ %sum.45, %wide.tiles.body ]
  %sum.14 = phi i64 [ 0, %aligned ], [ %sum.46, %wide.tiles.body ]
  %sum.15 = phi i64 [ 0, %aligned ], [ %sum.47, %wide.tiles.body ]
  %dot = phi float [ -0.0, %aligned ], [ %dot.32, %wide.tiles.body ]
  %dot.1 = phi float [ -0.0, %aligned ], [ %dot.33, %wide.tiles.body ]
  %dot.2 = phi float [ -0.0, %aligned ], [ %dot.34, %wide.tiles.body ]
  %dot.3 = phi float [ -0.0, %aligned ], [ %dot.35, %wide.tiles.body ]
  %dot.4 = phi float [ -0.0, %aligned ], [ %dot.36, %wide.tiles.body ]
  %dot.5 = phi float [ -0.0, %aligned ], [ %dot.37, %wide.tiles.body ]
  %dot.6 = phi float [ -0.0, %aligned ], [ %dot.38, %wide.tiles.body ]
  %dot.7 = phi float [ -0.0, %aligned ], [ %dot.39, %wide.tiles.body ]
  %dot.8 = phi float [ -0.0, %aligned ], [ %dot.40, %wide.tiles.body ]
  %dot.9 = phi float [ -0.0, %aligned ], [ %dot.41, %wide.tiles.body ]
  %dot.10 = phi float [ -0.0, %aligned ], [ %dot.42, %wide.tiles.body ]
  %dot.11 = phi float [ -0.0, %aligned ], [ %dot.43, %wide.tiles.body ]
  %dot.12 = phi float [ -0.0, %aligned ], [ %dot.44, %wide.tiles.body ]
  %dot.13 = phi float [ -0.0, %aligned ], [ %dot.45, %wide.tiles.body ]
  %dot.14 = phi float [ -0.0, %aligned ], [ %dot.46, %wide.tiles.body ]
  %dot.15 = phi float [ -0.0, %aligned ], [ %dot.47, %wide.tiles.body ]
  %goes.on = icmp ult i64 %counter, %limit
  br i1 %goes.on, label %wide.tiles.body, label %wide.tiles.end

wide.tiles.body:
  %at.2 = getelementptr i8, ptr addrspace(1) %pointer0, i64 0
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
  %at.3 = getelementptr i8, ptr addrspace(1) %pointer1, i64 0
  %loaded.1 = load <8 x half>, ptr addrspace(1) %at.3, align 16, !invariant.load !0
  %element.16 = extractelement <8 x half> %loaded.1, i32 0
  %element.17 = extractelement <8 x half> %loaded.1, i32 1
  %element.18 = extractelement <8 x half> %loaded.1, i32 2
  %element.19 = extractelement <8 x half> %loaded.1, i32 3
  %element.20 = extractelement <8 x half> %loaded.1, i32 4
  %element.21 = extractelement <8 x half> %loaded.1, i32 5
  %element.22 = extractelement <8 x half> %loaded.1, i32 6
  %element.23 = extractelement <8 x half> %loaded.1, i32 7
  %at.4 = getelementptr i8, ptr addrspace(1) %pointer1, i64 16
  %loaded.2 = load <8 x half>, ptr addrspace(1) %at.4, align 16, !invariant.load !0
  %element.24 = extractelement <8 x half> %loaded.2, i32 0
  %element.25 = extractelement <8 x half> %loaded.2, i32 1
  %element.26 = extractelement <8 x half> %loaded.2, i32 2
  %element.27 = extractelement <8 x half> %loaded.2, i32 3
  %element.28 = extractelement <8 x half> %loaded.2, i32 4
  %element.29 = extractelement <8 x half> %loaded.2, i32 5
  %element.30 = extractelement <8 x half> %loaded.2, i32 6
  %element.31 = extractelement <8 x half> %loaded.2, i32 7
  %at.5 = getelementptr i8, ptr addrspace(1) %pointer0, i64 512
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
  %at.6 = getelementptr i8, ptr addrspace(1) %pointer1, i64 1024
  %loaded.4 = load <8 x half>, ptr addrspace(1) %at.6, align 16, !invariant.load !0
  %element.48 = extractelement <8 x half> %loaded.4, i32 0
  %element.49 = extractelement <8 x half> %loaded.4, i32 1
  %element.50 = extractelement <8 x half> %loaded.4, i32 2
  %element.51 = extractelement <8 x half> %loaded.4, i32 3
  %element.52 = extractelement <8 x half> %loaded.4, i32 4
  %element.53 = extractelement <8 x half> %loaded.4, i32 5
  %element.54 = extractelement <8 x half> %loaded.4, i32 6
  %element.55 = extractelement <8 x half> %loaded.4, i32 7
  %at.7 = getelementptr i8, ptr addrspace(1) %pointer1, i64 1040
  %loaded.5 = load <8 x half>, ptr addrspace(1) %at.7, align 16, !invariant.load !0
  %element.56 = extractelement <8 x half> %loaded.5, i32 0
  %element.57 = extractelement <8 x half> %loaded.5, i32 1
  %element.58 = extractelement <8 x half> %loaded.5, i32 2
  %element.59 = extractelement <8 x half> %loaded.5, i32 3
  %element.60 = extractelement <8 x half> %loaded.5, i32 4
  %element.61 = extractelement <8 x half> %loaded.5, i32 5
  %element.62 = extractelement <8 x half> %loaded.5, i32 6
  %element.63 = extractelement <8 x half> %loaded.5, i32 7
  %converted = sext i8 %element to i64
  %sum.16 = add i64 %sum, %converted
  %converted.1 = fpext half %element.16 to float
  %converted.2 = fpext half %element.16 to float
  %dot.16 = call float @llvm.fma.f32(float %converted.1, float %converted.2, float %dot)
  %converted.3 = sext i8 %element.1 to i64
  %sum.17 = add i64 %sum.1, %converted.3
  %converted.4 = fpext half %element.17 to float
  %converted.5 = fpext half %element.17 to float
  %dot.17 = call float @llvm.fma.f32(float %converted.4, float %converted.5, float %dot.1)
  %converted.6 = sext i8 %element.2 to i64
  %sum.18 = add i64 %sum.2, %converted.6
  %converted.7 = fpext half %element.18 to float
  %converted.8 = fpext half %element.18 to float
  %dot.18 = call float @llvm.fma.f32(float %converted.7, float %converted.8, float %dot.2)
  %converted.9 = sext i8 %element.3 to i64
  %sum.19 = add i64 %sum.3, %converted.9
  %converted.10 = fpext half %element.19 to float
  %converted.11 = fpext half %element.19 to float
  %dot.19 = call float @llvm.fma.f32(float %converted.10, float %converted.11, float %dot.3)
  %converted.12 = sext i8 %element.4 to i64
  %sum.20 = add i64 %sum.4, %converted.12
  %converted.13 = fpext half %element.20 to float
  %converted.14 = fpext half %element.20 to float
  %dot.20 = call float @llvm.fma.f32(float %converted.13, float %converted.14, float %dot.4)
  %converted.15 = sext i8 %element.5 to i64
  %sum.21 = add i64 %sum.5, %converted.15
  %converted.16 = fpext half %element.21 to float
  %converted.17 = fpext half %element.21 to float
  %dot.21 = call float @llvm.fma.f32(float %converted.16, float %converted.17, float %dot.5)
  %converted.18 = sext i8 %element.6 to i64
  %sum.22 = add i64 %sum.6, %converted.18
  %converted.19 = fpext half %element.22 to float
  %converted.20 = fpext half %element.22 to float
  %dot.22 = call float @llvm.fma.f32(float %converted.19, float %converted.20, float %dot.6)
  %converted.21 = sext i8 %element.7 to i64
  %sum.23 = add i64 %sum.7, %converted.21
  %converted.22 = fpext half %element.23 to float
  %converted.23 = fpext half %element.23 to float
  %dot.23 = call float @llvm.fma.f32(float %converted.22, float %converted.23, float %dot.7)
  %converted.24 = sext i8 %element.8 to i64
  %sum.24 = add i64 %sum.8, %converted.24
  %converted.25 = fpext half %element.24 to float
  %converted.26 = fpext half %element.24 to float
  %dot.24 = call float @llvm.fma.f32(float %converted.25, float %converted.26, float %dot.8)
  %converted.27 = sext i8 %element.9 to i64
  %sum.25 = add i64 %sum.9, %converted.27
  %converted.28 = fpext half %element.25 to float
  %converted.29 = fpext half %element.25 to float
  %dot.25 = call float @llvm.fma.f32(float %converted.28, float %converted.29, float %dot.9)
  %converted.30 = sext i8 %element.10 to i64
  %sum.26 = add i64 %sum.10, %converted.30
  %converted.31 = fpext half %element.26 to float
  %converted.32 = fpext half %element.26 to float
  %dot.26 = call float @llvm.fma.f32(float %converted.31, float %converted.32, float %dot.10)
  %converted.33 = sext i8 %element.11 to i64
  %sum.27 = add i64 %sum.11, %converted.33
  %converted.34 = fpext half %element.27 to float
  %converted.35 = fpext half %element.27 to float
  %dot.27 = call float @llvm.fma.f32(float %converted.34, float %converted.35, float %dot.11)
  %converted.36 = sext i8 %element.12 to i64
  %sum.28 = add i64 %sum.12, %converted.36
  %converted.37 = fpext half %element.28 to float
  %converted.38 = fpext half %element.28 to float
  %dot.28 = call float @llvm.fma.f32(float %converted.37, float %converted.38, float %dot.12)
  %converted.39 = sext i8 %element.13 to i64
  %sum.29 = add i64 %sum.13, %converted.39
  %converted.40 = fpext half %element.29 to float
  %converted.41 = fpext half %element.29 to float
  %dot.29 = call float @llvm.fma.f32(float %converted.40, float %converted.41, float %dot.13)
  %converted.42 = sext i8 %element.14 to i64
  %sum.30 = add i64 %sum.14, %converted.42
  %converted.43 = fpext half %element.30 to float
  %converted.44 = fpext half %element.30 to float
  %dot.30 = call float @llvm.fma.f32(float %converted.43, float %converted.44, float %dot.14)
  %converted.45 = sext i8 %element.15 to i64
  %sum.31 = add i64 %sum.15, %converted.45
  %converted.46 = fpext half %element.31 to float
  %converted.47 = fpext half %element.31 to float
  %dot.31 = call float @llvm.fma.f32(float %converted.46, float %converted.47, float %dot.15)
  %converted.48 = sext i8 %element.32 to i64
  %sum.32 = add i64 %sum.16, %converted.48
  %converted.49 = fpext half %element.48 to float
  %converted.50 = fpext half %element.48 to float
  %dot.32 = call float @llvm.fma.f32(float %converted.49, float %converted.50, float %dot.16)
  %converted.51 = sext i8 %element.33 to i64
  %sum.33 = add i64 %sum.17, %converted.51
  %converted.52 = fpext half %element.49 to float
  %converted.53 = fpext half %element.49 to float
  %dot.33 = call float @llvm.fma.f32(float %converted.52, float %converted.53, float %dot.17)
  %converted.54 = sext i8 %element.34 to i64
  %sum.34 = add i64 %sum.18, %converted.54
  %converted.55 = fpext half %element.50 to float
  %converted.56 = fpext half %element.50 to float
  %dot.34 = call float @llvm.fma.f32(float %converted.55, float %converted.56, float %dot.18)
  %converted.57 = sext i8 %element.35 to i64
  %sum.35 = add i64 %sum.19, %converted.57
  %converted.58 = fpext half %element.51 to float
  %converted.59 = fpext half %element.51 to float
  %dot.35 = call float @llvm.fma.f32(float %converted.58, float %converted.59, float %dot.19)
  %converted.60 = sext i8 %element.36 to i64
  %sum.36 = add i64 %sum.20, %converted.60
  %converted.61 = fpext half %element.52 to float
  %converted.62 = fpext half %element.52 to float
  %dot.36 = call float @llvm.fma.f32(float %converted.61, float %converted.62, float %dot.20)
  %converted.63 = sext i8 %element.37 to i64
  %sum.37 = add i64 %sum.21, %converted.63
  %converted.64 = fpext half %element.53 to float
  %converted.65 = fpext half %element.53 to float
  %dot.37 = call float @llvm.fma.f32(float %converted.64, float %converted.65, float %dot.21)
  %converted.66 = sext i8 %element.38 to i64
  %sum.38 = add i64 %sum.22, %converted.66
  %converted.67 = fpext half %element.54 to float
  %converted.68 = fpext half %element.54 to float
  %dot.38 = call float @llvm.fma.f32(float %converted.67, float %converted.68, float %dot.22)
  %converted.69 = sext i8 %element.39 to i64
  %sum.39 = add i64 %sum.23, %converted.69
  %converted.70 = fpext half %element.55 to float
  %converted.71 = fpext half %element.55 to float
  %dot.39 = call float @llvm.fma.f32(float %converted.70, float %converted.71, float %dot.23)
  %converted.72 = sext i8 %element.40 to i64
  %sum.40 = add i64 %sum.24, %converted.72
  %converted.73 = fpext half %element.56 to float
  %converted.74 = fpext half %element.56 to float
  %dot.40 = call float @llvm.fma.f32(float %converted.73, float %converted.74, float %dot.24)
  %converted.75 = sext i8 %element.41 to i64
  %sum.41 = add i64 %sum.25, %converted.75
  %converted.76 = fpext half %element.57 to float
  %converted.77 = fpext half %element.57 to float
  %dot.41 = call float @llvm.fma.f32(float %converted.76, float %converted.77, float %dot.25)
  %converted.78 = sext i8 %element.42 to i64
  %sum.42 = add i64 %sum.26, %converted.78
  %converted.79 = fpext half %element.58 to float
  %converted.80 = fpext half %element.58 to float
  %dot.42 = call float @llvm.fma.f32(float %converted.79, float %converted.80, float %dot.26)
  %converted.81 = sext i8 %element.43 to i64
  %sum.43 = add i64 %sum.27, %converted.81
  %converted.82 = fpext half %element.59 to float
  %converted.83 = fpext half %element.59 to float
  %dot.43 = call float @llvm.fma.f32(float %converted.82, float %converted.83, float %dot.27)
  %converted.84 = sext i8 %element.44 to i64
  %sum.44 = add i64 %sum.28, %converted.84
  %converted.85 = fpext half %element.60 to float
  %converted.86 = fpext half %element.60 to float
  %dot.44 = call float @llvm.fma.f32(float %converted.85, float %converted.86, float %dot.28)
  %converted.87 = sext i8 %element.45 to i64
  %sum.45 = add i64 %sum.29, %converted.87
  %converted.88 = fpext half %element.61 to float
  %converted.89 = fpext half %element.61 to float
  %dot.45 = call float @llvm.fma.f32(float %converted.88, float %converted.89, float %dot.29)
  %converted.90 = sext i8 %element.46 to i64
  %sum.46 = add i64 %sum.30, %converted.90
  %converted.91 = fpext half %element.62 to float
  %converted.92 = fpext half %element.62 to float
  %dot.46 = call float @llvm.fma.f32(float %converted.91, float %converted.92, float %dot.30)
  %converted.93 = sext i8 %element.47 to i64
  %sum.47 = add i64 %sum.31, %converted.93
  %converted.94 = fpext half %element.63 to float
  %converted.95 = fpext half %element.63 to float
  %dot.47 = call float @llvm.fma.f32(float %converted.94, float %converted.95, float %dot.31)
  %at.8 = getelementptr i8, ptr addrspace(1) %pointer0, i64 %stride
  %at.9 = getelementptr i8, ptr addrspace(1) %pointer1, i64 %stride.1
  %next = add i64 %counter, %step
  br label %wide.tiles, !llvm.loop !2

wide.tiles.end:
  %taken = sub i64 %counter, %step
  %first = add i64 %taken, %grid.thread
  %offset.2 = mul i64 %first, 16
  %at.10 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.2
  %stride.2 = mul i64 %grid.threads, 16
  %offset.3 = mul i64 %first, 32
  %at.11 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.3
  %stride.3 = mul i64 %grid.threads, 32
  br label %wide.rest

wide.rest:
  %counter.1 = phi i64 [ %first, %wide.tiles.end ], [ %next.1, %wide.rest.body ]
  %pointer0.1 = phi ptr addrspace(1) [ %at.10, %wide.tiles.end ], [ %at.15, %wide.rest.body ]
  %pointer1.1 = phi ptr addrspace(1) [ %at.11, %wide.tiles.end ], [ %at.16, %wide.rest.body ]
  %sum.48 = phi i64 [ %sum, %wide.tiles.end ], [ %sum.64, %wide.rest.body ]
  %sum.49 = phi i64 [ %sum.1, %wide.tiles.end ], [ %sum.65, %wide.rest.body ]
  %sum.50 = phi i64 [ %sum.2, %wide.tiles.end ], [ %sum.66, %wide.rest.body ]
  %sum.51 = phi i64 [ %sum.3, %wide.tiles.end ], [ %sum.67, %wide.rest.body ]
  %sum.52 = phi i64 [ %sum.4, %wide.tiles.end ], [ %sum.68, %wide.rest.body ]
  %sum.53 = phi i64 [ %sum.5, %wide.tiles.end ], [ %sum.69, %wide.rest.body ]
  %sum.54 = phi i64 [ %sum.6, %wide.tiles.end ], [ %sum.70, %wide.rest.body ]
  %sum.55 = phi i64 [ %sum.7, %wide.tiles.end ], [ %sum.71, %wide.rest.body ]
  %sum.56 = phi i64 [ %sum.8, %wide.tiles.end ], [ %sum.72, %wide.rest.body ]
  %sum.57 = phi i64 [ %sum.9, %wide.tiles.end ], [ %sum.73, %wide.rest.body ]
  %sum.58 = phi i64 [ %sum.10, %wide.tiles.end ], [ %sum.74, %wide.rest.body ]
  %sum.59 = phi i64 [ %sum.11, %wide.tiles.end ], [ %sum.75, %wide.rest.body ]
  %sum.60 = phi i64 [ %sum.12, %wide.tiles.end ], [ %sum.76, %wide.rest.body ]
  %sum.61 = phi i64 [ %sum.13, %wide.tiles.end ], [ %sum.77, %wide.rest.body ]
  %sum.62 = phi i64 [ %sum.14, %wide.tiles.end ], [ %sum.78, %wide.rest.body ]
  %sum.63 = phi i64 [ %sum.15, %wide.tiles.end ], [ %sum.79, %wide.rest.body ]
  %dot.48 = phi float [ %dot, %wide.tiles.end ], [ %dot.64, %wide.rest.body ]
  %dot.49 = phi float [ %dot.1, %wide.tiles.end ], [ %dot.65, %wide.rest.body ]
  %dot.50 = phi float [ %dot.2, %wide.tiles.end ], [ %dot.66, %wide.rest.body ]
  %dot.51 = phi float [ %dot.3, %wide.tiles.end ], [ %dot.67, %wide.rest.body ]
  %dot.52 = phi float [ %dot.4, %wide.tiles.end ], [ %dot.68, %wide.rest.body ]
  %dot.53 = phi float [ %dot.5, %wide.tiles.end ], [ %dot.69, %wide.rest.body ]
  %dot.54 = phi float [ %dot.6, %wide.tiles.end ], [ %dot.70, %wide.rest.body ]
  %dot.55 = phi float [ %dot.7, %wide.tiles.end ], [ %dot.71, %wide.rest.body ]
  %dot.56 = phi float [ %dot.8, %wide.tiles.end ], [ %dot.72, %wide.rest.body ]
  %dot.57 = phi float [ %dot.9, %wide.tiles.end ], [ %dot.73, %wide.rest.body ]
  %dot.58 = phi float [ %dot.10, %wide.tiles.end ], [ %dot.74, %wide.rest.body ]
  %dot.59 = phi float [ %dot.11, %wide.tiles.end ], [ %dot.75, %wide.rest.body ]
  %dot.60 = phi float [ %dot.12, %wide.tiles.end ], [ %dot.76, %wide.rest.body ]
  %dot.61 = phi float [ %dot.13, %wide.tiles.end ], [ %dot.77, %wide.rest.body ]
  %dot.62 = phi float [ %dot.14, %wide.tiles.end ], [ %dot.78, %wide.rest.body ]
  %dot.63 = phi float [ %dot.15, %wide.tiles.end ], [ %dot.79, %wide.rest.body ]
  %goes.on.1 = icmp ult i64 %counter.1, %groups
  br i1 %goes.on.1, label %wide.rest.body, label %wide.rest.end

wide.rest.body:
  %at.12 = getelementptr i8, ptr addrspace(1) %pointer0.1, i64 0
  %loaded.6 = load <16 x i8>, ptr addrspace(1) %at.12, align 16, !invariant.load !0
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
  %at.13 = getelementptr i8, ptr addrspace(1) %pointer1.1, i64 0
  %loaded.7 = load <8 x half>, ptr addrspace(1) %at.13, align 16, !invariant.load !0
  %element.80 = extractelement <8 x half> %loaded.7, i32 0
  %element.81 = extractelement <8 x half> %loaded.7, i32 1
  %element.82 = extractelement <8 x half> %loaded.7, i32 2
  %element.83 = extractelement <8 x half> %loaded.7, i32 3
  %element.84 = extractelement <8 x half> %loaded.7, i32 4
  %element.85 = extractelement <8 x half> %loaded.7, i32 5
  %element.86 = extractelement <8 x half> %loaded.7, i32 6
  %element.87 = extractelement <8 x half> %loaded.7, i32 7
  %at.14 = getelementptr i8, ptr addrspace(1) %pointer1.1, i64 16
  %loaded.8 = load <8 x half>, ptr addrspace(1) %at.14, align 16, !invariant.load !0
  %element.88 = extractelement <8 x half> %loaded.8, i32 0
  %element.89 = extractelement <8 x half> %loaded.8, i32 1
  %element.90 = extractelement <8 x half> %loaded.8, i32 2
  %element.91 = extractelement <8 x half> %loaded.8, i32 3
  %element.92 = extractelement <8 x half> %loaded.8, i32 4
  %element.93 = extractelement <8 x half> %loaded.8, i32 5
  %element.94 = extractelement <8 x half> %loaded.8, i32 6
  %element.95 = extractelement <8 x half> %loaded.8, i32 7
  %converted.96 = sext i8 %element.64 to i64
  %sum.64 = add i64 %sum.48, %converted.96
  %converted.97 = fpext half %element.80 to float
  %converted.98 = fpext half %element.80 to float
  %dot.64 = call float @llvm.fma.f32(float %converted.97, float %converted.98, float %dot.48)
  %converted.99 = sext i8 %element.65 to i64
  %sum.65 = add i64 %sum.49, %converted.99
  %converted.100 = fpext half %element.81 to float
  %converted.101 = fpext half %element.81 to float
  %dot.65 = call float @llvm.fma.f32(float %converted.100, float %converted.101, float %dot.49)
  %converted.102 = sext i8 %element.66 to i64
  %sum.66 = add i64 %sum.50, %converted.102
  %converted.103 = fpext half %element.82 to float
  %converted.104 = fpext half %element.82 to float
  %dot.66 = call float @llvm.fma.f32(float %converted.103, float %converted.104, float %dot.50)
  %converted.105 = sext i8 %element.67 to i64
  %sum.67 = add i64 %sum.51, %converted.105
  %converted.106 = fpext half %element.83 to float
  %converted.107 = fpext half %element.83 to float
  %dot.67 = call float @llvm.fma.f32(float %converted.106, float %converted.107, float %dot.51)
  %converted.108 = sext i8 %element.68 to i64
  %sum.68 = add i64 %sum.52, %converted.108
  %converted.109 = fpext half %element.84 to float
  %converted.110 = fpext half %element.84 to float
  %dot.68 = call float @llvm.fma.f32(float %converted.109, float %converted.110, float %dot.52)
  %converted.111 = sext i8 %element.69 to i64
  %sum.69 = add i64 %sum.53, %converted.111
  %converted.112 = fpext half %element.85 to float
  %converted.113 = fpext half %element.85 to float
  %dot.69 = call float @llvm.fma.f32(float %converted.112, float %converted.113, float %dot.53)
  %converted.114 = sext i8 %element.70 to i64
  %sum.70 = add i64 %sum.54, %converted.114
  %converted.115 = fpext half %element.86 to float
  %converted.116 = fpext half %element.86 to float
  %dot.70 = call float @llvm.fma.f32(float %converted.115, float %converted.116, float %dot.54)
  %converted.117 = sext i8 %element.71 to i64
  %sum.71 = add i64 %sum.55, %converted.117
  %converted.118 = fpext half %element.87 to float
  %converted.119 = fpext half %element.87 to float
  %dot.71 = call float @llvm.fma.f32(float %converted.118, float %converted.119, float %dot.55)
  %converted.120 = sext i8 %element.72 to i64
  %sum.72 = add i64 %sum.56, %converted.120
  %converted.121 = fpext half %element.88 to float
  %converted.122 = fpext half %element.88 to float
  %dot.72 = call float @llvm.fma.f32(float %converted.121, float %converted.122, float %dot.56)
  %converted.123 = sext i8 %element.73 to i64
  %sum.73 = add i64 %sum.57, %converted.123
  %converted.124 = fpext half %element.89 to float
  %converted.125 = fpext half %element.89 to float
  %dot.73 = call float @llvm.fma.f32(float %converted.124, float %converted.125, float %dot.57)
  %converted.126 = sext i8 %element.74 to i64
  %sum.74 = add i64 %sum.58, %converted.126
  %converted.127 = fpext half %element.90 to float
  %converted.128 = fpext half %element.90 to float
  %dot.74 = call float @llvm.fma.f32(float %converted.127, float %converted.128, float %dot.58)
  %converted.129 = sext i8 %element.75 to i64
  %sum.75 = add i64 %sum.59, %converted.129
  %converted.130 = fpext half %element.91 to float
  %converted.131 = fpext half %element.91 to float
  %dot.75 = call float @llvm.fma.f32(float %converted.130, float %converted.131, float %dot.59)
  %converted.132 = sext i8 %element.76 to i64
  %sum.76 = add i64 %sum.60, %converted.132
  %converted.133 = fpext half %element.92 to float
  %converted.134 = fpext half %element.92 to float
  %dot.76 = call float @llvm.fma.f32(float %converted.133, float %converted.134, float %dot.60)
  %converted.135 = sext i8 %element.77 to i64
  %sum.77 = add i64 %sum.61, %converted.135
  %converted.136 = fpext half %element.93 to float
  %converted.137 = fpext half %element.93 to float
  %dot.77 = call float @llvm.fma.f32(float %converted.136, float %converted.137, float %dot.61)
  %converted.138 = sext i8 %element.78 to i64
  %sum.78 = add i64 %sum.62, %converted.138
  %converted.139 = fpext half %element.94 to float
  %converted.140 = fpext half %element.94 to float
  %dot.78 = call float @llvm.fma.f32(float %converted.139, float %converted.140, float %dot.62)
  %converted.141 = sext i8 %element.79 to i64
  %sum.79 = add i64 %sum.63, %converted.141
  %converted.142 = fpext half %element.95 to float
  %converted.143 = fpext half %element.95 to float
  %dot.79 = call float @llvm.fma.f32(float %converted.142, float %converted.143, float %dot.63)
  %at.15 = getelementptr i8, ptr addrspace(1) %pointer0.1, i64 %stride.2
  %at.16 = getelementptr i8, ptr addrspace(1) %pointer1.1, i64 %stride.3
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
  %at.17 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.4
  %stride.4 = mul i64 %step.1, 16
  %offset.5 = mul i64 %in.tile.1, 32
  %at.18 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.5
  %stride.5 = mul i64 %step.1, 32
  br label %narrow.tiles

narrow.tiles:
  %counter.2 = phi i64 [ %step.1, %unaligned ], [ %next.2, %narrow.tiles.body ]
  %pointer0.2 = phi ptr addrspace(1) [ %at.17, %unaligned ], [ %at.83, %narrow.tiles.body ]
  %pointer1.2 = phi ptr addrspace(1) [ %at.18, %unaligned ], [ %at.84, %narrow.tiles.body ]
  %sum.80 = phi i64 [ 0, %unaligned ], [ %sum.112, %narrow.tiles.body ]
  %sum.81 = phi i64 [ 0, %unaligned ], [ %sum.113, %narrow.tiles.body ]
  %sum.82 = phi i64 [ 0, %unaligned ], [ %sum.114, %narrow.tiles.body ]
  %sum.83 = phi i64 [ 0, %unaligned ], [ %sum.115, %narrow.tiles.body ]
  %sum.84 = phi i64 [ 0, %unaligned ], [ %sum.116, %narrow.tiles.body ]
  %sum.85 = phi i64 [ 0, %unaligned ], [ %sum.117, %narrow.tiles.body ]
  %sum.86 = phi i64 [ 0, %unaligned ], [ %sum.118, %narrow.tiles.body ]
  %sum.87 = phi i64 [ 0, %unaligned ], [ %sum.119, %narrow.tiles.body ]
  %sum.88 = phi i64 [ 0, %unaligned ], [ %sum.120, %narrow.tiles.body ]
  %sum.89 = phi i64 [ 0, %unaligned ], [ %sum.121, %narrow.tiles.body ]
  %sum.90 = phi i64 [ 0, %unaligned ], [ %sum.122, %narrow.tiles.body ]
  %sum.91 = phi i64 [ 0, %unaligned ], [ %sum.123, %narrow.tiles.body ]
  %sum.92 = phi i64 [ 0, %unaligned ], [ %sum.124, %narrow.tiles.body ]
  %sum.93 = phi i64 [ 0, %unaligned ], [ %sum.125, %narrow.tiles.body ]
  %sum.94 = phi i64 [ 0, %unaligned ], [ %sum.126, %narrow.tiles.body ]
  %sum.95 = phi i64 [ 0, %unaligned ], [ %sum.127, %narrow.tiles.body ]
  %dot.80 = phi float [ -0.0, %unaligned ], [ %dot.112, %narrow.tiles.body ]
  %dot.81 = phi float [ -0.0, %unaligned ], [ %dot.113, %narrow.tiles.body ]
  %dot.82 = phi float [ -0.0, %unaligned ], [ %dot.114, %narrow.tiles.body ]
  %dot.83 = phi float [ -0.0, %unaligned ], [ %dot.115, %narrow.tiles.body ]
  %dot.84 = phi float [ -0.0, %unaligned ], [ %dot.116, %narrow.tiles.body ]
  %dot.85 = phi float [ -0.0, %unaligned ], [ %dot.117, %narrow.tiles.body ]
  %dot.86 = phi float [ -0.0, %unaligned ], [ %dot.118, %narrow.tiles.body ]
  %dot.87 = phi float [ -0.0, %unaligned ], [ %dot.119, %narrow.tiles.body ]
  %dot.88 = phi float [ -0.0, %unaligned ], [ %dot.120, %narrow.tiles.body ]
  %dot.89 = phi float [ -0.0, %unaligned ], [ %dot.121, %narrow.tiles.body ]
  %dot.90 = phi float [ -0.0, %unaligned ], [ %dot.122, %narrow.tiles.body ]
  %dot.91 = phi float [ -0.0, %unaligned ], [ %dot.123, %narrow.tiles.body ]
  %dot.92 = phi float [ -0.0, %unaligned ], [ %dot.124, %narrow.tiles.body ]
  %dot.93 = phi float [ -0.0, %unaligned ], [ %dot.125, %narrow.tiles.body ]
  %dot.94 = phi float [ -0.0, %unaligned ], [ %dot.126, %narrow.tiles.body ]
  %dot.95 = phi float [ -0.0, %unaligned ], [ %dot.127, %narrow.tiles.body ]
  %goes.on.2 = icmp ult i64 %counter.2, %limit.1
  br i1 %goes.on.2, label %narrow.tiles.body, label %narrow.tiles.end

narrow.tiles.body:
  %at.19 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 0
  %element.96 = load i8, ptr addrspace(1) %at.19, align 1, !invariant.load !0
  %at.20 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 1
  %element.97 = load i8, ptr addrspace(1) %at.20, align 1, !invariant.load !0
  %at.21 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 2
  %element.98 = load i8, ptr addrspace(1) %at.21, align 1, !invariant.load !0
  %at.22 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 3
  %element.99 = load i8, ptr addrspace(1) %at.22, align 1, !invariant.load !0
  %at.23 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 4
  %element.100 = load i8, ptr addrspace(1) %at.23, align 1, !invariant.load !0
  %at.24 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 5
  %element.101 = load i8, ptr addrspace(1) %at.24, align 1, !invariant.load !0
  %at.25 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 6
  %element.102 = load i8, ptr addrspace(1) %at.25, align 1, !invariant.load !0
  %at.26 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 7
  %element.103 = load i8, ptr addrspace(1) %at.26, align 1, !invariant.load !0
  %at.27 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 8
  %element.104 = load i8, ptr addrspace(1) %at.27, align 1, !invariant.load !0
  %at.28 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 9
  %element.105 = load i8, ptr addrspace(1) %at.28, align 1, !invariant.load !0
  %at.29 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 10
  %element.106 = load i8, ptr addrspace(1) %at.29, align 1, !invariant.load !0
  %at.30 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 11
  %element.107 = load i8, ptr addrspace(1) %at.30, align 1, !invariant.load !0
  %at.31 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 12
  %element.108 = load i8, ptr addrspace(1) %at.31, align 1, !invariant.load !0
  %at.32 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 13
  %element.109 = load i8, ptr addrspace(1) %at.32, align 1, !invariant.load !0
  %at.33 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 14
  %element.110 = load i8, ptr addrspace(1) %at.33, align 1, !invariant.load !0
  %at.34 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 15
  %element.111 = load i8, ptr addrspace(1) %at.34, align 1, !invariant.load !0
  %at.35 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 0
  %element.112 = load half, ptr addrspace(1) %at.35, align 2, !invariant.load !0
  %at.36 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 2
  %element.113 = load half, ptr addrspace(1) %at.36, align 2, !invariant.load !0
  %at.37 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 4
  %element.114 = load half, ptr addrspace(1) %at.37, align 2, !invariant.load !0
  %at.38 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 6
  %element.115 = load half, ptr addrspace(1) %at.38, align 2, !invariant.load !0
  %at.39 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 8
  %element.116 = load half, ptr addrspace(1) %at.39, align 2, !invariant.load !0
  %at.40 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 10
  %element.117 = load half, ptr addrspace(1) %at.40, align 2, !invariant.load !0
  %at.41 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 12
  %element.118 = load half, ptr addrspace(1) %at.41, align 2, !invariant.load !0
  %at.42 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 14
  %element.119 = load half, ptr addrspace(1) %at.42, align 2, !invariant.load !0
  %at.43 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 16
  %element.120 = load half, ptr addrspace(1) %at.43, align 2, !invariant.load !0
  %at.44 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 18
  %element.121 = load half, ptr addrspace(1) %at.44, align 2, !invariant.load !0
  %at.45 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 20
  %element.122 = load half, ptr addrspace(1) %at.45, align 2, !invariant.load !0
  %at.46 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 22
  %element.123 = load half, ptr addrspace(1) %at.46, align 2, !invariant.load !0
  %at.47 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 24
  %element.124 = load half, ptr addrspace(1) %at.47, align 2, !invariant.load !0
  %at.48 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 26
  %element.125 = load half, ptr addrspace(1) %at.48, align 2, !invariant.load !0
  %at.49 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 28
  %element.126 = load half, ptr addrspace(1) %at.49, align 2, !invariant.load !0
  %at.50 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 30
  %element.127 = load half, ptr addrspace(1) %at.50, align 2, !invariant.load !0
  %at.51 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 512
  %element.128 = load i8, ptr addrspace(1) %at.51, align 1, !invariant.load !0
  %at.52 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 513
  %element.129 = load i8, ptr addrspace(1) %at.52, align 1, !invariant.load !0
  %at.53 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 514
  %element.130 = load i8, ptr addrspace(1) %at.53, align 1, !invariant.load !0
  %at.54 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 515
  %element.131 = load i8, ptr addrspace(1) %at.54, align 1, !invariant.load !0
  %at.55 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 516
  %element.132 = load i8, ptr addrspace(1) %at.55, align 1, !invariant.load !0
  %at.56 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 517
  %element.133 = load i8, ptr addrspace(1) %at.56, align 1, !invariant.load !0
  %at.57 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 518
  %element.134 = load i8, ptr addrspace(1) %at.57, align 1, !invariant.load !0
  %at.58 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 519
  %element.135 = load i8, ptr addrspace(1) %at.58, align 1, !invariant.load !0
  %at.59 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 520
  %element.136 = load i8, ptr addrspace(1) %at.59, align 1, !invariant.load !0
  %at.60 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 521
  %element.137 = load i8, ptr addrspace(1) %at.60, align 1, !invariant.load !0
  %at.61 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 522
  %element.138 = load i8, ptr addrspace(1) %at.61, align 1, !invariant.load !0
  %at.62 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 523
  %element.139 = load i8, ptr addrspace(1) %at.62, align 1, !invariant.load !0
  %at.63 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 524
  %element.140 = load i8, ptr addrspace(1) %at.63, align 1, !invariant.load !0
  %at.64 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 525
  %element.141 = load i8, ptr addrspace(1) %at.64, align 1, !invariant.load !0
  %at.65 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 526
  %element.142 = load i8, ptr addrspace(1) %at.65, align 1, !invariant.load !0
  %at.66 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 527
  %element.143 = load i8, ptr addrspace(1) %at.66, align 1, !invariant.load !0
  %at.67 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 1024
  %element.144 = load half, ptr addrspace(1) %at.67, align 2, !invariant.load !0
  %at.68 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 1026
  %element.145 = load half, ptr addrspace(1) %at.68, align 2, !invariant.load !0
  %at.69 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 1028
  %element.146 = load half, ptr addrspace(1) %at.69, align 2, !invariant.load !0
  %at.70 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 1030
  %element.147 = load half, ptr addrspace(1) %at.70, align 2, !invariant.load !0
  %at.71 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 1032
  %element.148 = load half, ptr addrspace(1) %at.71, align 2, !invariant.load !0
  %at.72 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 1034
  %element.149 = load half, ptr addrspace(1) %at.72, align 2, !invariant.load !0
  %at.73 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 1036
  %element.150 = load half, ptr addrspace(1) %at.73, align 2, !invariant.load !0
  %at.74 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 1038
  %element.151 = load half, ptr addrspace(1) %at.74, align 2, !invariant.load !0
  %at.75 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 1040
  %element.152 = load half, ptr addrspace(1) %at.75, align 2, !invariant.load !0
  %at.76 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 1042
  %element.153 = load half, ptr addrspace(1) %at.76, align 2, !invariant.load !0
  %at.77 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 1044
  %element.154 = load half, ptr addrspace(1) %at.77, align 2, !invariant.load !0
  %at.78 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 1046
  %element.155 = load half, ptr addrspace(1) %at.78, align 2, !invariant.load !0
  %at.79 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 1048
  %element.156 = load half, ptr addrspace(1) %at.79, align 2, !invariant.load !0
  %at.80 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 1050
  %element.157 = load half, ptr addrspace(1) %at.80, align 2, !invariant.load !0
  %at.81 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 1052
  %element.158 = load half, ptr addrspace(1) %at.81, align 2, !invariant.load !0
  %at.82 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 1054
  %element.159 = load half, ptr addrspace(1) %at.82, align 2, !invariant.load !0
  %converted.144 = sext i8 %element.96 to i64
  %sum.96 = add i64 %sum.80, %converted.144
  %converted.145 = fpext half %element.112 to float
  %converted.146 = fpext half %element.112 to float
  %dot.96 = call float @llvm.fma.f32(float %converted.145, float %converted.146, float %dot.80)
  %converted.147 = sext i8 %element.97 to i64
  %sum.97 = add i64 %sum.81, %converted.147
  %converted.148 = fpext half %element.113 to float
  %converted.149 = fpext half %element.113 to float
  %dot.97 = call float @llvm.fma.f32(float %converted.148, float %converted.149, float %dot.81)
  %converted.150 = sext i8 %element.98 to i64
  %sum.98 = add i64 %sum.82, %converted.150
  %converted.151 = fpext half %element.114 to float
  %converted.152 = fpext half %element.114 to float
  %dot.98 = call float @llvm.fma.f32(float %converted.151, float %converted.152, float %dot.82)
  %converted.153 = sext i8 %element.99 to i64
  %sum.99 = add i64 %sum.83, %converted.153
  %converted.154 = fpext half %element.115 to float
  %converted.155 = fpext half %element.115 to float
  %dot.99 = call float @llvm.fma.f32(float %converted.154, float %converted.155, float %dot.83)
  %converted.156 = sext i8 %element.100 to i64
  %sum.100 = add i64 %sum.84, %converted.156
  %converted.157 = fpext half %element.116 to float
  %converted.158 = fpext half %element.116 to float
  %dot.100 = call float @llvm.fma.f32(float %converted.157, float %converted.158, float %dot.84)
  %converted.159 = sext i8 %element.101 to i64
  %sum.101 = add i64 %sum.85, %converted.159
  %converted.160 = fpext half %element.117 to float
  %converted.161 = fpext half %element.117 to float
  %dot.101 = call float @llvm.fma.f32(float %converted.160, float %converted.161, float %dot.85)
  %converted.162 = sext i8 %element.102 to i64
  %sum.102 = add i64 %sum.86, %converted.162
  %converted.163 = fpext half %element.118 to float
  %converted.164 = fpext half %element.118 to float
  %dot.102 = call float @llvm.fma.f32(float %converted.163, float %converted.164, float %dot.86)
  %converted.165 = sext i8 %element.103 to i64
  %sum.103 = add i64 %sum.87, %converted.165
  %converted.166 = fpext half %element.119 to float
  %converted.167 = fpext half %element.119 to float
  %dot.103 = call float @llvm.fma.f32(float %converted.166, float %converted.167, float %dot.87)
  %converted.168 = sext i8 %element.104 to i64
  %sum.104 = add i64 %sum.88, %converted.168
  %converted.169 = fpext half %element.120 to float
  %converted.170 = fpext half %element.120 to float
  %dot.104 = call float @llvm.fma.f32(float %converted.169, float %converted.170, float %dot.88)
  %converted.171 = sext i8 %element.105 to i64
  %sum.105 = add i64 %sum.89, %converted.171
  %converted.172 = fpext half %element.121 to float
  %converted.173 = fpext half %element.121 to float
  %dot.105 = call float @llvm.fma.f32(float %converted.172, float %converted.173, float %dot.89)
  %converted.174 = sext i8 %element.106 to i64
  %sum.106 = add i64 %sum.90, %converted.174
  %converted.175 = fpext half %element.122 to float
  %converted.176 = fpext half %element.122 to float
  %dot.106 = call float @llvm.fma.f32(float %converted.175, float %converted.176, float %dot.90)
  %converted.177 = sext i8 %element.107 to i64
  %sum.107 = add i64 %sum.91, %converted.177
  %converted.178 = fpext half %element.123 to float
  %converted.179 = fpext half %element.123 to float
  %dot.107 = call float @llvm.fma.f32(float %converted.178, float %converted.179, float %dot.91)
  %converted.180 = sext i8 %element.108 to i64
  %sum.108 = add i64 %sum.92, %converted.180
  %converted.181 = fpext half %element.124 to float
  %converted.182 = fpext half %element.124 to float
  %dot.108 = call float @llvm.fma.f32(float %converted.181, float %converted.182, float %dot.92)
  %converted.183 = sext i8 %element.109 to i64
  %sum.109 = add i64 %sum.93, %converted.183
  %converted.184 = fpext half %element.125 to float
  %converted.185 = fpext half %element.125 to float
  %dot.109 = call float @llvm.fma.f32(float %converted.184, float %converted.185, float %dot.93)
  %converted.186 = sext i8 %element.110 to i64
  %sum.110 = add i64 %sum.94, %converted.186
  %converted.187 = fpext half %element.126 to float
  %converted.188 = fpext half %element.126 to float
  %dot.110 = call float @llvm.fma.f32(float %converted.187, float %converted.188, float %dot.94)
  %converted.189 = sext i8 %element.111 to i64
  %sum.111 = add i64 %sum.95, %converted.189
  %converted.190 = fpext half %element.127 to float
  %converted.191 = fpext half %element.127 to float
  %dot.111 = call float @llvm.fma.f32(float %converted.190, float %converted.191, float %dot.95)
  %converted.192 = sext i8 %element.128 to i64
  %sum.112 = add i64 %sum.96, %converted.192
  %converted.193 = fpext half %element.144 to float
  %converted.194 = fpext half %element.144 to float
  %dot.112 = call float @llvm.fma.f32(float %converted.193, float %converted.194, float %dot.96)
  %converted.195 = sext i8 %element.129 to i64
  %sum.113 = add i64 %sum.97, %converted.195
  %converted.196 = fpext half %element.145 to float
  %converted.197 = fpext half %element.145 to float
  %dot.113 = call float @llvm.fma.f32(float %converted.196, float %converted.197, float %dot.97)
  %converted.198 = sext i8 %element.130 to i64
  %sum.114 = add i64 %sum.98, %converted.198
  %converted.199 = fpext half %element.146 to float
  %converted.200 = fpext half %element.146 to float
  %dot.114 = call float @llvm.fma.f32(float %converted.199, float %converted.200, float %dot.98)
  %converted.201 = sext i8 %element.131 to i64
  %sum.115 = add i64 %sum.99, %converted.201
  %converted.202 = fpext half %element.147 to float
  %converted.203 = fpext half %element.147 to float
  %dot.115 = call float @llvm.fma.f32(float %converted.202, float %converted.203, float %dot.99)
  %converted.204 = sext i8 %element.132 to i64
  %sum.116 = add i64 %sum.100, %converted.204
  %converted.205 = fpext half %element.148 to float
  %converted.206 = fpext half %element.148 to float
  %dot.116 = call float @llvm.fma.f32(float %converted.205, float %converted.206, float %dot.100)
  %converted.207 = sext i8 %element.133 to i64
  %sum.117 = add i64 %sum.101, %converted.207
  %converted.208 = fpext half %element.149 to float
  %converted.209 = fpext half %element.149 to float
  %dot.117 = call float @llvm.fma.f32(float %converted.208, float %converted.209, float %dot.101)
  %converted.210 = sext i8 %element.134 to i64
  %sum.118 = add i64 %sum.102, %converted.210
  %converted.211 = fpext half %element.150 to float
  %converted.212 = fpext half %element.150 to float
  %dot.118 = call float @llvm.fma.f32(float %converted.211, float %converted.212, float %dot.102)
  %converted.213 = sext i8 %element.135 to i64
  %sum.119 = add i64 %sum.103, %converted.213
  %converted.214 = fpext half %element.151 to float
  %converted.215 = fpext half %element.151 to float
  %dot.119 = call float @llvm.fma.f32(float %converted.214, float %converted.215, float %dot.103)
  %converted.216 = sext i8 %element.136 to i64
  %sum.120 = add i64 %sum.104, %converted.216
  %converted.217 = fpext half %element.152 to float
  %converted.218 = fpext half %element.152 to float
  %dot.120 = call float @llvm.fma.f32(float %converted.217, float %converted.218, float %dot.104)
  %converted.219 = sext i8 %element.137 to i64
  %sum.121 = add i64 %sum.105, %converted.219
  %converted.220 = fpext half %element.153 to float
  %converted.221 = fpext half %element.153 to float
  %dot.121 = call float @llvm.fma.f32(float %converted.220, float %converted.221, float %dot.105)
  %converted.222 = sext i8 %element.138 to i64
  %sum.122 = add i64 %sum.106, %converted.222
  %converted.223 = fpext half %element.154 to float
  %converted.224 = fpext half %element.154 to float
  %dot.122 = call float @llvm.fma.f32(float %converted.223, float %converted.224, float %dot.106)
  %converted.225 = sext i8 %element.139 to i64
  %sum.123 = add i64 %sum.107, %converted.225
  %converted.226 = fpext half %element.155 to float
  %converted.227 = fpext half %element.155 to float
  %dot.123 = call float @llvm.fma.f32(float %converted.226, float %converted.227, float %dot.107)
  %converted.228 = sext i8 %element.140 to i64
  %sum.124 = add i64 %sum.108, %converted.228
  %converted.229 = fpext half %element.156 to float
  %converted.230 = fpext half %element.156 to float
  %dot.124 = call float @llvm.fma.f32(float %converted.229, float %converted.230, float %dot.108)
  %converted.231 = sext i8 %element.141 to i64
  %sum.125 = add i64 %sum.109, %converted.231
  %converted.232 = fpext half %element.157 to float
  %converted.233 = fpext half %element.157 to float
  %dot.125 = call float @llvm.fma.f32(float %converted.232, float %converted.233, float %dot.109)
  %converted.234 = sext i8 %element.142 to i64
  %sum.126 = add i64 %sum.110, %converted.234
  %converted.235 = fpext half %element.158 to float
  %converted.236 = fpext half %element.158 to float
  %dot.126 = call float @llvm.fma.f32(float %converted.235, float %converted.236, float %dot.110)
  %converted.237 = sext i8 %element.143 to i64
  %sum.127 = add i64 %sum.111, %converted.237
  %converted.238 = fpext half %element.159 to float
  %converted.239 = fpext half %element.159 to float
  %dot.127 = call float @llvm.fma.f32(float %converted.238, float %converted.239, float %dot.111)
  %at.83 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 %stride.4
  %at.84 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 %stride.5
  %next.2 = add i64 %counter.2, %step.1
  br label %narrow.tiles, !llvm.loop !6

narrow.tiles.end:
  %taken.1 = sub i64 %counter.2, %step.1
  %first.1 = add i64 %taken.1, %grid.thread
  %offset.6 = mul i64 %first.1, 16
  %at.85 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.6
  %stride.6 = mul i64 %grid.threads, 16
  %offset.7 = mul i64 %first.1, 32
  %at.86 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.7
  %stride.7 = mul i64 %grid.threads, 32
  br label %narrow.rest

narrow.rest:
  %counter.3 = phi i64 [ %first.1, %narrow.tiles.end ], [ %next.3, %narrow.rest.body ]
  %pointer0.3 = phi ptr addrspace(1) [ %at.85, %narrow.tiles.end ], [ %at.119, %narrow.rest.body ]
  %pointer1.3 = phi ptr addrspace(1) [ %at.86, %narrow.tiles.end ], [ %at.120, %narrow.rest.body ]
  %sum.128 = phi i64 [ %sum.80, %narrow.tiles.end ], [ %sum.144, %narrow.rest.body ]
  %sum.129 = phi i64 [ %sum.81, %narrow.tiles.end ], [ %sum.145, %narrow.rest.body ]
  %sum.130 = phi i64 [ %sum.82, %narrow.tiles.end ], [ %sum.146, %narrow.rest.body ]
  %sum.131 = phi i64 [ %sum.83, %narrow.tiles.end ], [ %sum.147, %narrow.rest.body ]
  %sum.132 = phi i64 [ %sum.84, %narrow.tiles.end ], [ %sum.148, %narrow.rest.body ]
  %sum.133 = phi i64 [ %sum.85, %narrow.tiles.end ], [ %sum.149, %narrow.rest.body ]
  %sum.134 = phi i64 [ %sum.86, %narrow.tiles.end ], [ %sum.150, %narrow.rest.body ]
  %sum.135 = phi i64 [ %sum.87, %narrow.tiles.end ], [ %sum.151, %narrow.rest.body ]
  %sum.136 = phi i64 [ %sum.88, %narrow.tiles.end ], [ %sum.152, %narrow.rest.body ]
  %sum.137 = phi i64 [ %sum.89, %narrow.tiles.end ], [ %sum.153, %narrow.rest.body ]
  %sum.138 = phi i64 [ %sum.90, %narrow.tiles.end ], [ %sum.154, %narrow.rest.body ]
  %sum.139 = phi i64 [ %sum.91, %narrow.tiles.end ], [ %sum.155, %narrow.rest.body ]
  %sum.140 = phi i64 [ %sum.92, %narrow.tiles.end ], [ %sum.156, %narrow.rest.body ]
  %sum.141 = phi i64 [ %sum.93, %narrow.tiles.end ], [ %sum.157, %narrow.rest.body ]
  %sum.142 = phi i64 [ %sum.94, %narrow.tiles.end ], [ %sum.158, %narrow.rest.body ]
  %sum.143 = phi i64 [ %sum.95, %narrow.tiles.end ], [ %sum.159, %narrow.rest.body ]
  %dot.128 = phi float [ %dot.80, %narrow.tiles.end ], [ %dot.144, %narrow.rest.body ]
  %dot.129 = phi float [ %dot.81, %narrow.tiles.end ], [ %dot.145, %narrow.rest.body ]
  %dot.130 = phi float [ %dot.82, %narrow.tiles.end ], [ %dot.146, %narrow.rest.body ]
  %dot.131 = phi float [ %dot.83, %narrow.tiles.end ], [ %dot.147, %narrow.rest.body ]
  %dot.132 = phi float [ %dot.84, %narrow.tiles.end ], [ %dot.148, %narrow.rest.body ]
  %dot.133 = phi float [ %dot.85, %narrow.tiles.end ], [ %dot.149, %narrow.rest.body ]
  %dot.134 = phi float [ %dot.86, %narrow.tiles.end ], [ %dot.150, %narrow.rest.body ]
  %dot.135 = phi float [ %dot.87, %narrow.tiles.end ], [ %dot.151, %narrow.rest.body ]
  %dot.136 = phi float [ %dot.88, %narrow.tiles.end ], [ %dot.152, %narrow.rest.body ]
  %dot.137 = phi float [ %dot.89, %narrow.tiles.end ], [ %dot.153, %narrow.rest.body ]
  %dot.138 = phi float [ %dot.90, %narrow.tiles.end ], [ %dot.154, %narrow.rest.body ]
  %dot.139 = phi float [ %dot.91, %narrow.tiles.end ], [ %dot.155, %narrow.rest.body ]
  %dot.140 = phi float [ %dot.92, %narrow.tiles.end ], [ %dot.156, %narrow.rest.body ]
  %dot.141 = phi float [ %dot.93, %narrow.tiles.end ], [ %dot.157, %narrow.rest.body ]
  %dot.142 = phi float [ %dot.94, %narrow.tiles.end ], [ %dot.158, %narrow.rest.body ]
  %dot.143 = phi float [ %dot.95, %narrow.tiles.end ], [ %dot.159, %narrow.rest.body ]
  %goes.on.3 = icmp ult i64 %counter.3, %groups
  br i1 %goes.on.3, label %narrow.rest.body, label %narrow.rest.end

narrow.rest.body:
  %at.87 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 0
  %element.160 = load i8, ptr addrspace(1) %at.87, align 1, !invariant.load !0
  %at.88 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 1
  %element.161 = load i8, ptr addrspace(1) %at.88, align 1, !invariant.load !0
  %at.89 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 2
  %element.162 = load i8, ptr addrspace(1) %at.89, align 1, !invariant.load !0
  %at.90 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 3
  %element.163 = load i8, ptr addrspace(1) %at.90, align 1, !invariant.load !0
  %at.91 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 4
  %element.164 = load i8, ptr addrspace(1) %at.91, align 1, !invariant.load !0
  %at.92 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 5
  %element.165 = load i8, ptr addrspace(1) %at.92, align 1, !invariant.load !0
  %at.93 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 6
  %element.166 = load i8, ptr addrspace(1) %at.93, align 1, !invariant.load !0
  %at.94 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 7
  %element.167 = load i8, ptr addrspace(1) %at.94, align 1, !invariant.load !0
  %at.95 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 8
  %element.168 = load i8, ptr addrspace(1) %at.95, align 1, !invariant.load !0
  %at.96 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 9
  %element.169 = load i8, ptr addrspace(1) %at.96, align 1, !invariant.load !0
  %at.97 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 10
  %element.170 = load i8, ptr addrspace(1) %at.97, align 1, !invariant.load !0
  %at.98 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 11
  %element.171 = load i8, ptr addrspace(1) %at.98, align 1, !invariant.load !0
  %at.99 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 12
  %element.172 = load i8, ptr addrspace(1) %at.99, align 1, !invariant.load !0
  %at.100 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 13
  %element.173 = load i8, ptr addrspace(1) %at.100, align 1, !invariant.load !0
  %at.101 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 14
  %element.174 = load i8, ptr addrspace(1) %at.101, align 1, !invariant.load !0
  %at.102 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 15
  %element.175 = load i8, ptr addrspace(1) %at.102, align 1, !invariant.load !0
  %at.103 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 0
  %element.176 = load half, ptr addrspace(1) %at.103, align 2, !invariant.load !0
  %at.104 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 2
  %element.177 = load half, ptr addrspace(1) %at.104, align 2, !invariant.load !0
  %at.105 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 4
  %element.178 = load half, ptr addrspace(1) %at.105, align 2, !invariant.load !0
  %at.106 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 6
  %element.179 = load half, ptr addrspace(1) %at.106, align 2, !invariant.load !0
  %at.107 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 8
  %element.180 = load half, ptr addrspace(1) %at.107, align 2, !invariant.load !0
  %at.108 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 10
  %element.181 = load half, ptr addrspace(1) %at.108, align 2, !invariant.load !0
  %at.109 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 12
  %element.182 = load half, ptr addrspace(1) %at.109, align 2, !invariant.load !0
  %at.110 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 14
  %element.183 = load half, ptr addrspace(1) %at.110, align 2, !invariant.load !0
  %at.111 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 16
  %element.184 = load half, ptr addrspace(1) %at.111, align 2, !invariant.load !0
  %at.112 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 18
  %element.185 = load half, ptr addrspace(1) %at.112, align 2, !invariant.load !0
  %at.113 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 20
  %element.186 = load half, ptr addrspace(1) %at.113, align 2, !invariant.load !0
  %at.114 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 22
  %element.187 = load half, ptr addrspace(1) %at.114, align 2, !invariant.load !0
  %at.115 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 24
  %element.188 = load half, ptr addrspace(1) %at.115, align 2, !invariant.load !0
  %at.116 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 26
  %element.189 = load half, ptr addrspace(1) %at.116, align 2, !invariant.load !0
  %at.117 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 28
  %element.190 = load half, ptr addrspace(1) %at.117, align 2, !invariant.load !0
  %at.118 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 30
  %element.191 = load half, ptr addrspace(1) %at.118, align 2, !invariant.load !0
  %converted.240 = sext i8 %element.160 to i64
  %sum.144 = add i64 %sum.128, %converted.240
  %converted.241 = fpext half %element.176 to float
  %converted.242 = fpext half %element.176 to float
  %dot.144 = call float @llvm.fma.f32(float %converted.241, float %converted.242, float %dot.128)
  %converted.243 = sext i8 %element.161 to i64
  %sum.145 = add i64 %sum.129, %converted.243
  %converted.244 = fpext half %element.177 to float
  %converted.245 = fpext half %element.177 to float
  %dot.145 = call float @llvm.fma.f32(float %converted.244, float %converted.245, float %dot.129)
  %converted.246 = sext i8 %element.162 to i64
  %sum.146 = add i64 %sum.130, %converted.246
  %converted.247 = fpext half %element.178 to float
  %converted.248 = fpext half %element.178 to float
  %dot.146 = call float @llvm.fma.f32(float %converted.247, float %converted.248, float %dot.130)
  %converted.249 = sext i8 %element.163 to i64
  %sum.147 = add i64 %sum.131, %converted.249
  %converted.250 = fpext half %element.179 to float
  %converted.251 = fpext half %element.179 to float
  %dot.147 = call float @llvm.fma.f32(float %converted.250, float %converted.251, float %dot.131)
  %converted.252 = sext i8 %element.164 to i64
  %sum.148 = add i64 %sum.132, %converted.252
  %converted.253 = fpext half %element.180 to float
  %converted.254 = fpext half %element.180 to float
  %dot.148 = call float @llvm.fma.f32(float %converted.253, float %converted.254, float %dot.132)
  %converted.255 = sext i8 %element.165 to i64
  %sum.149 = add i64 %sum.133, %converted.255
  %converted.256 = fpext half %element.181 to float
  %converted.257 = fpext half %element.181 to float
  %dot.149 = call float @llvm.fma.f32(float %converted.256, float %converted.257, float %dot.133)
  %converted.258 = sext i8 %element.166 to i64
  %sum.150 = add i64 %sum.134, %converted.258
  %converted.259 = fpext half %element.182 to float
  %converted.260 = fpext half %element.182 to float
  %dot.150 = call float @llvm.fma.f32(float %converted.259, float %converted.260, float %dot.134)
  %converted.261 = sext i8 %element.167 to i64
  %sum.151 = add i64 %sum.135, %converted.261
  %converted.262 = fpext half %element.183 to float
  %converted.263 = fpext half %element.183 to float
  %dot.151 = call float @llvm.fma.f32(float %converted.262, float %converted.263, float %dot.135)
  %converted.264 = sext i8 %element.168 to i64
  %sum.152 = add i64 %sum.136, %converted.264
  %converted.265 = fpext half %element.184 to float
  %converted.266 = fpext half %element.184 to float
  %dot.152 = call float @llvm.fma.f32(float %converted.265, float %converted.266, float %dot.136)
  %converted.267 = sext i8 %element.169 to i64
  %sum.153 = add i64 %sum.137, %converted.267
  %converted.268 = fpext half %element.185 to float
  %converted.269 = fpext half %element.185 to float
  %dot.153 = call float @llvm.fma.f32(float %converted.268, float %converted.269, float %dot.137)
  %converted.270 = sext i8 %element.170 to i64
  %sum.154 = add i64 %sum.138, %converted.270
  %converted.271 = fpext half %element.186 to float
  %converted.272 = fpext half %element.186 to float
  %dot.154 = call float @llvm.fma.f32(float %converted.271, float %converted.272, float %dot.138)
  %converted.273 = sext i8 %element.171 to i64
  %sum.155 = add i64 %sum.139, %converted.273
  %converted.274 = fpext half %element.187 to float
  %converted.275 = fpext half %element.187 to float
  %dot.155 = call float @llvm.fma.f32(float %converted.274, float %converted.275, float %dot.139)
  %converted.276 = sext i8 %element.172 to i64
  %sum.156 = add i64 %sum.140, %converted.276
  %converted.277 = fpext half %element.188 to float
  %converted.278 = fpext half %element.188 to float
  %dot.156 = call float @llvm.fma.f32(float %converted.277, float %converted.278, float %dot.140)
  %converted.279 = sext i8 %element.173 to i64
  %sum.157 = add i64 %sum.141, %converted.279
  %converted.280 = fpext half %element.189 to float
  %converted.281 = fpext half %element.189 to float
  %dot.157 = call float @llvm.fma.f32(float %converted.280, float %converted.281, float %dot.141)
  %converted.282 = sext i8 %element.174 to i64
  %sum.158 = add i64 %sum.142, %converted.282
  %converted.283 = fpext half %element.190 to float
  %converted.284 = fpext half %element.190 to float
  %dot.158 = call float @llvm.fma.f32(float %converted.283, float %converted.284, float %dot.142)
  %converted.285 = sext i8 %element.175 to i64
  %sum.159 = add i64 %sum.143, %converted.285
  %converted.286 = fpext half %element.191 to float
  %converted.287 = fpext half %element.191 to float
  %dot.159 = call float @llvm.fma.f32(float %converted.286, float %converted.287, float %dot.143)
  %at.119 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 %stride.6
  %at.120 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 %stride.7
  %next.3 = add i64 %counter.3, %grid.threads
  br label %narrow.rest, !llvm.loop !8

narrow.rest.end:
  br label %whole

whole:
  %sum.160 = phi i64 [ %sum.48, %wide.rest.end ], [ %sum.128, %narrow.rest.end ]
  %sum.161 = phi i64 [ %sum.49, %wide.rest.end ], [ %sum.129, %narrow.rest.end ]
  %sum.162 = phi i64 [ %sum.50, %wide.rest.end ], [ %sum.130, %narrow.rest.end ]
  %sum.163 = phi i64 [ %sum.51, %wide.rest.end ], [ %sum.131, %narrow.rest.end ]
  %sum.164 = phi i64 [ %sum.52, %wide.rest.end ], [ %sum.132, %narrow.rest.end ]
  %sum.165 = phi i64 [ %sum.53, %wide.rest.end ], [ %sum.133, %narrow.rest.end ]
  %sum.166 = phi i64 [ %sum.54, %wide.rest.end ], [ %sum.134, %narrow.rest.end ]
  %sum.167 = phi i64 [ %sum.55, %wide.rest.end ], [ %sum.135, %narrow.rest.end ]
  %sum.168 = phi i64 [ %sum.56, %wide.rest.end ], [ %sum.136, %narrow.rest.end ]
  %sum.169 = phi i64 [ %sum.57, %wide.rest.end ], [ %sum.137, %narrow.rest.end ]
  %sum.170 = phi i64 [ %sum.58, %wide.rest.end ], [ %sum.138, %narrow.rest.end ]
  %sum.171 = phi i64 [ %sum.59, %wide.rest.end ], [ %sum.139, %narrow.rest.end ]
  %sum.172 = phi i64 [ %sum.60, %wide.rest.end ], [ %sum.140, %narrow.rest.end ]
  %sum.173 = phi i64 [ %sum.61, %wide.rest.end ], [ %sum.141, %narrow.rest.end ]
  %sum.174 = phi i64 [ %sum.62, %wide.rest.end ], [ %sum.142, %narrow.rest.end ]
  %sum.175 = phi i64 [ %sum.63, %wide.rest.end ], [ %sum.143, %narrow.rest.end ]
  %dot.160 = phi float [ %dot.48, %wide.rest.end ], [ %dot.128, %narrow.rest.end ]
  %dot.161 = phi float [ %dot.49, %wide.rest.end ], [ %dot.129, %narrow.rest.end ]
  %dot.162 = phi float [ %dot.50, %wide.rest.end ], [ %dot.130, %narrow.rest.end ]
  %dot.163 = phi float [ %dot.51, %wide.rest.end ], [ %dot.131, %narrow.rest.end ]
  %dot.164 = phi float [ %dot.52, %wide.rest.end ], [ %dot.132, %narrow.rest.end ]
  %dot.165 = phi float [ %dot.53, %wide.rest.end ], [ %dot.133, %narrow.rest.end ]
  %dot.166 = phi float [ %dot.54, %wide.rest.end ], [ %dot.134, %narrow.rest.end ]
  %dot.167 = phi float [ %dot.55, %wide.rest.end ], [ %dot.135, %narrow.rest.end ]
  %dot.168 = phi float [ %dot.56, %wide.rest.end ], [ %dot.136, %narrow.rest.end ]
  %dot.169 = phi float [ %dot.57, %wide.rest.end ], [ %dot.137, %narrow.rest.end ]
  %dot.170 = phi float [ %dot.58, %wide.rest.end ], [ %dot.138, %narrow.rest.end ]
  %dot.171 = phi float [ %dot.59, %wide.rest.end ], [ %dot.139, %narrow.rest.end ]
  %dot.172 = phi float [ %dot.60, %wide.rest.end ], [ %dot.140, %narrow.rest.end ]
  %dot.173 = phi float [ %dot.61, %wide.rest.end ], [ %dot.141, %narrow.rest.end ]
  %dot.174 = phi float [ %dot.62, %wide.rest.end ], [ %dot.142, %narrow.rest.end ]
  %dot.175 = phi float [ %dot.63, %wide.rest.end ], [ %dot.143, %narrow.rest.end ]
  %sum.total = add i64 %sum.160, %sum.161
  %sum.total.1 = add i64 %sum.total, %sum.162
  %sum.total.2 = add i64 %sum.total.1, %sum.163
  %sum.total.3 = add i64 %sum.total.2, %sum.164
  %sum.total.4 = add i64 %sum.total.3, %sum.165
  %sum.total.5 = add i64 %sum.total.4, %sum.166
  %sum.total.6 = add i64 %sum.total.5, %sum.167
  %sum.total.7 = add i64 %sum.total.6, %sum.168
  %sum.total.8 = add i64 %sum.total.7, %sum.169
  %sum.total.9 = add i64 %sum.total.8, %sum.170
  %sum.total.10 = add i64 %sum.total.9, %sum.171
  %sum.total.11 = add i64 %sum.total.10, %sum.172
  %sum.total.12 = add i64 %sum.total.11, %sum.173
  %sum.total.13 = add i64 %sum.total.12, %sum.174
  %sum.total.14 = add i64 %sum.total.13, %sum.175
  %dot.total = fadd float %dot.160, %dot.161
  %dot.total.1 = fadd float %dot.total, %dot.162
  %dot.total.2 = fadd float %dot.total.1, %dot.163
  %dot.total.3 = fadd float %dot.total.2, %dot.164
  %dot.total.4 = fadd float %dot.total.3, %dot.165
  %dot.total.5 = fadd float %dot.total.4, %dot.166
  %dot.total.6 = fadd float %dot.total.5, %dot.167
  %dot.total.7 = fadd float %dot.total.6, %dot.168
  %dot.total.8 = fadd float %dot.total.7, %dot.169
  %dot.total.9 = fadd float %dot.total.8, %dot.170
  %dot.total.10 = fadd float %dot.total.9, %dot.171
  %dot.total.11 = fadd float %dot.total.10, %dot.172
  %dot.total.12 = fadd float %dot.total.11, %dot.173
  %dot.total.13 = fadd float %dot.total.12, %dot.174
  %dot.total.14 = fadd float %dot.total.13, %dot.175
  %grouped = mul i64 %groups, 16
  %first.2 = add i64 %grouped, %grid.thread
  br label %tail

tail:
  %index = phi i64 [ %first.2, %whole ], [ %next.4, %tail.body ]
  %sum.176 = phi i64 [ %sum.total.14, %whole ], [ %sum.177, %tail.body ]
  %dot.176 = phi float [ %dot.total.14, %whole ], [ %dot.177, %tail.body ]
  %goes.on.4 = icmp ult i64 %index, %n
  br i1 %goes.on.4, label %tail.body, label %tail.end

tail.body:
  %at.121 = getelementptr inbounds i8, ptr addrspace(1) %array0, i64 %index
  %element.192 = load i8, ptr addrspace(1) %at.121, align 1, !invariant.load !0
  %at.122 = getelementptr inbounds half, ptr addrspace(1) %array1, i64 %index
  %element.193 = load half, ptr addrspace(1) %at.122, align 2, !invariant.load !0
  %converted.288 = sext i8 %element.192 to i64
  %sum.177 = add i64 %sum.176, %converted.288
  %converted.289 = fpext half %element.193 to float
  %converted.290 = fpext half %element.193 to float
  %dot.177 = call float @llvm.fma.f32(float %converted.289, float %converted.290, float %dot.176)
  %next.4 = add i64 %index, %grid.threads
  br label %tail, !llvm.loop !10

tail.end:
  %sum.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %sum.private = load ptr, ptr %sum.entry, align 8
  store i64 %sum.176, ptr %sum.private, align 8
  %dot.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %dot.private = load ptr, ptr %dot.entry, align 8
  store float %dot.176, ptr %dot.private, align 4
  ret void
}

define ptx_kernel void @warpfold_reduce(i64 %n, i64 %first, ptr addrspace(1) align 16 %workspace, ptr addrspace(1) align 8 %result, ptr addrspace(1) noalias readonly align 1 %array0, ptr addrspace(1) noalias readonly align 2 %array1) convergent mustprogress nounwind "nvvm.maxntid"="256" {
entry:
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
