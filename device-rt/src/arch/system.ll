; Fences for the whole system, sleep, and the clock.

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @llvm.nvvm.nanosleep(i32)
declare i64 @llvm.nvvm.read.ptx.sreg.globaltimer()

define void @__warpfold_fence_system() alwaysinline nounwind {
  fence acq_rel
  ret void
}

define void @__warpfold_nanosleep(i32 %nanoseconds) alwaysinline nounwind {
  call void @llvm.nvvm.nanosleep(i32 %nanoseconds)
  ret void
}

define i64 @__warpfold_nanoseconds() alwaysinline nounwind {
  %now = call i64 @llvm.nvvm.read.ptx.sreg.globaltimer()
  ret i64 %now
}
