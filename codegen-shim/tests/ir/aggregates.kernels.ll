; z: complex<f32> product of array 0
; bits: {u8,[i16;3]} xor of array 1
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%warpfold.record = type { { float, float }, { i8, [3 x i16] } }
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
  %z.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %z.private = load ptr, ptr %z.entry, align 8
  %z.own = load float, ptr %z.private, align 4
  %z.own.at = getelementptr inbounds i8, ptr %z.private, i64 4
  %z.own.1 = load float, ptr %z.own.at, align 4
  %bits.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %bits.private = load ptr, ptr %bits.entry, align 8
  %bits.own = load i8, ptr %bits.private, align 1
  %bits.own.at = getelementptr inbounds i8, ptr %bits.private, i64 2
  %bits.own.1 = load i16, ptr %bits.own.at, align 2
  %bits.own.at.1 = getelementptr inbounds i8, ptr %bits.private, i64 4
  %bits.own.2 = load i16, ptr %bits.own.at.1, align 2
  %bits.own.at.2 = getelementptr inbounds i8, ptr %bits.private, i64 6
  %bits.own.3 = load i16, ptr %bits.own.at.2, align 2
  %word = bitcast float %z.own to i32
  %word.1 = bitcast float %z.own.1 to i32
  %word.2 = zext i16 %bits.own.1 to i32
  %word.3 = zext i16 %bits.own.2 to i32
  %high = shl i32 %word.3, 16
  %packed = or i32 %word.2, %high
  %word.4 = zext i16 %bits.own.3 to i32
  %word.5 = zext i8 %bits.own to i32
  %high.1 = shl i32 %word.5, 16
  %packed.1 = or i32 %word.4, %high.1
  %shuffled = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %word, i32 %delta, i32 31)
  %shuffled.1 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %word.1, i32 %delta, i32 31)
  %shuffled.2 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %packed, i32 %delta, i32 31)
  %shuffled.3 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %packed.1, i32 %delta, i32 31)
  %remote = bitcast i32 %shuffled to float
  %remote.1 = bitcast i32 %shuffled.1 to float
  %low = lshr i32 %shuffled.3, 16
  %bits = trunc i32 %low to i8
  %bits.1 = trunc i32 %shuffled.2 to i16
  %low.1 = lshr i32 %shuffled.2, 16
  %bits.2 = trunc i32 %low.1 to i16
  %bits.3 = trunc i32 %shuffled.3 to i16
  %z.kept = select i1 %copies, float %remote, float %z.own
  %z.kept.1 = select i1 %copies, float %remote.1, float %z.own.1
  %product = fmul float %z.own, %remote
  %product.1 = fmul float %z.own.1, %remote.1
  %product.2 = fmul float %z.own, %remote.1
  %product.3 = fmul float %z.own.1, %remote
  %z.combined = fsub float %product, %product.1
  %z.combined.1 = fadd float %product.2, %product.3
  %z.next = select i1 %reduces, float %z.combined, float %z.kept
  %z.next.1 = select i1 %reduces, float %z.combined.1, float %z.kept.1
  store float %z.next, ptr %z.private, align 4
  %z.next.at = getelementptr inbounds i8, ptr %z.private, i64 4
  store float %z.next.1, ptr %z.next.at, align 4
  %bits.kept = select i1 %copies, i8 %bits, i8 %bits.own
  %bits.kept.1 = select i1 %copies, i16 %bits.1, i16 %bits.own.1
  %bits.kept.2 = select i1 %copies, i16 %bits.2, i16 %bits.own.2
  %bits.kept.3 = select i1 %copies, i16 %bits.3, i16 %bits.own.3
  %bits.combined = xor i8 %bits.own, %bits
  %bits.combined.1 = xor i16 %bits.own.1, %bits.1
  %bits.combined.2 = xor i16 %bits.own.2, %bits.2
  %bits.combined.3 = xor i16 %bits.own.3, %bits.3
  %bits.next = select i1 %reduces, i8 %bits.combined, i8 %bits.kept
  %bits.next.1 = select i1 %reduces, i16 %bits.combined.1, i16 %bits.kept.1
  %bits.next.2 = select i1 %reduces, i16 %bits.combined.2, i16 %bits.kept.2
  %bits.next.3 = select i1 %reduces, i16 %bits.combined.3, i16 %bits.kept.3
  store i8 %bits.next, ptr %bits.private, align 1
  %bits.next.at = getelementptr inbounds i8, ptr %bits.private, i64 2
  store i16 %bits.next.1, ptr %bits.next.at, align 2
  %bits.next.at.1 = getelementptr inbounds i8, ptr %bits.private, i64 4
  store i16 %bits.next.2, ptr %bits.next.at.1, align 2
  %bits.next.at.2 = getelementptr inbounds i8, ptr %bits.private, i64 6
  store i16 %bits.next.3, ptr %bits.next.at.2, align 2
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
  %z.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %z.private = load ptr, ptr %z.entry, align 8
  %z.own = load float, ptr %z.private, align 4
  %z.own.at = getelementptr inbounds i8, ptr %z.private, i64 4
  %z.own.1 = load float, ptr %z.own.at, align 4
  %bits.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %bits.private = load ptr, ptr %bits.entry, align 8
  %bits.own = load i8, ptr %bits.private, align 1
  %bits.own.at = getelementptr inbounds i8, ptr %bits.private, i64 2
  %bits.own.1 = load i16, ptr %bits.own.at, align 2
  %bits.own.at.1 = getelementptr inbounds i8, ptr %bits.private, i64 4
  %bits.own.2 = load i16, ptr %bits.own.at.1, align 2
  %bits.own.at.2 = getelementptr inbounds i8, ptr %bits.private, i64 6
  %bits.own.3 = load i16, ptr %bits.own.at.2, align 2
  %word = bitcast float %z.own to i32
  %word.1 = bitcast float %z.own.1 to i32
  %word.2 = zext i16 %bits.own.1 to i32
  %word.3 = zext i16 %bits.own.2 to i32
  %high = shl i32 %word.3, 16
  %packed = or i32 %word.2, %high
  %word.4 = zext i16 %bits.own.3 to i32
  %word.5 = zext i8 %bits.own to i32
  %high.1 = shl i32 %word.5, 16
  %packed.1 = or i32 %word.4, %high.1
  %shuffled = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %word, i32 %delta, i32 31)
  %shuffled.1 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %word.1, i32 %delta, i32 31)
  %shuffled.2 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %packed, i32 %delta, i32 31)
  %shuffled.3 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %packed.1, i32 %delta, i32 31)
  %remote = bitcast i32 %shuffled to float
  %remote.1 = bitcast i32 %shuffled.1 to float
  %low = lshr i32 %shuffled.3, 16
  %bits = trunc i32 %low to i8
  %bits.1 = trunc i32 %shuffled.2 to i16
  %low.1 = lshr i32 %shuffled.2, 16
  %bits.2 = trunc i32 %low.1 to i16
  %bits.3 = trunc i32 %shuffled.3 to i16
  %product = fmul float %z.own, %remote
  %product.1 = fmul float %z.own.1, %remote.1
  %product.2 = fmul float %z.own, %remote.1
  %product.3 = fmul float %z.own.1, %remote
  %z.combined = fsub float %product, %product.1
  %z.combined.1 = fadd float %product.2, %product.3
  %z.next = select i1 %reduces, float %z.combined, float %z.own
  %z.next.1 = select i1 %reduces, float %z.combined.1, float %z.own.1
  store float %z.next, ptr %z.private, align 4
  %z.next.at = getelementptr inbounds i8, ptr %z.private, i64 4
  store float %z.next.1, ptr %z.next.at, align 4
  %bits.combined = xor i8 %bits.own, %bits
  %bits.combined.1 = xor i16 %bits.own.1, %bits.1
  %bits.combined.2 = xor i16 %bits.own.2, %bits.2
  %bits.combined.3 = xor i16 %bits.own.3, %bits.3
  %bits.next = select i1 %reduces, i8 %bits.combined, i8 %bits.own
  %bits.next.1 = select i1 %reduces, i16 %bits.combined.1, i16 %bits.own.1
  %bits.next.2 = select i1 %reduces, i16 %bits.combined.2, i16 %bits.own.2
  %bits.next.3 = select i1 %reduces, i16 %bits.combined.3, i16 %bits.own.3
  store i8 %bits.next, ptr %bits.private, align 1
  %bits.next.at = getelementptr inbounds i8, ptr %bits.private, i64 2
  store i16 %bits.next.1, ptr %bits.next.at, align 2
  %bits.next.at.1 = getelementptr inbounds i8, ptr %bits.private, i64 4
  store i16 %bits.next.2, ptr %bits.next.at.1, align 2
  %bits.next.at.2 = getelementptr inbounds i8, ptr %bits.private, i64 6
  store i16 %bits.next.3, ptr %bits.next.at.2, align 2
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
  %z.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %z.private = load ptr, ptr %z.entry, align 8
  %z.moved = load float, ptr %z.private, align 4
  store float %z.moved, ptr addrspace(3) %warp.buffer, align 4
  %z.at = getelementptr inbounds i8, ptr %z.private, i64 4
  %z.shared = getelementptr inbounds i8, ptr addrspace(3) %warp.buffer, i64 4
  %z.moved.1 = load float, ptr %z.at, align 4
  store float %z.moved.1, ptr addrspace(3) %z.shared, align 4
  %bits.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %bits.private = load ptr, ptr %bits.entry, align 8
  %bits.shared = getelementptr inbounds i8, ptr addrspace(3) %warp.buffer, i64 8
  %bits.moved = load i8, ptr %bits.private, align 1
  store i8 %bits.moved, ptr addrspace(3) %bits.shared, align 1
  %bits.at = getelementptr inbounds i8, ptr %bits.private, i64 2
  %bits.shared.1 = getelementptr inbounds i8, ptr addrspace(3) %warp.buffer, i64 10
  %bits.moved.1 = load i16, ptr %bits.at, align 2
  store i16 %bits.moved.1, ptr addrspace(3) %bits.shared.1, align 2
  %bits.at.1 = getelementptr inbounds i8, ptr %bits.private, i64 4
  %bits.shared.2 = getelementptr inbounds i8, ptr addrspace(3) %warp.buffer, i64 12
  %bits.moved.2 = load i16, ptr %bits.at.1, align 2
  store i16 %bits.moved.2, ptr addrspace(3) %bits.shared.2, align 2
  %bits.at.2 = getelementptr inbounds i8, ptr %bits.private, i64 6
  %bits.shared.3 = getelementptr inbounds i8, ptr addrspace(3) %warp.buffer, i64 14
  %bits.moved.3 = load i16, ptr %bits.at.2, align 2
  store i16 %bits.moved.3, ptr addrspace(3) %bits.shared.3, align 2
  br label %published

published:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %receives, label %collect, label %collected

collect:
  %warp.buffer.1 = getelementptr inbounds [16 x i8], ptr addrspace(3) @warpfold_inter_warp_buffers, i32 %thread
  %z.entry.1 = getelementptr inbounds ptr, ptr %list, i64 0
  %z.private.1 = load ptr, ptr %z.entry.1, align 8
  %z.moved.2 = load float, ptr addrspace(3) %warp.buffer.1, align 4
  store float %z.moved.2, ptr %z.private.1, align 4
  %z.at.1 = getelementptr inbounds i8, ptr %z.private.1, i64 4
  %z.shared.1 = getelementptr inbounds i8, ptr addrspace(3) %warp.buffer.1, i64 4
  %z.moved.3 = load float, ptr addrspace(3) %z.shared.1, align 4
  store float %z.moved.3, ptr %z.at.1, align 4
  %bits.entry.1 = getelementptr inbounds ptr, ptr %list, i64 1
  %bits.private.1 = load ptr, ptr %bits.entry.1, align 8
  %bits.shared.4 = getelementptr inbounds i8, ptr addrspace(3) %warp.buffer.1, i64 8
  %bits.moved.4 = load i8, ptr addrspace(3) %bits.shared.4, align 1
  store i8 %bits.moved.4, ptr %bits.private.1, align 1
  %bits.at.3 = getelementptr inbounds i8, ptr %bits.private.1, i64 2
  %bits.shared.5 = getelementptr inbounds i8, ptr addrspace(3) %warp.buffer.1, i64 10
  %bits.moved.5 = load i16, ptr addrspace(3) %bits.shared.5, align 2
  store i16 %bits.moved.5, ptr %bits.at.3, align 2
  %bits.at.4 = getelementptr inbounds i8, ptr %bits.private.1, i64 4
  %bits.shared.6 = getelementptr inbounds i8, ptr addrspace(3) %warp.buffer.1, i64 12
  %bits.moved.6 = load i16, ptr addrspace(3) %bits.shared.6, align 2
  store i16 %bits.moved.6, ptr %bits.at.4, align 2
  %bits.at.5 = getelementptr inbounds i8, ptr %bits.private.1, i64 6
  %bits.shared.7 = getelementptr inbounds i8, ptr addrspace(3) %warp.buffer.1, i64 14
  %bits.moved.7 = load i16, ptr addrspace(3) %bits.shared.7, align 2
  store i16 %bits.moved.7, ptr %bits.at.5, align 2
  br label %collected

collected:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}

define internal void @warpfold_list_to_global_copy(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %z.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %z.private = load ptr, ptr %z.entry, align 8
  %z.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %z.given = load float, ptr %z.private, align 4
  %z.given.at = getelementptr inbounds i8, ptr %z.private, i64 4
  %z.given.1 = load float, ptr %z.given.at, align 4
  store float %z.given, ptr %z.member, align 4
  %z.at = getelementptr inbounds i8, ptr %z.member, i64 4
  store float %z.given.1, ptr %z.at, align 4
  %bits.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %bits.private = load ptr, ptr %bits.entry, align 8
  %bits.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 1
  %bits.given = load i8, ptr %bits.private, align 1
  %bits.given.at = getelementptr inbounds i8, ptr %bits.private, i64 2
  %bits.given.1 = load i16, ptr %bits.given.at, align 2
  %bits.given.at.1 = getelementptr inbounds i8, ptr %bits.private, i64 4
  %bits.given.2 = load i16, ptr %bits.given.at.1, align 2
  %bits.given.at.2 = getelementptr inbounds i8, ptr %bits.private, i64 6
  %bits.given.3 = load i16, ptr %bits.given.at.2, align 2
  store i8 %bits.given, ptr %bits.member, align 1
  %bits.at = getelementptr inbounds i8, ptr %bits.member, i64 2
  store i16 %bits.given.1, ptr %bits.at, align 2
  %bits.at.1 = getelementptr inbounds i8, ptr %bits.member, i64 4
  store i16 %bits.given.2, ptr %bits.at.1, align 2
  %bits.at.2 = getelementptr inbounds i8, ptr %bits.member, i64 6
  store i16 %bits.given.3, ptr %bits.at.2, align 2
  ret void
}

