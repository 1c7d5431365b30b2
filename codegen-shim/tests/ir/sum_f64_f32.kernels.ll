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
  %words.1 = insertelement <2 x i32> poison, i32 %shuffled, i32 0
  %words.2 = insertelement <2 x i32> %words.1, i32 %shuffled.1, i32 1
  %remote = bitcast <2 x i32> %words.2 to double
  %remote.1 = bitcast i32 %shuffled.2 to float
  %foo.kept = select i1 %copies, double %remote, double %foo.own
  %foo.combined = fadd double %foo.own, %remote
  %foo.next = select i1 %reduces, double %foo.combined, double %foo.kept
  store double %foo.next, ptr %foo.private, align 8
  %bar.kept = select i1 %copies, float %remote.1, float %bar.own
  %bar.combined = fadd float %bar.own, %remote.1
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
  %words.1 = insertelement <2 x i32> poison, i32 %shuffled, i32 0
  %words.2 = insertelement <2 x i32> %words.1, i32 %shuffled.1, i32 1
  %remote = bitcast <2 x i32> %words.2 to double
  %remote.1 = bitcast i32 %shuffled.2 to float
  %foo.combined = fadd double %foo.own, %remote
  %foo.next = select i1 %reduces, double %foo.combined, double %foo.own
  store double %foo.next, ptr %foo.private, align 8
  %bar.combined = fadd float %bar.own, %remote.1
  %bar.next = select i1 %reduces, float %bar.combined, float %bar.own
  store float %bar.next, ptr %bar.private, align 4
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
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
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
define internal void @warpfold_accumulate(ptr %list, i64 %n, i64 %first.index, ptr addrspace(1) noalias readonly align 8 %array0, ptr addrspace(1) noalias readonly align 4 %array1) alwaysinline mustprogress nounwind willreturn {
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
  %offset = mul i64 %in.tile, 32
  %at = getelementptr i8, ptr addrspace(1) %array0, i64 %offset
  %stride = mul i64 %step, 32
  %offset.1 = mul i64 %in.tile, 16
  %at.1 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.1
  %stride.1 = mul i64 %step, 16
  br label %wide.tiles

wide.tiles:
  %counter = phi i64 [ %step, %aligned ], [ %next, %wide.tiles.body ]
  %pointer0 = phi ptr addrspace(1) [ %at, %aligned ], [ %at.8, %wide.tiles.body ]
  %pointer1 = phi ptr addrspace(1) [ %at.1, %aligned ], [ %at.9, %wide.tiles.body ]
  %foo = phi double [ -0.0, %aligned ], [ %foo.8, %wide.tiles.body ]
  %foo.1 = phi double [ -0.0, %aligned ], [ %foo.9, %wide.tiles.body ]
  %foo.2 = phi double [ -0.0, %aligned ], [ %foo.10, %wide.tiles.body ]
  %foo.3 = phi double [ -0.0, %aligned ], [ %foo.11, %wide.tiles.body ]
  %bar = phi float [ -0.0, %aligned ], [ %bar.8, %wide.tiles.body ]
  %bar.1 = phi float [ -0.0, %aligned ], [ %bar.9, %wide.tiles.body ]
  %bar.2 = phi float [ -0.0, %aligned ], [ %bar.10, %wide.tiles.body ]
  %bar.3 = phi float [ -0.0, %aligned ], [ %bar.11, %wide.tiles.body ]
  %goes.on = icmp ult i64 %counter, %limit
  br i1 %goes.on, label %wide.tiles.body, label %wide.tiles.end

wide.tiles.body:
  %at.2 = getelementptr i8, ptr addrspace(1) %pointer0, i64 0
  %loaded = load <2 x double>, ptr addrspace(1) %at.2, align 16, !invariant.load !0
  %element = extractelement <2 x double> %loaded, i32 0
  %element.1 = extractelement <2 x double> %loaded, i32 1
  %at.3 = getelementptr i8, ptr addrspace(1) %pointer0, i64 16
  %loaded.1 = load <2 x double>, ptr addrspace(1) %at.3, align 16, !invariant.load !0
  %element.2 = extractelement <2 x double> %loaded.1, i32 0
  %element.3 = extractelement <2 x double> %loaded.1, i32 1
  %at.4 = getelementptr i8, ptr addrspace(1) %pointer1, i64 0
  %loaded.2 = load <4 x float>, ptr addrspace(1) %at.4, align 16, !invariant.load !0
  %element.4 = extractelement <4 x float> %loaded.2, i32 0
  %element.5 = extractelement <4 x float> %loaded.2, i32 1
  %element.6 = extractelement <4 x float> %loaded.2, i32 2
  %element.7 = extractelement <4 x float> %loaded.2, i32 3
  %at.5 = getelementptr i8, ptr addrspace(1) %pointer0, i64 1024
  %loaded.3 = load <2 x double>, ptr addrspace(1) %at.5, align 16, !invariant.load !0
  %element.8 = extractelement <2 x double> %loaded.3, i32 0
  %element.9 = extractelement <2 x double> %loaded.3, i32 1
  %at.6 = getelementptr i8, ptr addrspace(1) %pointer0, i64 1040
  %loaded.4 = load <2 x double>, ptr addrspace(1) %at.6, align 16, !invariant.load !0
  %element.10 = extractelement <2 x double> %loaded.4, i32 0
  %element.11 = extractelement <2 x double> %loaded.4, i32 1
  %at.7 = getelementptr i8, ptr addrspace(1) %pointer1, i64 512
  %loaded.5 = load <4 x float>, ptr addrspace(1) %at.7, align 16, !invariant.load !0
  %element.12 = extractelement <4 x float> %loaded.5, i32 0
  %element.13 = extractelement <4 x float> %loaded.5, i32 1
  %element.14 = extractelement <4 x float> %loaded.5, i32 2
  %element.15 = extractelement <4 x float> %loaded.5, i32 3
  %foo.4 = fadd double %foo, %element
  %bar.4 = fadd float %bar, %element.4
  %foo.5 = fadd double %foo.1, %element.1
  %bar.5 = fadd float %bar.1, %element.5
  %foo.6 = fadd double %foo.2, %element.2
  %bar.6 = fadd float %bar.2, %element.6
  %foo.7 = fadd double %foo.3, %element.3
  %bar.7 = fadd float %bar.3, %element.7
  %foo.8 = fadd double %foo.4, %element.8
  %bar.8 = fadd float %bar.4, %element.12
  %foo.9 = fadd double %foo.5, %element.9
  %bar.9 = fadd float %bar.5, %element.13
  %foo.10 = fadd double %foo.6, %element.10
  %bar.10 = fadd float %bar.6, %element.14
  %foo.11 = fadd double %foo.7, %element.11
  %bar.11 = fadd float %bar.7, %element.15
  %at.8 = getelementptr i8, ptr addrspace(1) %pointer0, i64 %stride
  %at.9 = getelementptr i8, ptr addrspace(1) %pointer1, i64 %stride.1
  %next = add i64 %counter, %step
  br label %wide.tiles, !llvm.loop !2

wide.tiles.end:
  %taken = sub i64 %counter, %step
  %first = add i64 %taken, %grid.thread
  %offset.2 = mul i64 %first, 32
  %at.10 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.2
  %stride.2 = mul i64 %grid.threads, 32
  %offset.3 = mul i64 %first, 16
  %at.11 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.3
  %stride.3 = mul i64 %grid.threads, 16
  br label %wide.rest

wide.rest:
  %counter.1 = phi i64 [ %first, %wide.tiles.end ], [ %next.1, %wide.rest.body ]
  %pointer0.1 = phi ptr addrspace(1) [ %at.10, %wide.tiles.end ], [ %at.15, %wide.rest.body ]
  %pointer1.1 = phi ptr addrspace(1) [ %at.11, %wide.tiles.end ], [ %at.16, %wide.rest.body ]
  %foo.12 = phi double [ %foo, %wide.tiles.end ], [ %foo.16, %wide.rest.body ]
  %foo.13 = phi double [ %foo.1, %wide.tiles.end ], [ %foo.17, %wide.rest.body ]
  %foo.14 = phi double [ %foo.2, %wide.tiles.end ], [ %foo.18, %wide.rest.body ]
  %foo.15 = phi double [ %foo.3, %wide.tiles.end ], [ %foo.19, %wide.rest.body ]
  %bar.12 = phi float [ %bar, %wide.tiles.end ], [ %bar.16, %wide.rest.body ]
  %bar.13 = phi float [ %bar.1, %wide.tiles.end ], [ %bar.17, %wide.rest.body ]
  %bar.14 = phi float [ %bar.2, %wide.tiles.end ], [ %bar.18, %wide.rest.body ]
  %bar.15 = phi float [ %bar.3, %wide.tiles.end ], [ %bar.19, %wide.rest.body ]
  %goes.on.1 = icmp ult i64 %counter.1, %groups
  br i1 %goes.on.1, label %wide.rest.body, label %wide.rest.end

wide.rest.body:
  %at.12 = getelementptr i8, ptr addrspace(1) %pointer0.1, i64 0
  %loaded.6 = load <2 x double>, ptr addrspace(1) %at.12, align 16, !invariant.load !0
  %element.16 = extractelement <2 x double> %loaded.6, i32 0
  %element.17 = extractelement <2 x double> %loaded.6, i32 1
  %at.13 = getelementptr i8, ptr addrspace(1) %pointer0.1, i64 16
  %loaded.7 = load <2 x double>, ptr addrspace(1) %at.13, align 16, !invariant.load !0
  %element.18 = extractelement <2 x double> %loaded.7, i32 0
  %element.19 = extractelement <2 x double> %loaded.7, i32 1
  %at.14 = getelementptr i8, ptr addrspace(1) %pointer1.1, i64 0
  %loaded.8 = load <4 x float>, ptr addrspace(1) %at.14, align 16, !invariant.load !0
  %element.20 = extractelement <4 x float> %loaded.8, i32 0
  %element.21 = extractelement <4 x float> %loaded.8, i32 1
  %element.22 = extractelement <4 x float> %loaded.8, i32 2
  %element.23 = extractelement <4 x float> %loaded.8, i32 3
  %foo.16 = fadd double %foo.12, %element.16
  %bar.16 = fadd float %bar.12, %element.20
  %foo.17 = fadd double %foo.13, %element.17
  %bar.17 = fadd float %bar.13, %element.21
  %foo.18 = fadd double %foo.14, %element.18
  %bar.18 = fadd float %bar.14, %element.22
  %foo.19 = fadd double %foo.15, %element.19
  %bar.19 = fadd float %bar.15, %element.23
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
  %offset.4 = mul i64 %in.tile.1, 32
  %at.17 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.4
  %stride.4 = mul i64 %step.1, 32
  %offset.5 = mul i64 %in.tile.1, 16
  %at.18 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.5
  %stride.5 = mul i64 %step.1, 16
  br label %narrow.tiles

narrow.tiles:
  %counter.2 = phi i64 [ %step.1, %unaligned ], [ %next.2, %narrow.tiles.body ]
  %pointer0.2 = phi ptr addrspace(1) [ %at.17, %unaligned ], [ %at.35, %narrow.tiles.body ]
  %pointer1.2 = phi ptr addrspace(1) [ %at.18, %unaligned ], [ %at.36, %narrow.tiles.body ]
  %foo.20 = phi double [ -0.0, %unaligned ], [ %foo.28, %narrow.tiles.body ]
  %foo.21 = phi double [ -0.0, %unaligned ], [ %foo.29, %narrow.tiles.body ]
  %foo.22 = phi double [ -0.0, %unaligned ], [ %foo.30, %narrow.tiles.body ]
  %foo.23 = phi double [ -0.0, %unaligned ], [ %foo.31, %narrow.tiles.body ]
  %bar.20 = phi float [ -0.0, %unaligned ], [ %bar.28, %narrow.tiles.body ]
  %bar.21 = phi float [ -0.0, %unaligned ], [ %bar.29, %narrow.tiles.body ]
  %bar.22 = phi float [ -0.0, %unaligned ], [ %bar.30, %narrow.tiles.body ]
  %bar.23 = phi float [ -0.0, %unaligned ], [ %bar.31, %narrow.tiles.body ]
  %goes.on.2 = icmp ult i64 %counter.2, %limit.1
  br i1 %goes.on.2, label %narrow.tiles.body, label %narrow.tiles.end

narrow.tiles.body:
  %at.19 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 0
  %element.24 = load double, ptr addrspace(1) %at.19, align 8, !invariant.load !0
  %at.20 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 8
  %element.25 = load double, ptr addrspace(1) %at.20, align 8, !invariant.load !0
  %at.21 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 16
  %element.26 = load double, ptr addrspace(1) %at.21, align 8, !invariant.load !0
  %at.22 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 24
  %element.27 = load double, ptr addrspace(1) %at.22, align 8, !invariant.load !0
  %at.23 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 0
  %element.28 = load float, ptr addrspace(1) %at.23, align 4, !invariant.load !0
  %at.24 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 4
  %element.29 = load float, ptr addrspace(1) %at.24, align 4, !invariant.load !0
  %at.25 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 8
  %element.30 = load float, ptr addrspace(1) %at.25, align 4, !invariant.load !0
  %at.26 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 12
  %element.31 = load float, ptr addrspace(1) %at.26, align 4, !invariant.load !0
  %at.27 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 1024
  %element.32 = load double, ptr addrspace(1) %at.27, align 8, !invariant.load !0
  %at.28 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 1032
  %element.33 = load double, ptr addrspace(1) %at.28, align 8, !invariant.load !0
  %at.29 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 1040
  %element.34 = load double, ptr addrspace(1) %at.29, align 8, !invariant.load !0
  %at.30 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 1048
  %element.35 = load double, ptr addrspace(1) %at.30, align 8, !invariant.load !0
  %at.31 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 512
  %element.36 = load float, ptr addrspace(1) %at.31, align 4, !invariant.load !0
  %at.32 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 516
  %element.37 = load float, ptr addrspace(1) %at.32, align 4, !invariant.load !0
  %at.33 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 520
  %element.38 = load float, ptr addrspace(1) %at.33, align 4, !invariant.load !0
  %at.34 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 524
  %element.39 = load float, ptr addrspace(1) %at.34, align 4, !invariant.load !0
  %foo.24 = fadd double %foo.20, %element.24
  %bar.24 = fadd float %bar.20, %element.28
  %foo.25 = fadd double %foo.21, %element.25
  %bar.25 = fadd float %bar.21, %element.29
  %foo.26 = fadd double %foo.22, %element.26
  %bar.26 = fadd float %bar.22, %element.30
  %foo.27 = fadd double %foo.23, %element.27
  %bar.27 = fadd float %bar.23, %element.31
  %foo.28 = fadd double %foo.24, %element.32
  %bar.28 = fadd float %bar.24, %element.36
  %foo.29 = fadd double %foo.25, %element.33
  %bar.29 = fadd float %bar.25, %element.37
  %foo.30 = fadd double %foo.26, %element.34
  %bar.30 = fadd float %bar.26, %element.38
  %foo.31 = fadd double %foo.27, %element.35
  %bar.31 = fadd float %bar.27, %element.39
  %at.35 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 %stride.4
  %at.36 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 %stride.5
  %next.2 = add i64 %counter.2, %step.1
  br label %narrow.tiles, !llvm.loop !6

narrow.tiles.end:
  %taken.1 = sub i64 %counter.2, %step.1
  %first.1 = add i64 %taken.1, %grid.thread
  %offset.6 = mul i64 %first.1, 32
  %at.37 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.6
  %stride.6 = mul i64 %grid.threads, 32
  %offset.7 = mul i64 %first.1, 16
  %at.38 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.7
  %stride.7 = mul i64 %grid.threads, 16
  br label %narrow.rest

narrow.rest:
  %counter.3 = phi i64 [ %first.1, %narrow.tiles.end ], [ %next.3, %narrow.rest.body ]
  %pointer0.3 = phi ptr addrspace(1) [ %at.37, %narrow.tiles.end ], [ %at.47, %narrow.rest.body ]
  %pointer1.3 = phi ptr addrspace(1) [ %at.38, %narrow.tiles.end ], [ %at.48, %narrow.rest.body ]
  %foo.32 = phi double [ %foo.20, %narrow.tiles.end ], [ %foo.36, %narrow.rest.body ]
  %foo.33 = phi double [ %foo.21, %narrow.tiles.end ], [ %foo.37, %narrow.rest.body ]
  %foo.34 = phi double [ %foo.22, %narrow.tiles.end ], [ %foo.38, %narrow.rest.body ]
  %foo.35 = phi double [ %foo.23, %narrow.tiles.end ], [ %foo.39, %narrow.rest.body ]
  %bar.32 = phi float [ %bar.20, %narrow.tiles.end ], [ %bar.36, %narrow.rest.body ]
  %bar.33 = phi float [ %bar.21, %narrow.tiles.end ], [ %bar.37, %narrow.rest.body ]
  %bar.34 = phi float [ %bar.22, %narrow.tiles.end ], [ %bar.38, %narrow.rest.body ]
  %bar.35 = phi float [ %bar.23, %narrow.tiles.end ], [ %bar.39, %narrow.rest.body ]
  %goes.on.3 = icmp ult i64 %counter.3, %groups
  br i1 %goes.on.3, label %narrow.rest.body, label %narrow.rest.end

narrow.rest.body:
  %at.39 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 0
  %element.40 = load double, ptr addrspace(1) %at.39, align 8, !invariant.load !0
  %at.40 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 8
  %element.41 = load double, ptr addrspace(1) %at.40, align 8, !invariant.load !0
  %at.41 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 16
  %element.42 = load double, ptr addrspace(1) %at.41, align 8, !invariant.load !0
  %at.42 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 24
  %element.43 = load double, ptr addrspace(1) %at.42, align 8, !invariant.load !0
  %at.43 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 0
  %element.44 = load float, ptr addrspace(1) %at.43, align 4, !invariant.load !0
  %at.44 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 4
  %element.45 = load float, ptr addrspace(1) %at.44, align 4, !invariant.load !0
  %at.45 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 8
  %element.46 = load float, ptr addrspace(1) %at.45, align 4, !invariant.load !0
  %at.46 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 12
  %element.47 = load float, ptr addrspace(1) %at.46, align 4, !invariant.load !0
  %foo.36 = fadd double %foo.32, %element.40
  %bar.36 = fadd float %bar.32, %element.44
  %foo.37 = fadd double %foo.33, %element.41
  %bar.37 = fadd float %bar.33, %element.45
  %foo.38 = fadd double %foo.34, %element.42
  %bar.38 = fadd float %bar.34, %element.46
  %foo.39 = fadd double %foo.35, %element.43
  %bar.39 = fadd float %bar.35, %element.47
  %at.47 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 %stride.6
  %at.48 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 %stride.7
  %next.3 = add i64 %counter.3, %grid.threads
  br label %narrow.rest, !llvm.loop !8

narrow.rest.end:
  br label %whole

whole:
  %foo.40 = phi double [ %foo.12, %wide.rest.end ], [ %foo.32, %narrow.rest.end ]
  %foo.41 = phi double [ %foo.13, %wide.rest.end ], [ %foo.33, %narrow.rest.end ]
  %foo.42 = phi double [ %foo.14, %wide.rest.end ], [ %foo.34, %narrow.rest.end ]
  %foo.43 = phi double [ %foo.15, %wide.rest.end ], [ %foo.35, %narrow.rest.end ]
  %bar.40 = phi float [ %bar.12, %wide.rest.end ], [ %bar.32, %narrow.rest.end ]
  %bar.41 = phi float [ %bar.13, %wide.rest.end ], [ %bar.33, %narrow.rest.end ]
  %bar.42 = phi float [ %bar.14, %wide.rest.end ], [ %bar.34, %narrow.rest.end ]
  %bar.43 = phi float [ %bar.15, %wide.rest.end ], [ %bar.35, %narrow.rest.end ]
  %foo.total = fadd double %foo.40, %foo.41
  %foo.total.1 = fadd double %foo.total, %foo.42
  %foo.total.2 = fadd double %foo.total.1, %foo.43
  %bar.total = fadd float %bar.40, %bar.41
  %bar.total.1 = fadd float %bar.total, %bar.42
  %bar.total.2 = fadd float %bar.total.1, %bar.43
  %grouped = mul i64 %groups, 4
  %first.2 = add i64 %grouped, %grid.thread
  br label %tail

tail:
  %index = phi i64 [ %first.2, %whole ], [ %next.4, %tail.body ]
  %foo.44 = phi double [ %foo.total.2, %whole ], [ %foo.45, %tail.body ]
  %bar.44 = phi float [ %bar.total.2, %whole ], [ %bar.45, %tail.body ]
  %goes.on.4 = icmp ult i64 %index, %n
  br i1 %goes.on.4, label %tail.body, label %tail.end

tail.body:
  %at.49 = getelementptr inbounds double, ptr addrspace(1) %array0, i64 %index
  %element.48 = load double, ptr addrspace(1) %at.49, align 8, !invariant.load !0
  %at.50 = getelementptr inbounds float, ptr addrspace(1) %array1, i64 %index
  %element.49 = load float, ptr addrspace(1) %at.50, align 4, !invariant.load !0
  %foo.45 = fadd double %foo.44, %element.48
  %bar.45 = fadd float %bar.44, %element.49
  %next.4 = add i64 %index, %grid.threads
  br label %tail, !llvm.loop !10

tail.end:
  %foo.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %foo.private = load ptr, ptr %foo.entry, align 8
  store double %foo.44, ptr %foo.private, align 8
  %bar.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %bar.private = load ptr, ptr %bar.entry, align 8
  store float %bar.44, ptr %bar.private, align 4
  ret void
}

define ptx_kernel void @warpfold_reduce(i64 %n, i64 %first, ptr addrspace(1) align 16 %workspace, ptr addrspace(1) align 8 %result, ptr addrspace(1) noalias readonly align 8 %array0, ptr addrspace(1) noalias readonly align 4 %array1) convergent mustprogress nounwind "nvvm.maxntid"="256" {
entry:
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
