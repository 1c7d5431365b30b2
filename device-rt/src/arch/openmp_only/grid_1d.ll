; The OpenMP library: teams are blocks, and leagues grids, of one dimension. An id is one register.

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define i1 @__warpfold_is_1d() alwaysinline nounwind willreturn memory(none) {
  ret i1 true
}
