; The reductions for kernels of other generators: blocks and grids have up to three dimensions.

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define i1 @__warpfold_is_1d() alwaysinline nounwind willreturn memory(none) {
  ret i1 false
}
