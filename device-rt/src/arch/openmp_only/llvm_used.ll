; Symbols that a compiler which links this bitcode may neither drop nor make private (llvm.used): see
; state.ll, and __warpfold_anchor in abi/warpfold.rs. Also the functions that LLVM calls only after the
; bitcode is linked: a compiler links only what is called by then. Only the OpenMP library has this file.

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@__warpfold_team_launch = external addrspace(3) global [8 x i8]
@__warpfold_team_max_threads = external addrspace(3) global [4 x i8]
@__warpfold_team_mode = external addrspace(3) global [4 x i8]
@__warpfold_team_layout = external addrspace(3) global [12 x i8]
@__warpfold_team_icvs = external addrspace(3) global [16 x i8]
@__warpfold_team_nesting = external addrspace(3) global [1024 x i8]
@__warpfold_team = external addrspace(3) global [88 x i8]
@__omp_rtl_device_environment = external addrspace(4) constant [48 x i8]
@__warpfold_atomic_locks = external addrspace(1) global [256 x i8]
@__warpfold_version = external addrspace(4) constant [16 x i8]
declare void @__warpfold_anchor()

declare i32 @__kmpc_get_hardware_thread_id_in_block()
declare i32 @__kmpc_get_hardware_num_threads_in_block()
declare i32 @__kmpc_get_warp_size()
declare void @__kmpc_barrier_simple_spmd(ptr, i32) convergent
declare void @__kmpc_barrier_simple_generic(ptr, i32) convergent
declare i1 @__kmpc_kernel_parallel(ptr)
declare void @__kmpc_kernel_end_parallel()

; Never called: it keeps what LLVM may call when it changes a kernel's mode, or makes a loop for its workers.
define weak hidden void @__warpfold_callees(ptr %p) noinline optnone cold convergent nounwind {
  %thread = call i32 @__kmpc_get_hardware_thread_id_in_block()
  %threads = call i32 @__kmpc_get_hardware_num_threads_in_block()
  %size = call i32 @__kmpc_get_warp_size()
  call void @__kmpc_barrier_simple_spmd(ptr %p, i32 0) convergent
  call void @__kmpc_barrier_simple_generic(ptr %p, i32 0) convergent
  %part = call i1 @__kmpc_kernel_parallel(ptr %p)
  call void @__kmpc_kernel_end_parallel()
  ret void
}

@llvm.used = appending global [12 x ptr] [
  ptr addrspacecast (ptr addrspace(3) @__warpfold_team_launch to ptr),
  ptr addrspacecast (ptr addrspace(3) @__warpfold_team_max_threads to ptr),
  ptr addrspacecast (ptr addrspace(3) @__warpfold_team_mode to ptr),
  ptr addrspacecast (ptr addrspace(3) @__warpfold_team_layout to ptr),
  ptr addrspacecast (ptr addrspace(3) @__warpfold_team_icvs to ptr),
  ptr addrspacecast (ptr addrspace(3) @__warpfold_team_nesting to ptr),
  ptr addrspacecast (ptr addrspace(3) @__warpfold_team to ptr),
  ptr addrspacecast (ptr addrspace(4) @__omp_rtl_device_environment to ptr),
  ptr addrspacecast (ptr addrspace(1) @__warpfold_atomic_locks to ptr),
  ptr addrspacecast (ptr addrspace(4) @__warpfold_version to ptr),
  ptr @__warpfold_anchor,
  ptr @__warpfold_callees
], section "llvm.metadata"
