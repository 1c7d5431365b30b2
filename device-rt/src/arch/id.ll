; Special registers that core::arch lacks.

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.smid()

define i32 @__warpfold_multiprocessor() alwaysinline nounwind {
  %id = call i32 @llvm.nvvm.read.ptx.sreg.smid()
  ret i32 %id
}
