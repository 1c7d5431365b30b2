; A barrier of a part of the block. Threads need not arrive with their warps converged.

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @llvm.nvvm.barrier.cta.sync.count(i32, i32)

define void @__warpfold_part_sync(i32 %barrier, i32 %threads) alwaysinline convergent nounwind {
  call void @llvm.nvvm.barrier.cta.sync.count(i32 %barrier, i32 %threads)
  ret void
}
