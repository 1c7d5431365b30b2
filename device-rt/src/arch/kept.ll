; What a compiler that links this bitcode may neither drop nor make private: see state.ll, and
; __warpfold_anchor in abi/mod.rs. Only the OpenMP library has this file; see lib.rs.

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@__warpfold_team = external addrspace(3) global [1144 x i8]
@__omp_rtl_device_environment = external addrspace(4) constant [48 x i8]
@__warpfold_atomic_locks = external addrspace(1) global [256 x i8]
declare void @__warpfold_anchor()

@llvm.used = appending global [4 x ptr] [
  ptr addrspacecast (ptr addrspace(3) @__warpfold_team to ptr),
  ptr addrspacecast (ptr addrspace(4) @__omp_rtl_device_environment to ptr),
  ptr addrspacecast (ptr addrspace(1) @__warpfold_atomic_locks to ptr),
  ptr @__warpfold_anchor
], section "llvm.metadata"