define internal void @warpfold_list_to_global_reduce(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %z.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %z.private = load ptr, ptr %z.entry, align 8
  %z.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %z.given = load float, ptr %z.private, align 4
  %z.given.at = getelementptr inbounds i8, ptr %z.private, i64 4
  %z.given.1 = load float, ptr %z.given.at, align 4
  %z.held = load float, ptr %z.member, align 4
  %z.held.at = getelementptr inbounds i8, ptr %z.member, i64 4
  %z.held.1 = load float, ptr %z.held.at, align 4
  %product = fmul float %z.held, %z.given
  %product.1 = fmul float %z.held.1, %z.given.1
  %product.2 = fmul float %z.held, %z.given.1
  %product.3 = fmul float %z.held.1, %z.given
  %z.combined = fsub float %product, %product.1
  %z.combined.1 = fadd float %product.2, %product.3
  store float %z.combined, ptr %z.member, align 4
  %z.at = getelementptr inbounds i8, ptr %z.member, i64 4
  store float %z.combined.1, ptr %z.at, align 4
  %bits.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %bits.private = load ptr, ptr %bits.entry, align 8
  %bits.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 1
  %bits.given = load i8, ptr %bits.private, align 1
  %bits.given.at = getelementptr inbounds i8, ptr %bits.private, i64 2
  %bits.given.1 = load i16, ptr %bits.given.at, align 2
  %bits.given.at.1 = getelementptr inbounds i8, ptr %bits.private, i64 4
  %bits.given.2 = load i16, ptr %bits.given.at.1, align 2
  %bits.given.at.2 = getelementptr inbounds i8, ptr %bits.private, i64 6
  %bits.given.3 = load i16, ptr %bits.given.at.2, align 2
  %bits.held = load i8, ptr %bits.member, align 1
  %bits.held.at = getelementptr inbounds i8, ptr %bits.member, i64 2
  %bits.held.1 = load i16, ptr %bits.held.at, align 2
  %bits.held.at.1 = getelementptr inbounds i8, ptr %bits.member, i64 4
  %bits.held.2 = load i16, ptr %bits.held.at.1, align 2
  %bits.held.at.2 = getelementptr inbounds i8, ptr %bits.member, i64 6
  %bits.held.3 = load i16, ptr %bits.held.at.2, align 2
  %bits.combined = xor i8 %bits.held, %bits.given
  %bits.combined.1 = xor i16 %bits.held.1, %bits.given.1
  %bits.combined.2 = xor i16 %bits.held.2, %bits.given.2
  %bits.combined.3 = xor i16 %bits.held.3, %bits.given.3
  store i8 %bits.combined, ptr %bits.member, align 1
  %bits.at = getelementptr inbounds i8, ptr %bits.member, i64 2
  store i16 %bits.combined.1, ptr %bits.at, align 2
  %bits.at.1 = getelementptr inbounds i8, ptr %bits.member, i64 4
  store i16 %bits.combined.2, ptr %bits.at.1, align 2
  %bits.at.2 = getelementptr inbounds i8, ptr %bits.member, i64 6
  store i16 %bits.combined.3, ptr %bits.at.2, align 2
  ret void
}

define internal void @warpfold_global_to_list_copy(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %z.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %z.private = load ptr, ptr %z.entry, align 8
  %z.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %z.given = load float, ptr %z.member, align 4
  %z.given.at = getelementptr inbounds i8, ptr %z.member, i64 4
  %z.given.1 = load float, ptr %z.given.at, align 4
  store float %z.given, ptr %z.private, align 4
  %z.at = getelementptr inbounds i8, ptr %z.private, i64 4
  store float %z.given.1, ptr %z.at, align 4
  %bits.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %bits.private = load ptr, ptr %bits.entry, align 8
  %bits.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 1
  %bits.given = load i8, ptr %bits.member, align 1
  %bits.given.at = getelementptr inbounds i8, ptr %bits.member, i64 2
  %bits.given.1 = load i16, ptr %bits.given.at, align 2
  %bits.given.at.1 = getelementptr inbounds i8, ptr %bits.member, i64 4
  %bits.given.2 = load i16, ptr %bits.given.at.1, align 2
  %bits.given.at.2 = getelementptr inbounds i8, ptr %bits.member, i64 6
  %bits.given.3 = load i16, ptr %bits.given.at.2, align 2
  store i8 %bits.given, ptr %bits.private, align 1
  %bits.at = getelementptr inbounds i8, ptr %bits.private, i64 2
  store i16 %bits.given.1, ptr %bits.at, align 2
  %bits.at.1 = getelementptr inbounds i8, ptr %bits.private, i64 4
  store i16 %bits.given.2, ptr %bits.at.1, align 2
  %bits.at.2 = getelementptr inbounds i8, ptr %bits.private, i64 6
  store i16 %bits.given.3, ptr %bits.at.2, align 2
  ret void
}

define internal void @warpfold_global_to_list_reduce(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %index = zext i32 %idx to i64
  %z.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %z.private = load ptr, ptr %z.entry, align 8
  %z.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 0
  %z.given = load float, ptr %z.member, align 4
  %z.given.at = getelementptr inbounds i8, ptr %z.member, i64 4
  %z.given.1 = load float, ptr %z.given.at, align 4
  %z.held = load float, ptr %z.private, align 4
  %z.held.at = getelementptr inbounds i8, ptr %z.private, i64 4
  %z.held.1 = load float, ptr %z.held.at, align 4
  %product = fmul float %z.held, %z.given
  %product.1 = fmul float %z.held.1, %z.given.1
  %product.2 = fmul float %z.held, %z.given.1
  %product.3 = fmul float %z.held.1, %z.given
  %z.combined = fsub float %product, %product.1
  %z.combined.1 = fadd float %product.2, %product.3
  store float %z.combined, ptr %z.private, align 4
  %z.at = getelementptr inbounds i8, ptr %z.private, i64 4
  store float %z.combined.1, ptr %z.at, align 4
  %bits.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %bits.private = load ptr, ptr %bits.entry, align 8
  %bits.member = getelementptr inbounds %warpfold.record, ptr %buffer, i64 %index, i32 1
  %bits.given = load i8, ptr %bits.member, align 1
  %bits.given.at = getelementptr inbounds i8, ptr %bits.member, i64 2
  %bits.given.1 = load i16, ptr %bits.given.at, align 2
  %bits.given.at.1 = getelementptr inbounds i8, ptr %bits.member, i64 4
  %bits.given.2 = load i16, ptr %bits.given.at.1, align 2
  %bits.given.at.2 = getelementptr inbounds i8, ptr %bits.member, i64 6
  %bits.given.3 = load i16, ptr %bits.given.at.2, align 2
  %bits.held = load i8, ptr %bits.private, align 1
  %bits.held.at = getelementptr inbounds i8, ptr %bits.private, i64 2
  %bits.held.1 = load i16, ptr %bits.held.at, align 2
  %bits.held.at.1 = getelementptr inbounds i8, ptr %bits.private, i64 4
  %bits.held.2 = load i16, ptr %bits.held.at.1, align 2
  %bits.held.at.2 = getelementptr inbounds i8, ptr %bits.private, i64 6
  %bits.held.3 = load i16, ptr %bits.held.at.2, align 2
  %bits.combined = xor i8 %bits.held, %bits.given
  %bits.combined.1 = xor i16 %bits.held.1, %bits.given.1
  %bits.combined.2 = xor i16 %bits.held.2, %bits.given.2
  %bits.combined.3 = xor i16 %bits.held.3, %bits.given.3
  store i8 %bits.combined, ptr %bits.private, align 1
  %bits.at = getelementptr inbounds i8, ptr %bits.private, i64 2
  store i16 %bits.combined.1, ptr %bits.at, align 2
  %bits.at.1 = getelementptr inbounds i8, ptr %bits.private, i64 4
  store i16 %bits.combined.2, ptr %bits.at.1, align 2
  %bits.at.2 = getelementptr inbounds i8, ptr %bits.private, i64 6
  store i16 %bits.combined.3, ptr %bits.at.2, align 2
  ret void
}

