; Shared memory of the runtime: one word, through which a block's first thread tells the others.

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@__warpfold_word = internal addrspace(3) global i32 undef, align 4

define ptr @__warpfold_shared_word() alwaysinline nounwind willreturn memory(none) {
  ret ptr addrspacecast (ptr addrspace(3) @__warpfold_word to ptr)
}
