; Pointers that LLVM's OpenMP passes shall not follow before inlining: see freeze.rs.

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptr @__warpfold_freeze(ptr %p) alwaysinline nounwind {
  %same = freeze ptr %p
  ret ptr %same
}