define internal void @warpfold_initialize(ptr %list) alwaysinline mustprogress nounwind willreturn {
entry:
  %z.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %z.private = load ptr, ptr %z.entry, align 8
  store float 1.0, ptr %z.private, align 4
  %z.at = getelementptr inbounds i8, ptr %z.private, i64 4
  store float 0.0, ptr %z.at, align 4
  %bits.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %bits.private = load ptr, ptr %bits.entry, align 8
  store i8 0, ptr %bits.private, align 1
  %bits.at = getelementptr inbounds i8, ptr %bits.private, i64 2
  store i16 0, ptr %bits.at, align 2
  %bits.at.1 = getelementptr inbounds i8, ptr %bits.private, i64 4
  store i16 0, ptr %bits.at.1, align 2
  %bits.at.2 = getelementptr inbounds i8, ptr %bits.private, i64 6
  store i16 0, ptr %bits.at.2, align 2
  ret void
}

; The thread's share of n elements, reduced into its private copies.
define internal void @warpfold_accumulate(ptr %list, i64 %n, i64 %first.index, ptr addrspace(1) noalias readonly align 4 %array0, ptr addrspace(1) noalias readonly align 2 %array1) alwaysinline mustprogress nounwind willreturn {
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
  %pointer0 = phi ptr addrspace(1) [ %at, %aligned ], [ %at.8, %wide.tiles.body ]
  %pointer1 = phi ptr addrspace(1) [ %at.1, %aligned ], [ %at.9, %wide.tiles.body ]
  %z = phi float [ 1.0, %aligned ], [ %z.8, %wide.tiles.body ]
  %z.1 = phi float [ 0.0, %aligned ], [ %z.9, %wide.tiles.body ]
  %z.2 = phi float [ 1.0, %aligned ], [ %z.10, %wide.tiles.body ]
  %z.3 = phi float [ 0.0, %aligned ], [ %z.11, %wide.tiles.body ]
  %bits.2 = phi i8 [ 0, %aligned ], [ %bits.18, %wide.tiles.body ]
  %bits.3 = phi i16 [ 0, %aligned ], [ %bits.19, %wide.tiles.body ]
  %bits.4 = phi i16 [ 0, %aligned ], [ %bits.20, %wide.tiles.body ]
  %bits.5 = phi i16 [ 0, %aligned ], [ %bits.21, %wide.tiles.body ]
  %bits.6 = phi i8 [ 0, %aligned ], [ %bits.22, %wide.tiles.body ]
  %bits.7 = phi i16 [ 0, %aligned ], [ %bits.23, %wide.tiles.body ]
  %bits.8 = phi i16 [ 0, %aligned ], [ %bits.24, %wide.tiles.body ]
  %bits.9 = phi i16 [ 0, %aligned ], [ %bits.25, %wide.tiles.body ]
  %goes.on = icmp ult i64 %counter, %limit
  br i1 %goes.on, label %wide.tiles.body, label %wide.tiles.end

wide.tiles.body:
  %at.2 = getelementptr i8, ptr addrspace(1) %pointer0, i64 0
  %loaded = load <4 x float>, ptr addrspace(1) %at.2, align 16, !invariant.load !0
  %element = extractelement <4 x float> %loaded, i32 0
  %element.1 = extractelement <4 x float> %loaded, i32 1
  %element.2 = extractelement <4 x float> %loaded, i32 2
  %element.3 = extractelement <4 x float> %loaded, i32 3
  %at.3 = getelementptr i8, ptr addrspace(1) %pointer1, i64 0
  %element.4 = load i8, ptr addrspace(1) %at.3, align 1, !invariant.load !0
  %element.at = getelementptr inbounds i8, ptr addrspace(1) %at.3, i64 2
  %element.5 = load i16, ptr addrspace(1) %element.at, align 2, !invariant.load !0
  %element.at.1 = getelementptr inbounds i8, ptr addrspace(1) %at.3, i64 4
  %element.6 = load i16, ptr addrspace(1) %element.at.1, align 2, !invariant.load !0
  %element.at.2 = getelementptr inbounds i8, ptr addrspace(1) %at.3, i64 6
  %element.7 = load i16, ptr addrspace(1) %element.at.2, align 2, !invariant.load !0
  %at.4 = getelementptr i8, ptr addrspace(1) %pointer1, i64 8
  %element.8 = load i8, ptr addrspace(1) %at.4, align 1, !invariant.load !0
  %element.at.3 = getelementptr inbounds i8, ptr addrspace(1) %at.4, i64 2
  %element.9 = load i16, ptr addrspace(1) %element.at.3, align 2, !invariant.load !0
  %element.at.4 = getelementptr inbounds i8, ptr addrspace(1) %at.4, i64 4
  %element.10 = load i16, ptr addrspace(1) %element.at.4, align 2, !invariant.load !0
  %element.at.5 = getelementptr inbounds i8, ptr addrspace(1) %at.4, i64 6
  %element.11 = load i16, ptr addrspace(1) %element.at.5, align 2, !invariant.load !0
  %at.5 = getelementptr i8, ptr addrspace(1) %pointer0, i64 512
  %loaded.1 = load <4 x float>, ptr addrspace(1) %at.5, align 16, !invariant.load !0
  %element.12 = extractelement <4 x float> %loaded.1, i32 0
  %element.13 = extractelement <4 x float> %loaded.1, i32 1
  %element.14 = extractelement <4 x float> %loaded.1, i32 2
  %element.15 = extractelement <4 x float> %loaded.1, i32 3
  %at.6 = getelementptr i8, ptr addrspace(1) %pointer1, i64 512
  %element.16 = load i8, ptr addrspace(1) %at.6, align 1, !invariant.load !0
  %element.at.6 = getelementptr inbounds i8, ptr addrspace(1) %at.6, i64 2
  %element.17 = load i16, ptr addrspace(1) %element.at.6, align 2, !invariant.load !0
  %element.at.7 = getelementptr inbounds i8, ptr addrspace(1) %at.6, i64 4
  %element.18 = load i16, ptr addrspace(1) %element.at.7, align 2, !invariant.load !0
  %element.at.8 = getelementptr inbounds i8, ptr addrspace(1) %at.6, i64 6
  %element.19 = load i16, ptr addrspace(1) %element.at.8, align 2, !invariant.load !0
  %at.7 = getelementptr i8, ptr addrspace(1) %pointer1, i64 520
  %element.20 = load i8, ptr addrspace(1) %at.7, align 1, !invariant.load !0
  %element.at.9 = getelementptr inbounds i8, ptr addrspace(1) %at.7, i64 2
  %element.21 = load i16, ptr addrspace(1) %element.at.9, align 2, !invariant.load !0
  %element.at.10 = getelementptr inbounds i8, ptr addrspace(1) %at.7, i64 4
  %element.22 = load i16, ptr addrspace(1) %element.at.10, align 2, !invariant.load !0
  %element.at.11 = getelementptr inbounds i8, ptr addrspace(1) %at.7, i64 6
  %element.23 = load i16, ptr addrspace(1) %element.at.11, align 2, !invariant.load !0
  %product = fmul float %z, %element
  %product.1 = fmul float %z.1, %element.1
  %product.2 = fmul float %z, %element.1
  %product.3 = fmul float %z.1, %element
  %z.4 = fsub float %product, %product.1
  %z.5 = fadd float %product.2, %product.3
  %bits.10 = xor i8 %bits.2, %element.4
  %bits.11 = xor i16 %bits.3, %element.5
  %bits.12 = xor i16 %bits.4, %element.6
  %bits.13 = xor i16 %bits.5, %element.7
  %product.4 = fmul float %z.2, %element.2
  %product.5 = fmul float %z.3, %element.3
  %product.6 = fmul float %z.2, %element.3
  %product.7 = fmul float %z.3, %element.2
  %z.6 = fsub float %product.4, %product.5
  %z.7 = fadd float %product.6, %product.7
  %bits.14 = xor i8 %bits.6, %element.8
  %bits.15 = xor i16 %bits.7, %element.9
  %bits.16 = xor i16 %bits.8, %element.10
  %bits.17 = xor i16 %bits.9, %element.11
  %product.8 = fmul float %z.4, %element.12
  %product.9 = fmul float %z.5, %element.13
  %product.10 = fmul float %z.4, %element.13
  %product.11 = fmul float %z.5, %element.12
  %z.8 = fsub float %product.8, %product.9
  %z.9 = fadd float %product.10, %product.11
  %bits.18 = xor i8 %bits.10, %element.16
  %bits.19 = xor i16 %bits.11, %element.17
  %bits.20 = xor i16 %bits.12, %element.18
  %bits.21 = xor i16 %bits.13, %element.19
  %product.12 = fmul float %z.6, %element.14
  %product.13 = fmul float %z.7, %element.15
  %product.14 = fmul float %z.6, %element.15
  %product.15 = fmul float %z.7, %element.14
  %z.10 = fsub float %product.12, %product.13
  %z.11 = fadd float %product.14, %product.15
  %bits.22 = xor i8 %bits.14, %element.20
  %bits.23 = xor i16 %bits.15, %element.21
  %bits.24 = xor i16 %bits.16, %element.22
  %bits.25 = xor i16 %bits.17, %element.23
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
  %offset.3 = mul i64 %first, 16
  %at.11 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.3
  %stride.3 = mul i64 %grid.threads, 16
  br label %wide.rest

wide.rest:
  %counter.1 = phi i64 [ %first, %wide.tiles.end ], [ %next.1, %wide.rest.body ]
  %pointer0.1 = phi ptr addrspace(1) [ %at.10, %wide.tiles.end ], [ %at.15, %wide.rest.body ]
  %pointer1.1 = phi ptr addrspace(1) [ %at.11, %wide.tiles.end ], [ %at.16, %wide.rest.body ]
  %z.12 = phi float [ %z, %wide.tiles.end ], [ %z.16, %wide.rest.body ]
  %z.13 = phi float [ %z.1, %wide.tiles.end ], [ %z.17, %wide.rest.body ]
  %z.14 = phi float [ %z.2, %wide.tiles.end ], [ %z.18, %wide.rest.body ]
  %z.15 = phi float [ %z.3, %wide.tiles.end ], [ %z.19, %wide.rest.body ]
  %bits.26 = phi i8 [ %bits.2, %wide.tiles.end ], [ %bits.34, %wide.rest.body ]
  %bits.27 = phi i16 [ %bits.3, %wide.tiles.end ], [ %bits.35, %wide.rest.body ]
  %bits.28 = phi i16 [ %bits.4, %wide.tiles.end ], [ %bits.36, %wide.rest.body ]
  %bits.29 = phi i16 [ %bits.5, %wide.tiles.end ], [ %bits.37, %wide.rest.body ]
  %bits.30 = phi i8 [ %bits.6, %wide.tiles.end ], [ %bits.38, %wide.rest.body ]
  %bits.31 = phi i16 [ %bits.7, %wide.tiles.end ], [ %bits.39, %wide.rest.body ]
  %bits.32 = phi i16 [ %bits.8, %wide.tiles.end ], [ %bits.40, %wide.rest.body ]
  %bits.33 = phi i16 [ %bits.9, %wide.tiles.end ], [ %bits.41, %wide.rest.body ]
  %goes.on.1 = icmp ult i64 %counter.1, %groups
  br i1 %goes.on.1, label %wide.rest.body, label %wide.rest.end

wide.rest.body:
  %at.12 = getelementptr i8, ptr addrspace(1) %pointer0.1, i64 0
  %loaded.2 = load <4 x float>, ptr addrspace(1) %at.12, align 16, !invariant.load !0
  %element.24 = extractelement <4 x float> %loaded.2, i32 0
  %element.25 = extractelement <4 x float> %loaded.2, i32 1
  %element.26 = extractelement <4 x float> %loaded.2, i32 2
  %element.27 = extractelement <4 x float> %loaded.2, i32 3
  %at.13 = getelementptr i8, ptr addrspace(1) %pointer1.1, i64 0
  %element.28 = load i8, ptr addrspace(1) %at.13, align 1, !invariant.load !0
  %element.at.12 = getelementptr inbounds i8, ptr addrspace(1) %at.13, i64 2
  %element.29 = load i16, ptr addrspace(1) %element.at.12, align 2, !invariant.load !0
  %element.at.13 = getelementptr inbounds i8, ptr addrspace(1) %at.13, i64 4
  %element.30 = load i16, ptr addrspace(1) %element.at.13, align 2, !invariant.load !0
  %element.at.14 = getelementptr inbounds i8, ptr addrspace(1) %at.13, i64 6
  %element.31 = load i16, ptr addrspace(1) %element.at.14, align 2, !invariant.load !0
  %at.14 = getelementptr i8, ptr addrspace(1) %pointer1.1, i64 8
  %element.32 = load i8, ptr addrspace(1) %at.14, align 1, !invariant.load !0
  %element.at.15 = getelementptr inbounds i8, ptr addrspace(1) %at.14, i64 2
  %element.33 = load i16, ptr addrspace(1) %element.at.15, align 2, !invariant.load !0
  %element.at.16 = getelementptr inbounds i8, ptr addrspace(1) %at.14, i64 4
  %element.34 = load i16, ptr addrspace(1) %element.at.16, align 2, !invariant.load !0
  %element.at.17 = getelementptr inbounds i8, ptr addrspace(1) %at.14, i64 6
  %element.35 = load i16, ptr addrspace(1) %element.at.17, align 2, !invariant.load !0
  %product.16 = fmul float %z.12, %element.24
  %product.17 = fmul float %z.13, %element.25
  %product.18 = fmul float %z.12, %element.25
  %product.19 = fmul float %z.13, %element.24
  %z.16 = fsub float %product.16, %product.17
  %z.17 = fadd float %product.18, %product.19
  %bits.34 = xor i8 %bits.26, %element.28
  %bits.35 = xor i16 %bits.27, %element.29
  %bits.36 = xor i16 %bits.28, %element.30
  %bits.37 = xor i16 %bits.29, %element.31
  %product.20 = fmul float %z.14, %element.26
  %product.21 = fmul float %z.15, %element.27
  %product.22 = fmul float %z.14, %element.27
  %product.23 = fmul float %z.15, %element.26
  %z.18 = fsub float %product.20, %product.21
  %z.19 = fadd float %product.22, %product.23
  %bits.38 = xor i8 %bits.30, %element.32
  %bits.39 = xor i16 %bits.31, %element.33
  %bits.40 = xor i16 %bits.32, %element.34
  %bits.41 = xor i16 %bits.33, %element.35
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
  %offset.5 = mul i64 %in.tile.1, 16
  %at.18 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.5
  %stride.5 = mul i64 %step.1, 16
  br label %narrow.tiles

narrow.tiles:
  %counter.2 = phi i64 [ %step.1, %unaligned ], [ %next.2, %narrow.tiles.body ]
  %pointer0.2 = phi ptr addrspace(1) [ %at.17, %unaligned ], [ %at.27, %narrow.tiles.body ]
  %pointer1.2 = phi ptr addrspace(1) [ %at.18, %unaligned ], [ %at.28, %narrow.tiles.body ]
  %z.20 = phi float [ 1.0, %unaligned ], [ %z.28, %narrow.tiles.body ]
  %z.21 = phi float [ 0.0, %unaligned ], [ %z.29, %narrow.tiles.body ]
  %z.22 = phi float [ 1.0, %unaligned ], [ %z.30, %narrow.tiles.body ]
  %z.23 = phi float [ 0.0, %unaligned ], [ %z.31, %narrow.tiles.body ]
  %bits.42 = phi i8 [ 0, %unaligned ], [ %bits.58, %narrow.tiles.body ]
  %bits.43 = phi i16 [ 0, %unaligned ], [ %bits.59, %narrow.tiles.body ]
  %bits.44 = phi i16 [ 0, %unaligned ], [ %bits.60, %narrow.tiles.body ]
  %bits.45 = phi i16 [ 0, %unaligned ], [ %bits.61, %narrow.tiles.body ]
  %bits.46 = phi i8 [ 0, %unaligned ], [ %bits.62, %narrow.tiles.body ]
  %bits.47 = phi i16 [ 0, %unaligned ], [ %bits.63, %narrow.tiles.body ]
  %bits.48 = phi i16 [ 0, %unaligned ], [ %bits.64, %narrow.tiles.body ]
  %bits.49 = phi i16 [ 0, %unaligned ], [ %bits.65, %narrow.tiles.body ]
  %goes.on.2 = icmp ult i64 %counter.2, %limit.1
  br i1 %goes.on.2, label %narrow.tiles.body, label %narrow.tiles.end

narrow.tiles.body:
  %at.19 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 0
  %element.36 = load float, ptr addrspace(1) %at.19, align 4, !invariant.load !0
  %element.at.18 = getelementptr inbounds i8, ptr addrspace(1) %at.19, i64 4
  %element.37 = load float, ptr addrspace(1) %element.at.18, align 4, !invariant.load !0
  %at.20 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 8
  %element.38 = load float, ptr addrspace(1) %at.20, align 4, !invariant.load !0
  %element.at.19 = getelementptr inbounds i8, ptr addrspace(1) %at.20, i64 4
  %element.39 = load float, ptr addrspace(1) %element.at.19, align 4, !invariant.load !0
  %at.21 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 0
  %element.40 = load i8, ptr addrspace(1) %at.21, align 1, !invariant.load !0
  %element.at.20 = getelementptr inbounds i8, ptr addrspace(1) %at.21, i64 2
  %element.41 = load i16, ptr addrspace(1) %element.at.20, align 2, !invariant.load !0
  %element.at.21 = getelementptr inbounds i8, ptr addrspace(1) %at.21, i64 4
  %element.42 = load i16, ptr addrspace(1) %element.at.21, align 2, !invariant.load !0
  %element.at.22 = getelementptr inbounds i8, ptr addrspace(1) %at.21, i64 6
  %element.43 = load i16, ptr addrspace(1) %element.at.22, align 2, !invariant.load !0
  %at.22 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 8
  %element.44 = load i8, ptr addrspace(1) %at.22, align 1, !invariant.load !0
  %element.at.23 = getelementptr inbounds i8, ptr addrspace(1) %at.22, i64 2
  %element.45 = load i16, ptr addrspace(1) %element.at.23, align 2, !invariant.load !0
  %element.at.24 = getelementptr inbounds i8, ptr addrspace(1) %at.22, i64 4
  %element.46 = load i16, ptr addrspace(1) %element.at.24, align 2, !invariant.load !0
  %element.at.25 = getelementptr inbounds i8, ptr addrspace(1) %at.22, i64 6
  %element.47 = load i16, ptr addrspace(1) %element.at.25, align 2, !invariant.load !0
  %at.23 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 512
  %element.48 = load float, ptr addrspace(1) %at.23, align 4, !invariant.load !0
  %element.at.26 = getelementptr inbounds i8, ptr addrspace(1) %at.23, i64 4
  %element.49 = load float, ptr addrspace(1) %element.at.26, align 4, !invariant.load !0
  %at.24 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 520
  %element.50 = load float, ptr addrspace(1) %at.24, align 4, !invariant.load !0
  %element.at.27 = getelementptr inbounds i8, ptr addrspace(1) %at.24, i64 4
  %element.51 = load float, ptr addrspace(1) %element.at.27, align 4, !invariant.load !0
  %at.25 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 512
  %element.52 = load i8, ptr addrspace(1) %at.25, align 1, !invariant.load !0
  %element.at.28 = getelementptr inbounds i8, ptr addrspace(1) %at.25, i64 2
  %element.53 = load i16, ptr addrspace(1) %element.at.28, align 2, !invariant.load !0
  %element.at.29 = getelementptr inbounds i8, ptr addrspace(1) %at.25, i64 4
  %element.54 = load i16, ptr addrspace(1) %element.at.29, align 2, !invariant.load !0
  %element.at.30 = getelementptr inbounds i8, ptr addrspace(1) %at.25, i64 6
  %element.55 = load i16, ptr addrspace(1) %element.at.30, align 2, !invariant.load !0
  %at.26 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 520
  %element.56 = load i8, ptr addrspace(1) %at.26, align 1, !invariant.load !0
  %element.at.31 = getelementptr inbounds i8, ptr addrspace(1) %at.26, i64 2
  %element.57 = load i16, ptr addrspace(1) %element.at.31, align 2, !invariant.load !0
  %element.at.32 = getelementptr inbounds i8, ptr addrspace(1) %at.26, i64 4
  %element.58 = load i16, ptr addrspace(1) %element.at.32, align 2, !invariant.load !0
  %element.at.33 = getelementptr inbounds i8, ptr addrspace(1) %at.26, i64 6
  %element.59 = load i16, ptr addrspace(1) %element.at.33, align 2, !invariant.load !0
  %product.24 = fmul float %z.20, %element.36
  %product.25 = fmul float %z.21, %element.37
  %product.26 = fmul float %z.20, %element.37
  %product.27 = fmul float %z.21, %element.36
  %z.24 = fsub float %product.24, %product.25
  %z.25 = fadd float %product.26, %product.27
  %bits.50 = xor i8 %bits.42, %element.40
  %bits.51 = xor i16 %bits.43, %element.41
  %bits.52 = xor i16 %bits.44, %element.42
  %bits.53 = xor i16 %bits.45, %element.43
  %product.28 = fmul float %z.22, %element.38
  %product.29 = fmul float %z.23, %element.39
  %product.30 = fmul float %z.22, %element.39
  %product.31 = fmul float %z.23, %element.38
  %z.26 = fsub float %product.28, %product.29
  %z.27 = fadd float %product.30, %product.31
  %bits.54 = xor i8 %bits.46, %element.44
  %bits.55 = xor i16 %bits.47, %element.45
  %bits.56 = xor i16 %bits.48, %element.46
  %bits.57 = xor i16 %bits.49, %element.47
  %product.32 = fmul float %z.24, %element.48
  %product.33 = fmul float %z.25, %element.49
  %product.34 = fmul float %z.24, %element.49
  %product.35 = fmul float %z.25, %element.48
  %z.28 = fsub float %product.32, %product.33
  %z.29 = fadd float %product.34, %product.35
  %bits.58 = xor i8 %bits.50, %element.52
  %bits.59 = xor i16 %bits.51, %element.53
  %bits.60 = xor i16 %bits.52, %element.54
  %bits.61 = xor i16 %bits.53, %element.55
  %product.36 = fmul float %z.26, %element.50
  %product.37 = fmul float %z.27, %element.51
  %product.38 = fmul float %z.26, %element.51
  %product.39 = fmul float %z.27, %element.50
  %z.30 = fsub float %product.36, %product.37
  %z.31 = fadd float %product.38, %product.39
  %bits.62 = xor i8 %bits.54, %element.56
  %bits.63 = xor i16 %bits.55, %element.57
  %bits.64 = xor i16 %bits.56, %element.58
  %bits.65 = xor i16 %bits.57, %element.59
  %at.27 = getelementptr i8, ptr addrspace(1) %pointer0.2, i64 %stride.4
  %at.28 = getelementptr i8, ptr addrspace(1) %pointer1.2, i64 %stride.5
  %next.2 = add i64 %counter.2, %step.1
  br label %narrow.tiles, !llvm.loop !6

narrow.tiles.end:
  %taken.1 = sub i64 %counter.2, %step.1
  %first.1 = add i64 %taken.1, %grid.thread
  %offset.6 = mul i64 %first.1, 16
  %at.29 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.6
  %stride.6 = mul i64 %grid.threads, 16
  %offset.7 = mul i64 %first.1, 16
  %at.30 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.7
  %stride.7 = mul i64 %grid.threads, 16
  br label %narrow.rest

narrow.rest:
  %counter.3 = phi i64 [ %first.1, %narrow.tiles.end ], [ %next.3, %narrow.rest.body ]
  %pointer0.3 = phi ptr addrspace(1) [ %at.29, %narrow.tiles.end ], [ %at.35, %narrow.rest.body ]
  %pointer1.3 = phi ptr addrspace(1) [ %at.30, %narrow.tiles.end ], [ %at.36, %narrow.rest.body ]
  %z.32 = phi float [ %z.20, %narrow.tiles.end ], [ %z.36, %narrow.rest.body ]
  %z.33 = phi float [ %z.21, %narrow.tiles.end ], [ %z.37, %narrow.rest.body ]
  %z.34 = phi float [ %z.22, %narrow.tiles.end ], [ %z.38, %narrow.rest.body ]
  %z.35 = phi float [ %z.23, %narrow.tiles.end ], [ %z.39, %narrow.rest.body ]
  %bits.66 = phi i8 [ %bits.42, %narrow.tiles.end ], [ %bits.74, %narrow.rest.body ]
  %bits.67 = phi i16 [ %bits.43, %narrow.tiles.end ], [ %bits.75, %narrow.rest.body ]
  %bits.68 = phi i16 [ %bits.44, %narrow.tiles.end ], [ %bits.76, %narrow.rest.body ]
  %bits.69 = phi i16 [ %bits.45, %narrow.tiles.end ], [ %bits.77, %narrow.rest.body ]
  %bits.70 = phi i8 [ %bits.46, %narrow.tiles.end ], [ %bits.78, %narrow.rest.body ]
  %bits.71 = phi i16 [ %bits.47, %narrow.tiles.end ], [ %bits.79, %narrow.rest.body ]
  %bits.72 = phi i16 [ %bits.48, %narrow.tiles.end ], [ %bits.80, %narrow.rest.body ]
  %bits.73 = phi i16 [ %bits.49, %narrow.tiles.end ], [ %bits.81, %narrow.rest.body ]
  %goes.on.3 = icmp ult i64 %counter.3, %groups
  br i1 %goes.on.3, label %narrow.rest.body, label %narrow.rest.end

narrow.rest.body:
  %at.31 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 0
  %element.60 = load float, ptr addrspace(1) %at.31, align 4, !invariant.load !0
  %element.at.34 = getelementptr inbounds i8, ptr addrspace(1) %at.31, i64 4
  %element.61 = load float, ptr addrspace(1) %element.at.34, align 4, !invariant.load !0
  %at.32 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 8
  %element.62 = load float, ptr addrspace(1) %at.32, align 4, !invariant.load !0
  %element.at.35 = getelementptr inbounds i8, ptr addrspace(1) %at.32, i64 4
  %element.63 = load float, ptr addrspace(1) %element.at.35, align 4, !invariant.load !0
  %at.33 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 0
  %element.64 = load i8, ptr addrspace(1) %at.33, align 1, !invariant.load !0
  %element.at.36 = getelementptr inbounds i8, ptr addrspace(1) %at.33, i64 2
  %element.65 = load i16, ptr addrspace(1) %element.at.36, align 2, !invariant.load !0
  %element.at.37 = getelementptr inbounds i8, ptr addrspace(1) %at.33, i64 4
  %element.66 = load i16, ptr addrspace(1) %element.at.37, align 2, !invariant.load !0
  %element.at.38 = getelementptr inbounds i8, ptr addrspace(1) %at.33, i64 6
  %element.67 = load i16, ptr addrspace(1) %element.at.38, align 2, !invariant.load !0
  %at.34 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 8
  %element.68 = load i8, ptr addrspace(1) %at.34, align 1, !invariant.load !0
  %element.at.39 = getelementptr inbounds i8, ptr addrspace(1) %at.34, i64 2
  %element.69 = load i16, ptr addrspace(1) %element.at.39, align 2, !invariant.load !0
  %element.at.40 = getelementptr inbounds i8, ptr addrspace(1) %at.34, i64 4
  %element.70 = load i16, ptr addrspace(1) %element.at.40, align 2, !invariant.load !0
  %element.at.41 = getelementptr inbounds i8, ptr addrspace(1) %at.34, i64 6
  %element.71 = load i16, ptr addrspace(1) %element.at.41, align 2, !invariant.load !0
  %product.40 = fmul float %z.32, %element.60
  %product.41 = fmul float %z.33, %element.61
  %product.42 = fmul float %z.32, %element.61
  %product.43 = fmul float %z.33, %element.60
  %z.36 = fsub float %product.40, %product.41
  %z.37 = fadd float %product.42, %product.43
  %bits.74 = xor i8 %bits.66, %element.64
  %bits.75 = xor i16 %bits.67, %element.65
  %bits.76 = xor i16 %bits.68, %element.66
  %bits.77 = xor i16 %bits.69, %element.67
  %product.44 = fmul float %z.34, %element.62
  %product.45 = fmul float %z.35, %element.63
  %product.46 = fmul float %z.34, %element.63
  %product.47 = fmul float %z.35, %element.62
  %z.38 = fsub float %product.44, %product.45
  %z.39 = fadd float %product.46, %product.47
  %bits.78 = xor i8 %bits.70, %element.68
  %bits.79 = xor i16 %bits.71, %element.69
  %bits.80 = xor i16 %bits.72, %element.70
  %bits.81 = xor i16 %bits.73, %element.71
  %at.35 = getelementptr i8, ptr addrspace(1) %pointer0.3, i64 %stride.6
  %at.36 = getelementptr i8, ptr addrspace(1) %pointer1.3, i64 %stride.7
  %next.3 = add i64 %counter.3, %grid.threads
  br label %narrow.rest, !llvm.loop !8

narrow.rest.end:
  br label %whole

whole:
  %z.40 = phi float [ %z.12, %wide.rest.end ], [ %z.32, %narrow.rest.end ]
  %z.41 = phi float [ %z.13, %wide.rest.end ], [ %z.33, %narrow.rest.end ]
  %z.42 = phi float [ %z.14, %wide.rest.end ], [ %z.34, %narrow.rest.end ]
  %z.43 = phi float [ %z.15, %wide.rest.end ], [ %z.35, %narrow.rest.end ]
  %bits.82 = phi i8 [ %bits.26, %wide.rest.end ], [ %bits.66, %narrow.rest.end ]
  %bits.83 = phi i16 [ %bits.27, %wide.rest.end ], [ %bits.67, %narrow.rest.end ]
  %bits.84 = phi i16 [ %bits.28, %wide.rest.end ], [ %bits.68, %narrow.rest.end ]
  %bits.85 = phi i16 [ %bits.29, %wide.rest.end ], [ %bits.69, %narrow.rest.end ]
  %bits.86 = phi i8 [ %bits.30, %wide.rest.end ], [ %bits.70, %narrow.rest.end ]
  %bits.87 = phi i16 [ %bits.31, %wide.rest.end ], [ %bits.71, %narrow.rest.end ]
  %bits.88 = phi i16 [ %bits.32, %wide.rest.end ], [ %bits.72, %narrow.rest.end ]
  %bits.89 = phi i16 [ %bits.33, %wide.rest.end ], [ %bits.73, %narrow.rest.end ]
  %product.48 = fmul float %z.40, %z.42
  %product.49 = fmul float %z.41, %z.43
  %product.50 = fmul float %z.40, %z.43
  %product.51 = fmul float %z.41, %z.42
  %z.total = fsub float %product.48, %product.49
  %z.total.1 = fadd float %product.50, %product.51
  %bits.total = xor i8 %bits.82, %bits.86
  %bits.total.1 = xor i16 %bits.83, %bits.87
  %bits.total.2 = xor i16 %bits.84, %bits.88
  %bits.total.3 = xor i16 %bits.85, %bits.89
  %grouped = mul i64 %groups, 2
  %first.2 = add i64 %grouped, %grid.thread
  br label %tail

tail:
  %index = phi i64 [ %first.2, %whole ], [ %next.4, %tail.body ]
  %z.44 = phi float [ %z.total, %whole ], [ %z.46, %tail.body ]
  %z.45 = phi float [ %z.total.1, %whole ], [ %z.47, %tail.body ]
  %bits.90 = phi i8 [ %bits.total, %whole ], [ %bits.94, %tail.body ]
  %bits.91 = phi i16 [ %bits.total.1, %whole ], [ %bits.95, %tail.body ]
  %bits.92 = phi i16 [ %bits.total.2, %whole ], [ %bits.96, %tail.body ]
  %bits.93 = phi i16 [ %bits.total.3, %whole ], [ %bits.97, %tail.body ]
  %goes.on.4 = icmp ult i64 %index, %n
  br i1 %goes.on.4, label %tail.body, label %tail.end

tail.body:
  %at.37 = getelementptr inbounds { float, float }, ptr addrspace(1) %array0, i64 %index
  %element.72 = load float, ptr addrspace(1) %at.37, align 4, !invariant.load !0
  %element.at.42 = getelementptr inbounds i8, ptr addrspace(1) %at.37, i64 4
  %element.73 = load float, ptr addrspace(1) %element.at.42, align 4, !invariant.load !0
  %at.38 = getelementptr inbounds { i8, [3 x i16] }, ptr addrspace(1) %array1, i64 %index
  %element.74 = load i8, ptr addrspace(1) %at.38, align 1, !invariant.load !0
  %element.at.43 = getelementptr inbounds i8, ptr addrspace(1) %at.38, i64 2
  %element.75 = load i16, ptr addrspace(1) %element.at.43, align 2, !invariant.load !0
  %element.at.44 = getelementptr inbounds i8, ptr addrspace(1) %at.38, i64 4
  %element.76 = load i16, ptr addrspace(1) %element.at.44, align 2, !invariant.load !0
  %element.at.45 = getelementptr inbounds i8, ptr addrspace(1) %at.38, i64 6
  %element.77 = load i16, ptr addrspace(1) %element.at.45, align 2, !invariant.load !0
  %product.52 = fmul float %z.44, %element.72
  %product.53 = fmul float %z.45, %element.73
  %product.54 = fmul float %z.44, %element.73
  %product.55 = fmul float %z.45, %element.72
  %z.46 = fsub float %product.52, %product.53
  %z.47 = fadd float %product.54, %product.55
  %bits.94 = xor i8 %bits.90, %element.74
  %bits.95 = xor i16 %bits.91, %element.75
  %bits.96 = xor i16 %bits.92, %element.76
  %bits.97 = xor i16 %bits.93, %element.77
  %next.4 = add i64 %index, %grid.threads
  br label %tail, !llvm.loop !10

tail.end:
  %z.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %z.private = load ptr, ptr %z.entry, align 8
  store float %z.44, ptr %z.private, align 4
  %z.at = getelementptr inbounds i8, ptr %z.private, i64 4
  store float %z.45, ptr %z.at, align 4
  %bits.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %bits.private = load ptr, ptr %bits.entry, align 8
  store i8 %bits.90, ptr %bits.private, align 1
  %bits.at = getelementptr inbounds i8, ptr %bits.private, i64 2
  store i16 %bits.91, ptr %bits.at, align 2
  %bits.at.1 = getelementptr inbounds i8, ptr %bits.private, i64 4
  store i16 %bits.92, ptr %bits.at.1, align 2
  %bits.at.2 = getelementptr inbounds i8, ptr %bits.private, i64 6
  store i16 %bits.93, ptr %bits.at.2, align 2
  ret void
}

