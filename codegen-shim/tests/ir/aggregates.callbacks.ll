; z: complex<f32> product of array 0
; bits: {u8,[i16;3]} xor of array 1
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%warpfold.record = type { { float, float }, { i8, [3 x i16] } }
@warpfold_inter_warp_buffers = internal addrspace(3) global [32 x [16 x i8]] poison, align 16

; Every lane of the warp that exists calls it, converged, with the same offset and algo.
define void @warpfold_shuffle_and_reduce(ptr %list, i16 %lane, i16 %offset, i16 %algo) alwaysinline convergent mustprogress nounwind {
entry:
  call void @warpfold_shuffle_and_reduce_masked(ptr %list, i32 -1, i16 %lane, i16 %offset, i16 %algo)
  ret void
}

; The lanes of mask call it, converged, with the same mask and algo.
define void @warpfold_shuffle_and_reduce_masked(ptr %list, i32 %mask, i16 %lane, i16 %offset, i16 %algo) alwaysinline convergent mustprogress nounwind {
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
define void @warpfold_swap_and_reduce(ptr %list, i16 %offset, i16 %size) alwaysinline convergent mustprogress nounwind {
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
define void @warpfold_inter_warp_copy(ptr %list, i32 %num_warps) alwaysinline convergent mustprogress nounwind {
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

define void @warpfold_list_to_global_copy(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
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

define void @warpfold_list_to_global_reduce(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
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

define void @warpfold_global_to_list_copy(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
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

define void @warpfold_global_to_list_reduce(ptr %buffer, i32 %idx, ptr %list) alwaysinline mustprogress nounwind willreturn {
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

define void @warpfold_initialize(ptr %list) alwaysinline mustprogress nounwind willreturn {
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

declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.z()
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
