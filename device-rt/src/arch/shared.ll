; Shared memory of the runtime: the values of warps on the per-variable path, and the stack in which the main
; thread of a team shares variables. What a program does not use of it is dropped. Each translation unit that
; is compiled with a copy of the runtime has its own; no unit accesses another's.

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@__warpfold_slots = internal addrspace(3) global [32 x i64] undef, align 8

define ptr @__warpfold_per_variable_words() alwaysinline nounwind willreturn memory(none) {
  ret ptr addrspacecast (ptr addrspace(3) @__warpfold_slots to ptr)
}

@__warpfold_scratch = internal addrspace(3) global [512 x i8] undef, align 16

define ptr @__warpfold_sharing_scratch() alwaysinline nounwind willreturn memory(none) {
  ret ptr addrspacecast (ptr addrspace(3) @__warpfold_scratch to ptr)
}

@__warpfold_dynamic = external addrspace(3) global [0 x i8], align 16

define ptr @__warpfold_dynamic_shared() alwaysinline nounwind willreturn memory(none) {
  ret ptr addrspacecast (ptr addrspace(3) @__warpfold_dynamic to ptr)
}
