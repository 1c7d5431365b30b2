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
define internal void @warpfold_accumulate(ptr %list, i64 %n, i64 %first.index, ptr addrspace(1) noalias readonly align 4 %array0, ptr addrspace(1) noalias readonly align 2 %array1) alwaysinline convergent mustprogress nounwind willreturn {
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
  %tiles = udiv i64 %n, 128
  %narrow = trunc i64 %tiles to i32
  %tiles.1 = urem i64 %n, 128
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
  %offset.4 = mul i64 %offset.2, 1
  %at.1 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.4
  %at.2 = getelementptr i8, ptr addrspace(1) %at, i64 -512
  %loaded = load <4 x float>, ptr addrspace(1) %at.2, align 16, !invariant.load !0
  %element = extractelement <4 x float> %loaded, i32 0
  %element.1 = extractelement <4 x float> %loaded, i32 1
  %element.2 = extractelement <4 x float> %loaded, i32 2
  %element.3 = extractelement <4 x float> %loaded, i32 3
  %at.3 = getelementptr i8, ptr addrspace(1) %at.1, i64 -512
  %element.4 = load i8, ptr addrspace(1) %at.3, align 1, !invariant.load !0
  %element.at = getelementptr inbounds i8, ptr addrspace(1) %at.3, i64 2
  %element.5 = load i16, ptr addrspace(1) %element.at, align 2, !invariant.load !0
  %element.at.1 = getelementptr inbounds i8, ptr addrspace(1) %at.3, i64 4
  %element.6 = load i16, ptr addrspace(1) %element.at.1, align 2, !invariant.load !0
  %element.at.2 = getelementptr inbounds i8, ptr addrspace(1) %at.3, i64 6
  %element.7 = load i16, ptr addrspace(1) %element.at.2, align 2, !invariant.load !0
  %at.4 = getelementptr i8, ptr addrspace(1) %at.1, i64 -504
  %element.8 = load i8, ptr addrspace(1) %at.4, align 1, !invariant.load !0
  %element.at.3 = getelementptr inbounds i8, ptr addrspace(1) %at.4, i64 2
  %element.9 = load i16, ptr addrspace(1) %element.at.3, align 2, !invariant.load !0
  %element.at.4 = getelementptr inbounds i8, ptr addrspace(1) %at.4, i64 4
  %element.10 = load i16, ptr addrspace(1) %element.at.4, align 2, !invariant.load !0
  %element.at.5 = getelementptr inbounds i8, ptr addrspace(1) %at.4, i64 6
  %element.11 = load i16, ptr addrspace(1) %element.at.5, align 2, !invariant.load !0
  %at.5 = getelementptr i8, ptr addrspace(1) %at, i64 -1024
  %loaded.1 = load <4 x float>, ptr addrspace(1) %at.5, align 16, !invariant.load !0
  %element.12 = extractelement <4 x float> %loaded.1, i32 0
  %element.13 = extractelement <4 x float> %loaded.1, i32 1
  %element.14 = extractelement <4 x float> %loaded.1, i32 2
  %element.15 = extractelement <4 x float> %loaded.1, i32 3
  %at.6 = getelementptr i8, ptr addrspace(1) %at.1, i64 -1024
  %element.16 = load i8, ptr addrspace(1) %at.6, align 1, !invariant.load !0
  %element.at.6 = getelementptr inbounds i8, ptr addrspace(1) %at.6, i64 2
  %element.17 = load i16, ptr addrspace(1) %element.at.6, align 2, !invariant.load !0
  %element.at.7 = getelementptr inbounds i8, ptr addrspace(1) %at.6, i64 4
  %element.18 = load i16, ptr addrspace(1) %element.at.7, align 2, !invariant.load !0
  %element.at.8 = getelementptr inbounds i8, ptr addrspace(1) %at.6, i64 6
  %element.19 = load i16, ptr addrspace(1) %element.at.8, align 2, !invariant.load !0
  %at.7 = getelementptr i8, ptr addrspace(1) %at.1, i64 -1016
  %element.20 = load i8, ptr addrspace(1) %at.7, align 1, !invariant.load !0
  %element.at.9 = getelementptr inbounds i8, ptr addrspace(1) %at.7, i64 2
  %element.21 = load i16, ptr addrspace(1) %element.at.9, align 2, !invariant.load !0
  %element.at.10 = getelementptr inbounds i8, ptr addrspace(1) %at.7, i64 4
  %element.22 = load i16, ptr addrspace(1) %element.at.10, align 2, !invariant.load !0
  %element.at.11 = getelementptr inbounds i8, ptr addrspace(1) %at.7, i64 6
  %element.23 = load i16, ptr addrspace(1) %element.at.11, align 2, !invariant.load !0
  %product = fmul float 1.0, %element.2
  %product.1 = fmul float 0.0, %element.3
  %product.2 = fmul float 1.0, %element.3
  %product.3 = fmul float 0.0, %element.2
  %z = fsub float %product, %product.1
  %z.1 = fadd float %product.2, %product.3
  %bits.2 = xor i8 0, %element.8
  %bits.3 = xor i16 0, %element.9
  %bits.4 = xor i16 0, %element.10
  %bits.5 = xor i16 0, %element.11
  %product.4 = fmul float 1.0, %element
  %product.5 = fmul float 0.0, %element.1
  %product.6 = fmul float 1.0, %element.1
  %product.7 = fmul float 0.0, %element
  %z.2 = fsub float %product.4, %product.5
  %z.3 = fadd float %product.6, %product.7
  %bits.6 = xor i8 0, %element.4
  %bits.7 = xor i16 0, %element.5
  %bits.8 = xor i16 0, %element.6
  %bits.9 = xor i16 0, %element.7
  %product.8 = fmul float %z, %element.14
  %product.9 = fmul float %z.1, %element.15
  %product.10 = fmul float %z, %element.15
  %product.11 = fmul float %z.1, %element.14
  %z.4 = fsub float %product.8, %product.9
  %z.5 = fadd float %product.10, %product.11
  %bits.10 = xor i8 %bits.2, %element.20
  %bits.11 = xor i16 %bits.3, %element.21
  %bits.12 = xor i16 %bits.4, %element.22
  %bits.13 = xor i16 %bits.5, %element.23
  %product.12 = fmul float %z.2, %element.12
  %product.13 = fmul float %z.3, %element.13
  %product.14 = fmul float %z.2, %element.13
  %product.15 = fmul float %z.3, %element.12
  %z.6 = fsub float %product.12, %product.13
  %z.7 = fadd float %product.14, %product.15
  %bits.14 = xor i8 %bits.6, %element.16
  %bits.15 = xor i16 %bits.7, %element.17
  %bits.16 = xor i16 %bits.8, %element.18
  %bits.17 = xor i16 %bits.9, %element.19
  %next = sub i32 %first, %grid.warps
  br label %wide.tiles

wide.tiles:
  %tiles.left = phi i32 [ %next, %wide.first ], [ %next.1, %wide.tiles.body ]
  %z.8 = phi float [ %z.6, %wide.first ], [ %z.18, %wide.tiles.body ]
  %z.9 = phi float [ %z.7, %wide.first ], [ %z.19, %wide.tiles.body ]
  %z.10 = phi float [ %z.4, %wide.first ], [ %z.16, %wide.tiles.body ]
  %z.11 = phi float [ %z.5, %wide.first ], [ %z.17, %wide.tiles.body ]
  %bits.18 = phi i8 [ %bits.14, %wide.first ], [ %bits.38, %wide.tiles.body ]
  %bits.19 = phi i16 [ %bits.15, %wide.first ], [ %bits.39, %wide.tiles.body ]
  %bits.20 = phi i16 [ %bits.16, %wide.first ], [ %bits.40, %wide.tiles.body ]
  %bits.21 = phi i16 [ %bits.17, %wide.first ], [ %bits.41, %wide.tiles.body ]
  %bits.22 = phi i8 [ %bits.10, %wide.first ], [ %bits.34, %wide.tiles.body ]
  %bits.23 = phi i16 [ %bits.11, %wide.first ], [ %bits.35, %wide.tiles.body ]
  %bits.24 = phi i16 [ %bits.12, %wide.first ], [ %bits.36, %wide.tiles.body ]
  %bits.25 = phi i16 [ %bits.13, %wide.first ], [ %bits.37, %wide.tiles.body ]
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
  %offset.9 = mul i64 %offset.7, 1
  %at.9 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.9
  %at.10 = getelementptr i8, ptr addrspace(1) %at.8, i64 -512
  %loaded.2 = load <4 x float>, ptr addrspace(1) %at.10, align 16, !invariant.load !0
  %element.24 = extractelement <4 x float> %loaded.2, i32 0
  %element.25 = extractelement <4 x float> %loaded.2, i32 1
  %element.26 = extractelement <4 x float> %loaded.2, i32 2
  %element.27 = extractelement <4 x float> %loaded.2, i32 3
  %at.11 = getelementptr i8, ptr addrspace(1) %at.9, i64 -512
  %element.28 = load i8, ptr addrspace(1) %at.11, align 1, !invariant.load !0
  %element.at.12 = getelementptr inbounds i8, ptr addrspace(1) %at.11, i64 2
  %element.29 = load i16, ptr addrspace(1) %element.at.12, align 2, !invariant.load !0
  %element.at.13 = getelementptr inbounds i8, ptr addrspace(1) %at.11, i64 4
  %element.30 = load i16, ptr addrspace(1) %element.at.13, align 2, !invariant.load !0
  %element.at.14 = getelementptr inbounds i8, ptr addrspace(1) %at.11, i64 6
  %element.31 = load i16, ptr addrspace(1) %element.at.14, align 2, !invariant.load !0
  %at.12 = getelementptr i8, ptr addrspace(1) %at.9, i64 -504
  %element.32 = load i8, ptr addrspace(1) %at.12, align 1, !invariant.load !0
  %element.at.15 = getelementptr inbounds i8, ptr addrspace(1) %at.12, i64 2
  %element.33 = load i16, ptr addrspace(1) %element.at.15, align 2, !invariant.load !0
  %element.at.16 = getelementptr inbounds i8, ptr addrspace(1) %at.12, i64 4
  %element.34 = load i16, ptr addrspace(1) %element.at.16, align 2, !invariant.load !0
  %element.at.17 = getelementptr inbounds i8, ptr addrspace(1) %at.12, i64 6
  %element.35 = load i16, ptr addrspace(1) %element.at.17, align 2, !invariant.load !0
  %at.13 = getelementptr i8, ptr addrspace(1) %at.8, i64 -1024
  %loaded.3 = load <4 x float>, ptr addrspace(1) %at.13, align 16, !invariant.load !0
  %element.36 = extractelement <4 x float> %loaded.3, i32 0
  %element.37 = extractelement <4 x float> %loaded.3, i32 1
  %element.38 = extractelement <4 x float> %loaded.3, i32 2
  %element.39 = extractelement <4 x float> %loaded.3, i32 3
  %at.14 = getelementptr i8, ptr addrspace(1) %at.9, i64 -1024
  %element.40 = load i8, ptr addrspace(1) %at.14, align 1, !invariant.load !0
  %element.at.18 = getelementptr inbounds i8, ptr addrspace(1) %at.14, i64 2
  %element.41 = load i16, ptr addrspace(1) %element.at.18, align 2, !invariant.load !0
  %element.at.19 = getelementptr inbounds i8, ptr addrspace(1) %at.14, i64 4
  %element.42 = load i16, ptr addrspace(1) %element.at.19, align 2, !invariant.load !0
  %element.at.20 = getelementptr inbounds i8, ptr addrspace(1) %at.14, i64 6
  %element.43 = load i16, ptr addrspace(1) %element.at.20, align 2, !invariant.load !0
  %at.15 = getelementptr i8, ptr addrspace(1) %at.9, i64 -1016
  %element.44 = load i8, ptr addrspace(1) %at.15, align 1, !invariant.load !0
  %element.at.21 = getelementptr inbounds i8, ptr addrspace(1) %at.15, i64 2
  %element.45 = load i16, ptr addrspace(1) %element.at.21, align 2, !invariant.load !0
  %element.at.22 = getelementptr inbounds i8, ptr addrspace(1) %at.15, i64 4
  %element.46 = load i16, ptr addrspace(1) %element.at.22, align 2, !invariant.load !0
  %element.at.23 = getelementptr inbounds i8, ptr addrspace(1) %at.15, i64 6
  %element.47 = load i16, ptr addrspace(1) %element.at.23, align 2, !invariant.load !0
  %product.16 = fmul float %z.10, %element.26
  %product.17 = fmul float %z.11, %element.27
  %product.18 = fmul float %z.10, %element.27
  %product.19 = fmul float %z.11, %element.26
  %z.12 = fsub float %product.16, %product.17
  %z.13 = fadd float %product.18, %product.19
  %bits.26 = xor i8 %bits.22, %element.32
  %bits.27 = xor i16 %bits.23, %element.33
  %bits.28 = xor i16 %bits.24, %element.34
  %bits.29 = xor i16 %bits.25, %element.35
  %product.20 = fmul float %z.8, %element.24
  %product.21 = fmul float %z.9, %element.25
  %product.22 = fmul float %z.8, %element.25
  %product.23 = fmul float %z.9, %element.24
  %z.14 = fsub float %product.20, %product.21
  %z.15 = fadd float %product.22, %product.23
  %bits.30 = xor i8 %bits.18, %element.28
  %bits.31 = xor i16 %bits.19, %element.29
  %bits.32 = xor i16 %bits.20, %element.30
  %bits.33 = xor i16 %bits.21, %element.31
  %product.24 = fmul float %z.12, %element.38
  %product.25 = fmul float %z.13, %element.39
  %product.26 = fmul float %z.12, %element.39
  %product.27 = fmul float %z.13, %element.38
  %z.16 = fsub float %product.24, %product.25
  %z.17 = fadd float %product.26, %product.27
  %bits.34 = xor i8 %bits.26, %element.44
  %bits.35 = xor i16 %bits.27, %element.45
  %bits.36 = xor i16 %bits.28, %element.46
  %bits.37 = xor i16 %bits.29, %element.47
  %product.28 = fmul float %z.14, %element.36
  %product.29 = fmul float %z.15, %element.37
  %product.30 = fmul float %z.14, %element.37
  %product.31 = fmul float %z.15, %element.36
  %z.18 = fsub float %product.28, %product.29
  %z.19 = fadd float %product.30, %product.31
  %bits.38 = xor i8 %bits.30, %element.40
  %bits.39 = xor i16 %bits.31, %element.41
  %bits.40 = xor i16 %bits.32, %element.42
  %bits.41 = xor i16 %bits.33, %element.43
  %next.1 = sub i32 %tiles.left, %grid.warps
  br label %wide.tiles, !llvm.loop !4

wide.tiles.last:
  %product.32 = fmul float %z.8, %z.10
  %product.33 = fmul float %z.9, %z.11
  %product.34 = fmul float %z.8, %z.11
  %product.35 = fmul float %z.9, %z.10
  %z.total = fsub float %product.32, %product.33
  %z.total.1 = fadd float %product.34, %product.35
  %bits.total = xor i8 %bits.18, %bits.22
  %bits.total.1 = xor i16 %bits.19, %bits.23
  %bits.total.2 = xor i16 %bits.20, %bits.24
  %bits.total.3 = xor i16 %bits.21, %bits.25
  br label %wide.tiles.end

wide.tiles.end:
  %z.20 = phi float [ 1.0, %aligned ], [ %z.total, %wide.tiles.last ]
  %z.21 = phi float [ 0.0, %aligned ], [ %z.total.1, %wide.tiles.last ]
  %bits.42 = phi i8 [ 0, %aligned ], [ %bits.total, %wide.tiles.last ]
  %bits.43 = phi i16 [ 0, %aligned ], [ %bits.total.1, %wide.tiles.last ]
  %bits.44 = phi i16 [ 0, %aligned ], [ %bits.total.2, %wide.tiles.last ]
  %bits.45 = phi i16 [ 0, %aligned ], [ %bits.total.3, %wide.tiles.last ]
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
  %offset.14 = mul i64 %offset.12, 1
  %at.17 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.14
  %at.18 = getelementptr i8, ptr addrspace(1) %at.16, i64 -512
  %element.48 = load float, ptr addrspace(1) %at.18, align 4, !invariant.load !0
  %element.at.24 = getelementptr inbounds i8, ptr addrspace(1) %at.18, i64 4
  %element.49 = load float, ptr addrspace(1) %element.at.24, align 4, !invariant.load !0
  %at.19 = getelementptr i8, ptr addrspace(1) %at.16, i64 -504
  %element.50 = load float, ptr addrspace(1) %at.19, align 4, !invariant.load !0
  %element.at.25 = getelementptr inbounds i8, ptr addrspace(1) %at.19, i64 4
  %element.51 = load float, ptr addrspace(1) %element.at.25, align 4, !invariant.load !0
  %at.20 = getelementptr i8, ptr addrspace(1) %at.17, i64 -512
  %element.52 = load i8, ptr addrspace(1) %at.20, align 1, !invariant.load !0
  %element.at.26 = getelementptr inbounds i8, ptr addrspace(1) %at.20, i64 2
  %element.53 = load i16, ptr addrspace(1) %element.at.26, align 2, !invariant.load !0
  %element.at.27 = getelementptr inbounds i8, ptr addrspace(1) %at.20, i64 4
  %element.54 = load i16, ptr addrspace(1) %element.at.27, align 2, !invariant.load !0
  %element.at.28 = getelementptr inbounds i8, ptr addrspace(1) %at.20, i64 6
  %element.55 = load i16, ptr addrspace(1) %element.at.28, align 2, !invariant.load !0
  %at.21 = getelementptr i8, ptr addrspace(1) %at.17, i64 -504
  %element.56 = load i8, ptr addrspace(1) %at.21, align 1, !invariant.load !0
  %element.at.29 = getelementptr inbounds i8, ptr addrspace(1) %at.21, i64 2
  %element.57 = load i16, ptr addrspace(1) %element.at.29, align 2, !invariant.load !0
  %element.at.30 = getelementptr inbounds i8, ptr addrspace(1) %at.21, i64 4
  %element.58 = load i16, ptr addrspace(1) %element.at.30, align 2, !invariant.load !0
  %element.at.31 = getelementptr inbounds i8, ptr addrspace(1) %at.21, i64 6
  %element.59 = load i16, ptr addrspace(1) %element.at.31, align 2, !invariant.load !0
  %at.22 = getelementptr i8, ptr addrspace(1) %at.16, i64 -1024
  %element.60 = load float, ptr addrspace(1) %at.22, align 4, !invariant.load !0
  %element.at.32 = getelementptr inbounds i8, ptr addrspace(1) %at.22, i64 4
  %element.61 = load float, ptr addrspace(1) %element.at.32, align 4, !invariant.load !0
  %at.23 = getelementptr i8, ptr addrspace(1) %at.16, i64 -1016
  %element.62 = load float, ptr addrspace(1) %at.23, align 4, !invariant.load !0
  %element.at.33 = getelementptr inbounds i8, ptr addrspace(1) %at.23, i64 4
  %element.63 = load float, ptr addrspace(1) %element.at.33, align 4, !invariant.load !0
  %at.24 = getelementptr i8, ptr addrspace(1) %at.17, i64 -1024
  %element.64 = load i8, ptr addrspace(1) %at.24, align 1, !invariant.load !0
  %element.at.34 = getelementptr inbounds i8, ptr addrspace(1) %at.24, i64 2
  %element.65 = load i16, ptr addrspace(1) %element.at.34, align 2, !invariant.load !0
  %element.at.35 = getelementptr inbounds i8, ptr addrspace(1) %at.24, i64 4
  %element.66 = load i16, ptr addrspace(1) %element.at.35, align 2, !invariant.load !0
  %element.at.36 = getelementptr inbounds i8, ptr addrspace(1) %at.24, i64 6
  %element.67 = load i16, ptr addrspace(1) %element.at.36, align 2, !invariant.load !0
  %at.25 = getelementptr i8, ptr addrspace(1) %at.17, i64 -1016
  %element.68 = load i8, ptr addrspace(1) %at.25, align 1, !invariant.load !0
  %element.at.37 = getelementptr inbounds i8, ptr addrspace(1) %at.25, i64 2
  %element.69 = load i16, ptr addrspace(1) %element.at.37, align 2, !invariant.load !0
  %element.at.38 = getelementptr inbounds i8, ptr addrspace(1) %at.25, i64 4
  %element.70 = load i16, ptr addrspace(1) %element.at.38, align 2, !invariant.load !0
  %element.at.39 = getelementptr inbounds i8, ptr addrspace(1) %at.25, i64 6
  %element.71 = load i16, ptr addrspace(1) %element.at.39, align 2, !invariant.load !0
  %product.36 = fmul float 1.0, %element.50
  %product.37 = fmul float 0.0, %element.51
  %product.38 = fmul float 1.0, %element.51
  %product.39 = fmul float 0.0, %element.50
  %z.22 = fsub float %product.36, %product.37
  %z.23 = fadd float %product.38, %product.39
  %bits.46 = xor i8 0, %element.56
  %bits.47 = xor i16 0, %element.57
  %bits.48 = xor i16 0, %element.58
  %bits.49 = xor i16 0, %element.59
  %product.40 = fmul float 1.0, %element.48
  %product.41 = fmul float 0.0, %element.49
  %product.42 = fmul float 1.0, %element.49
  %product.43 = fmul float 0.0, %element.48
  %z.24 = fsub float %product.40, %product.41
  %z.25 = fadd float %product.42, %product.43
  %bits.50 = xor i8 0, %element.52
  %bits.51 = xor i16 0, %element.53
  %bits.52 = xor i16 0, %element.54
  %bits.53 = xor i16 0, %element.55
  %product.44 = fmul float %z.22, %element.62
  %product.45 = fmul float %z.23, %element.63
  %product.46 = fmul float %z.22, %element.63
  %product.47 = fmul float %z.23, %element.62
  %z.26 = fsub float %product.44, %product.45
  %z.27 = fadd float %product.46, %product.47
  %bits.54 = xor i8 %bits.46, %element.68
  %bits.55 = xor i16 %bits.47, %element.69
  %bits.56 = xor i16 %bits.48, %element.70
  %bits.57 = xor i16 %bits.49, %element.71
  %product.48 = fmul float %z.24, %element.60
  %product.49 = fmul float %z.25, %element.61
  %product.50 = fmul float %z.24, %element.61
  %product.51 = fmul float %z.25, %element.60
  %z.28 = fsub float %product.48, %product.49
  %z.29 = fadd float %product.50, %product.51
  %bits.58 = xor i8 %bits.50, %element.64
  %bits.59 = xor i16 %bits.51, %element.65
  %bits.60 = xor i16 %bits.52, %element.66
  %bits.61 = xor i16 %bits.53, %element.67
  %next.2 = sub i32 %first, %grid.warps
  br label %narrow.tiles

narrow.tiles:
  %tiles.left.1 = phi i32 [ %next.2, %narrow.first ], [ %next.3, %narrow.tiles.body ]
  %z.30 = phi float [ %z.28, %narrow.first ], [ %z.40, %narrow.tiles.body ]
  %z.31 = phi float [ %z.29, %narrow.first ], [ %z.41, %narrow.tiles.body ]
  %z.32 = phi float [ %z.26, %narrow.first ], [ %z.38, %narrow.tiles.body ]
  %z.33 = phi float [ %z.27, %narrow.first ], [ %z.39, %narrow.tiles.body ]
  %bits.62 = phi i8 [ %bits.58, %narrow.first ], [ %bits.82, %narrow.tiles.body ]
  %bits.63 = phi i16 [ %bits.59, %narrow.first ], [ %bits.83, %narrow.tiles.body ]
  %bits.64 = phi i16 [ %bits.60, %narrow.first ], [ %bits.84, %narrow.tiles.body ]
  %bits.65 = phi i16 [ %bits.61, %narrow.first ], [ %bits.85, %narrow.tiles.body ]
  %bits.66 = phi i8 [ %bits.54, %narrow.first ], [ %bits.78, %narrow.tiles.body ]
  %bits.67 = phi i16 [ %bits.55, %narrow.first ], [ %bits.79, %narrow.tiles.body ]
  %bits.68 = phi i16 [ %bits.56, %narrow.first ], [ %bits.80, %narrow.tiles.body ]
  %bits.69 = phi i16 [ %bits.57, %narrow.first ], [ %bits.81, %narrow.tiles.body ]
  %goes.on.1 = icmp sge i32 %tiles.left.1, 1
  br i1 %goes.on.1, label %narrow.tiles.body, label %narrow.tiles.last

narrow.tiles.body:
  %wide.6 = zext i32 %lane to i64
  %wide.7 = sext i32 %tiles.left.1 to i64
  %offset.15 = mul i64 %wide.6, 16
  %offset.16 = mul i64 %wide.7, 1024
  %offset.17 = add i64 %offset.15, %offset.16
  %offset.18 = mul i64 %offset.17, 1
  %at.26 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.18
  %offset.19 = mul i64 %offset.17, 1
  %at.27 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.19
  %at.28 = getelementptr i8, ptr addrspace(1) %at.26, i64 -512
  %element.72 = load float, ptr addrspace(1) %at.28, align 4, !invariant.load !0
  %element.at.40 = getelementptr inbounds i8, ptr addrspace(1) %at.28, i64 4
  %element.73 = load float, ptr addrspace(1) %element.at.40, align 4, !invariant.load !0
  %at.29 = getelementptr i8, ptr addrspace(1) %at.26, i64 -504
  %element.74 = load float, ptr addrspace(1) %at.29, align 4, !invariant.load !0
  %element.at.41 = getelementptr inbounds i8, ptr addrspace(1) %at.29, i64 4
  %element.75 = load float, ptr addrspace(1) %element.at.41, align 4, !invariant.load !0
  %at.30 = getelementptr i8, ptr addrspace(1) %at.27, i64 -512
  %element.76 = load i8, ptr addrspace(1) %at.30, align 1, !invariant.load !0
  %element.at.42 = getelementptr inbounds i8, ptr addrspace(1) %at.30, i64 2
  %element.77 = load i16, ptr addrspace(1) %element.at.42, align 2, !invariant.load !0
  %element.at.43 = getelementptr inbounds i8, ptr addrspace(1) %at.30, i64 4
  %element.78 = load i16, ptr addrspace(1) %element.at.43, align 2, !invariant.load !0
  %element.at.44 = getelementptr inbounds i8, ptr addrspace(1) %at.30, i64 6
  %element.79 = load i16, ptr addrspace(1) %element.at.44, align 2, !invariant.load !0
  %at.31 = getelementptr i8, ptr addrspace(1) %at.27, i64 -504
  %element.80 = load i8, ptr addrspace(1) %at.31, align 1, !invariant.load !0
  %element.at.45 = getelementptr inbounds i8, ptr addrspace(1) %at.31, i64 2
  %element.81 = load i16, ptr addrspace(1) %element.at.45, align 2, !invariant.load !0
  %element.at.46 = getelementptr inbounds i8, ptr addrspace(1) %at.31, i64 4
  %element.82 = load i16, ptr addrspace(1) %element.at.46, align 2, !invariant.load !0
  %element.at.47 = getelementptr inbounds i8, ptr addrspace(1) %at.31, i64 6
  %element.83 = load i16, ptr addrspace(1) %element.at.47, align 2, !invariant.load !0
  %at.32 = getelementptr i8, ptr addrspace(1) %at.26, i64 -1024
  %element.84 = load float, ptr addrspace(1) %at.32, align 4, !invariant.load !0
  %element.at.48 = getelementptr inbounds i8, ptr addrspace(1) %at.32, i64 4
  %element.85 = load float, ptr addrspace(1) %element.at.48, align 4, !invariant.load !0
  %at.33 = getelementptr i8, ptr addrspace(1) %at.26, i64 -1016
  %element.86 = load float, ptr addrspace(1) %at.33, align 4, !invariant.load !0
  %element.at.49 = getelementptr inbounds i8, ptr addrspace(1) %at.33, i64 4
  %element.87 = load float, ptr addrspace(1) %element.at.49, align 4, !invariant.load !0
  %at.34 = getelementptr i8, ptr addrspace(1) %at.27, i64 -1024
  %element.88 = load i8, ptr addrspace(1) %at.34, align 1, !invariant.load !0
  %element.at.50 = getelementptr inbounds i8, ptr addrspace(1) %at.34, i64 2
  %element.89 = load i16, ptr addrspace(1) %element.at.50, align 2, !invariant.load !0
  %element.at.51 = getelementptr inbounds i8, ptr addrspace(1) %at.34, i64 4
  %element.90 = load i16, ptr addrspace(1) %element.at.51, align 2, !invariant.load !0
  %element.at.52 = getelementptr inbounds i8, ptr addrspace(1) %at.34, i64 6
  %element.91 = load i16, ptr addrspace(1) %element.at.52, align 2, !invariant.load !0
  %at.35 = getelementptr i8, ptr addrspace(1) %at.27, i64 -1016
  %element.92 = load i8, ptr addrspace(1) %at.35, align 1, !invariant.load !0
  %element.at.53 = getelementptr inbounds i8, ptr addrspace(1) %at.35, i64 2
  %element.93 = load i16, ptr addrspace(1) %element.at.53, align 2, !invariant.load !0
  %element.at.54 = getelementptr inbounds i8, ptr addrspace(1) %at.35, i64 4
  %element.94 = load i16, ptr addrspace(1) %element.at.54, align 2, !invariant.load !0
  %element.at.55 = getelementptr inbounds i8, ptr addrspace(1) %at.35, i64 6
  %element.95 = load i16, ptr addrspace(1) %element.at.55, align 2, !invariant.load !0
  %product.52 = fmul float %z.32, %element.74
  %product.53 = fmul float %z.33, %element.75
  %product.54 = fmul float %z.32, %element.75
  %product.55 = fmul float %z.33, %element.74
  %z.34 = fsub float %product.52, %product.53
  %z.35 = fadd float %product.54, %product.55
  %bits.70 = xor i8 %bits.66, %element.80
  %bits.71 = xor i16 %bits.67, %element.81
  %bits.72 = xor i16 %bits.68, %element.82
  %bits.73 = xor i16 %bits.69, %element.83
  %product.56 = fmul float %z.30, %element.72
  %product.57 = fmul float %z.31, %element.73
  %product.58 = fmul float %z.30, %element.73
  %product.59 = fmul float %z.31, %element.72
  %z.36 = fsub float %product.56, %product.57
  %z.37 = fadd float %product.58, %product.59
  %bits.74 = xor i8 %bits.62, %element.76
  %bits.75 = xor i16 %bits.63, %element.77
  %bits.76 = xor i16 %bits.64, %element.78
  %bits.77 = xor i16 %bits.65, %element.79
  %product.60 = fmul float %z.34, %element.86
  %product.61 = fmul float %z.35, %element.87
  %product.62 = fmul float %z.34, %element.87
  %product.63 = fmul float %z.35, %element.86
  %z.38 = fsub float %product.60, %product.61
  %z.39 = fadd float %product.62, %product.63
  %bits.78 = xor i8 %bits.70, %element.92
  %bits.79 = xor i16 %bits.71, %element.93
  %bits.80 = xor i16 %bits.72, %element.94
  %bits.81 = xor i16 %bits.73, %element.95
  %product.64 = fmul float %z.36, %element.84
  %product.65 = fmul float %z.37, %element.85
  %product.66 = fmul float %z.36, %element.85
  %product.67 = fmul float %z.37, %element.84
  %z.40 = fsub float %product.64, %product.65
  %z.41 = fadd float %product.66, %product.67
  %bits.82 = xor i8 %bits.74, %element.88
  %bits.83 = xor i16 %bits.75, %element.89
  %bits.84 = xor i16 %bits.76, %element.90
  %bits.85 = xor i16 %bits.77, %element.91
  %next.3 = sub i32 %tiles.left.1, %grid.warps
  br label %narrow.tiles, !llvm.loop !7

narrow.tiles.last:
  %product.68 = fmul float %z.30, %z.32
  %product.69 = fmul float %z.31, %z.33
  %product.70 = fmul float %z.30, %z.33
  %product.71 = fmul float %z.31, %z.32
  %z.total.2 = fsub float %product.68, %product.69
  %z.total.3 = fadd float %product.70, %product.71
  %bits.total.4 = xor i8 %bits.62, %bits.66
  %bits.total.5 = xor i16 %bits.63, %bits.67
  %bits.total.6 = xor i16 %bits.64, %bits.68
  %bits.total.7 = xor i16 %bits.65, %bits.69
  br label %narrow.tiles.end

narrow.tiles.end:
  %z.42 = phi float [ 1.0, %unaligned ], [ %z.total.2, %narrow.tiles.last ]
  %z.43 = phi float [ 0.0, %unaligned ], [ %z.total.3, %narrow.tiles.last ]
  %bits.86 = phi i8 [ 0, %unaligned ], [ %bits.total.4, %narrow.tiles.last ]
  %bits.87 = phi i16 [ 0, %unaligned ], [ %bits.total.5, %narrow.tiles.last ]
  %bits.88 = phi i16 [ 0, %unaligned ], [ %bits.total.6, %narrow.tiles.last ]
  %bits.89 = phi i16 [ 0, %unaligned ], [ %bits.total.7, %narrow.tiles.last ]
  br label %whole

whole:
  %z.44 = phi float [ %z.20, %wide.tiles.end ], [ %z.42, %narrow.tiles.end ]
  %z.45 = phi float [ %z.21, %wide.tiles.end ], [ %z.43, %narrow.tiles.end ]
  %bits.90 = phi i8 [ %bits.42, %wide.tiles.end ], [ %bits.86, %narrow.tiles.end ]
  %bits.91 = phi i16 [ %bits.43, %wide.tiles.end ], [ %bits.87, %narrow.tiles.end ]
  %bits.92 = phi i16 [ %bits.44, %wide.tiles.end ], [ %bits.88, %narrow.tiles.end ]
  %bits.93 = phi i16 [ %bits.45, %wide.tiles.end ], [ %bits.89, %narrow.tiles.end ]
  %has.tail = icmp ult i32 %grid.thread, %narrow.1
  br i1 %has.tail, label %tail.some, label %tail.end, !prof !8

tail.some:
  %are.few = icmp ult i32 %grid.threads, 128
  %step = select i1 %are.few, i32 %grid.threads, i32 128
  %wide.8 = zext i32 %narrow.1 to i64
  %tiled = sub i64 %n, %wide.8
  %offset.20 = mul i64 %tiled, 8
  %at.36 = getelementptr i8, ptr addrspace(1) %array0, i64 %offset.20
  %offset.21 = mul i64 %tiled, 8
  %at.37 = getelementptr i8, ptr addrspace(1) %array1, i64 %offset.21
  br label %tail

tail:
  %element.number = phi i32 [ %grid.thread, %tail.some ], [ %next.5, %following.1 ]
  %z.46 = phi float [ %z.44, %tail.some ], [ %z.54, %following.1 ]
  %z.47 = phi float [ %z.45, %tail.some ], [ %z.55, %following.1 ]
  %bits.94 = phi i8 [ %bits.90, %tail.some ], [ %bits.110, %following.1 ]
  %bits.95 = phi i16 [ %bits.91, %tail.some ], [ %bits.111, %following.1 ]
  %bits.96 = phi i16 [ %bits.92, %tail.some ], [ %bits.112, %following.1 ]
  %bits.97 = phi i16 [ %bits.93, %tail.some ], [ %bits.113, %following.1 ]
  %goes.on.2 = icmp ult i32 %element.number, %narrow.1
  br i1 %goes.on.2, label %tail.body, label %tail.end

tail.body:
  %exists = icmp ult i32 %element.number, %narrow.1
  %wide.9 = zext i32 %element.number to i64
  br i1 %exists, label %element.96, label %element.end

element.96:
  %at.38 = getelementptr inbounds { float, float }, ptr addrspace(1) %at.36, i64 %wide.9
  %element.97 = load float, ptr addrspace(1) %at.38, align 4, !invariant.load !0
  %element.at.56 = getelementptr inbounds i8, ptr addrspace(1) %at.38, i64 4
  %element.98 = load float, ptr addrspace(1) %element.at.56, align 4, !invariant.load !0
  %at.39 = getelementptr inbounds { i8, [3 x i16] }, ptr addrspace(1) %at.37, i64 %wide.9
  %element.99 = load i8, ptr addrspace(1) %at.39, align 1, !invariant.load !0
  %element.at.57 = getelementptr inbounds i8, ptr addrspace(1) %at.39, i64 2
  %element.100 = load i16, ptr addrspace(1) %element.at.57, align 2, !invariant.load !0
  %element.at.58 = getelementptr inbounds i8, ptr addrspace(1) %at.39, i64 4
  %element.101 = load i16, ptr addrspace(1) %element.at.58, align 2, !invariant.load !0
  %element.at.59 = getelementptr inbounds i8, ptr addrspace(1) %at.39, i64 6
  %element.102 = load i16, ptr addrspace(1) %element.at.59, align 2, !invariant.load !0
  br label %element.end

element.end:
  %element.103 = phi float [ %element.97, %element.96 ], [ 0.0, %tail.body ]
  %element.104 = phi float [ %element.98, %element.96 ], [ 0.0, %tail.body ]
  %element.105 = phi i8 [ %element.99, %element.96 ], [ 0, %tail.body ]
  %element.106 = phi i16 [ %element.100, %element.96 ], [ 0, %tail.body ]
  %element.107 = phi i16 [ %element.101, %element.96 ], [ 0, %tail.body ]
  %element.108 = phi i16 [ %element.102, %element.96 ], [ 0, %tail.body ]
  %next.4 = add i32 %element.number, %step
  %exists.1 = icmp ult i32 %next.4, %narrow.1
  %wide.10 = zext i32 %next.4 to i64
  br i1 %exists.1, label %element.109, label %element.end.1

element.109:
  %at.40 = getelementptr inbounds { float, float }, ptr addrspace(1) %at.36, i64 %wide.10
  %element.110 = load float, ptr addrspace(1) %at.40, align 4, !invariant.load !0
  %element.at.60 = getelementptr inbounds i8, ptr addrspace(1) %at.40, i64 4
  %element.111 = load float, ptr addrspace(1) %element.at.60, align 4, !invariant.load !0
  %at.41 = getelementptr inbounds { i8, [3 x i16] }, ptr addrspace(1) %at.37, i64 %wide.10
  %element.112 = load i8, ptr addrspace(1) %at.41, align 1, !invariant.load !0
  %element.at.61 = getelementptr inbounds i8, ptr addrspace(1) %at.41, i64 2
  %element.113 = load i16, ptr addrspace(1) %element.at.61, align 2, !invariant.load !0
  %element.at.62 = getelementptr inbounds i8, ptr addrspace(1) %at.41, i64 4
  %element.114 = load i16, ptr addrspace(1) %element.at.62, align 2, !invariant.load !0
  %element.at.63 = getelementptr inbounds i8, ptr addrspace(1) %at.41, i64 6
  %element.115 = load i16, ptr addrspace(1) %element.at.63, align 2, !invariant.load !0
  br label %element.end.1

element.end.1:
  %element.116 = phi float [ %element.110, %element.109 ], [ 0.0, %element.end ]
  %element.117 = phi float [ %element.111, %element.109 ], [ 0.0, %element.end ]
  %element.118 = phi i8 [ %element.112, %element.109 ], [ 0, %element.end ]
  %element.119 = phi i16 [ %element.113, %element.109 ], [ 0, %element.end ]
  %element.120 = phi i16 [ %element.114, %element.109 ], [ 0, %element.end ]
  %element.121 = phi i16 [ %element.115, %element.109 ], [ 0, %element.end ]
  %next.5 = add i32 %next.4, %step
  br i1 %exists, label %one, label %following

one:
  %product.72 = fmul float %z.46, %element.103
  %product.73 = fmul float %z.47, %element.104
  %product.74 = fmul float %z.46, %element.104
  %product.75 = fmul float %z.47, %element.103
  %z.48 = fsub float %product.72, %product.73
  %z.49 = fadd float %product.74, %product.75
  %bits.98 = xor i8 %bits.94, %element.105
  %bits.99 = xor i16 %bits.95, %element.106
  %bits.100 = xor i16 %bits.96, %element.107
  %bits.101 = xor i16 %bits.97, %element.108
  br label %following

following:
  %z.50 = phi float [ %z.48, %one ], [ %z.46, %element.end.1 ]
  %z.51 = phi float [ %z.49, %one ], [ %z.47, %element.end.1 ]
  %bits.102 = phi i8 [ %bits.98, %one ], [ %bits.94, %element.end.1 ]
  %bits.103 = phi i16 [ %bits.99, %one ], [ %bits.95, %element.end.1 ]
  %bits.104 = phi i16 [ %bits.100, %one ], [ %bits.96, %element.end.1 ]
  %bits.105 = phi i16 [ %bits.101, %one ], [ %bits.97, %element.end.1 ]
  br i1 %exists.1, label %one.1, label %following.1

one.1:
  %product.76 = fmul float %z.50, %element.116
  %product.77 = fmul float %z.51, %element.117
  %product.78 = fmul float %z.50, %element.117
  %product.79 = fmul float %z.51, %element.116
  %z.52 = fsub float %product.76, %product.77
  %z.53 = fadd float %product.78, %product.79
  %bits.106 = xor i8 %bits.102, %element.118
  %bits.107 = xor i16 %bits.103, %element.119
  %bits.108 = xor i16 %bits.104, %element.120
  %bits.109 = xor i16 %bits.105, %element.121
  br label %following.1

following.1:
  %z.54 = phi float [ %z.52, %one.1 ], [ %z.50, %following ]
  %z.55 = phi float [ %z.53, %one.1 ], [ %z.51, %following ]
  %bits.110 = phi i8 [ %bits.106, %one.1 ], [ %bits.102, %following ]
  %bits.111 = phi i16 [ %bits.107, %one.1 ], [ %bits.103, %following ]
  %bits.112 = phi i16 [ %bits.108, %one.1 ], [ %bits.104, %following ]
  %bits.113 = phi i16 [ %bits.109, %one.1 ], [ %bits.105, %following ]
  br label %tail, !llvm.loop !10

tail.end:
  %z.56 = phi float [ %z.44, %whole ], [ %z.46, %tail ]
  %z.57 = phi float [ %z.45, %whole ], [ %z.47, %tail ]
  %bits.114 = phi i8 [ %bits.90, %whole ], [ %bits.94, %tail ]
  %bits.115 = phi i16 [ %bits.91, %whole ], [ %bits.95, %tail ]
  %bits.116 = phi i16 [ %bits.92, %whole ], [ %bits.96, %tail ]
  %bits.117 = phi i16 [ %bits.93, %whole ], [ %bits.97, %tail ]
  %z.entry = getelementptr inbounds ptr, ptr %list, i64 0
  %z.private = load ptr, ptr %z.entry, align 8
  store float %z.56, ptr %z.private, align 4
  %z.at = getelementptr inbounds i8, ptr %z.private, i64 4
  store float %z.57, ptr %z.at, align 4
  %bits.entry = getelementptr inbounds ptr, ptr %list, i64 1
  %bits.private = load ptr, ptr %bits.entry, align 8
  store i8 %bits.114, ptr %bits.private, align 1
  %bits.at = getelementptr inbounds i8, ptr %bits.private, i64 2
  store i16 %bits.115, ptr %bits.at, align 2
  %bits.at.1 = getelementptr inbounds i8, ptr %bits.private, i64 4
  store i16 %bits.116, ptr %bits.at.1, align 2
  %bits.at.2 = getelementptr inbounds i8, ptr %bits.private, i64 6
  store i16 %bits.117, ptr %bits.at.2, align 2
  ret void
}

define ptx_kernel void @warpfold_reduce(i64 %n, i64 %first, ptr addrspace(1) align 16 %workspace, ptr addrspace(1) align 4 %result, ptr addrspace(1) noalias readonly align 4 %array0, ptr addrspace(1) noalias readonly align 2 %array1) convergent mustprogress nounwind "nvvm.maxntid"="256" {
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