define ptx_kernel void @warpfold_reduce(i64 %n, i64 %first, ptr addrspace(1) align 16 %workspace, ptr addrspace(1) align 4 %result, ptr addrspace(1) noalias readonly align 4 %array0, ptr addrspace(1) noalias readonly align 2 %array1) convergent mustprogress nounwind "nvvm.maxntid"="256" {
entry:
  %private = alloca %warpfold.record, align 4
  %list = alloca [2 x ptr], align 8
  %z.member = getelementptr inbounds %warpfold.record, ptr %private, i64 0, i32 0
  %z.entry = getelementptr inbounds ptr, ptr %list, i64 0
  store ptr %z.member, ptr %z.entry, align 8
  %bits.member = getelementptr inbounds %warpfold.record, ptr %private, i64 0, i32 1
  %bits.entry = getelementptr inbounds ptr, ptr %list, i64 1
  store ptr %bits.member, ptr %bits.entry, align 8
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

define ptx_kernel void @warpfold_partial(i64 %n, i64 %first, ptr addrspace(1) align 16 %workspace, ptr addrspace(1) noalias readonly align 4 %array0, ptr addrspace(1) noalias readonly align 2 %array1) convergent mustprogress nounwind "nvvm.maxntid"="256" {
entry:
  %private = alloca %warpfold.record, align 4
  %list = alloca [2 x ptr], align 8
  %z.member = getelementptr inbounds %warpfold.record, ptr %private, i64 0, i32 0
  %z.entry = getelementptr inbounds ptr, ptr %list, i64 0
  store ptr %z.member, ptr %z.entry, align 8
  %bits.member = getelementptr inbounds %warpfold.record, ptr %private, i64 0, i32 1
  %bits.entry = getelementptr inbounds ptr, ptr %list, i64 1
  store ptr %bits.member, ptr %bits.entry, align 8
  call void @warpfold_accumulate(ptr %list, i64 %n, i64 %first, ptr addrspace(1) %array0, ptr addrspace(1) %array1)
  %generic = addrspacecast ptr addrspace(1) %workspace to ptr
  call void @__warpfold_grid_store(ptr %generic, ptr %list, ptr @warpfold_shuffle_and_reduce, ptr @warpfold_inter_warp_copy, ptr @warpfold_list_to_global_copy)
  ret void
}

define ptx_kernel void @warpfold_finalize(ptr addrspace(1) align 16 %workspace, i32 %num_slots, ptr addrspace(1) align 4 %result) convergent mustprogress nounwind "nvvm.maxntid"="256" {
entry:
  %private = alloca %warpfold.record, align 4
  %list = alloca [2 x ptr], align 8
  %z.member = getelementptr inbounds %warpfold.record, ptr %private, i64 0, i32 0
  %z.entry = getelementptr inbounds ptr, ptr %list, i64 0
  store ptr %z.member, ptr %z.entry, align 8
  %bits.member = getelementptr inbounds %warpfold.record, ptr %private, i64 0, i32 1
  %bits.entry = getelementptr inbounds ptr, ptr %list, i64 1
  store ptr %bits.member, ptr %bits.entry, align 8
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
