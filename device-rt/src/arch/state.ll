; State that the translation units of one program share, and what the host writes.
;
; Weak: clang gives every unit a copy of the runtime, and the linker makes one of each of these. They
; are in `llvm.used` (kept.ll) where the runtime is linked as a compiler's builtin bitcode, which
; would make them private to a unit otherwise.

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; team::state::Team; uninitialised, as all shared memory is.
@__warpfold_team = weak protected addrspace(3) global [1040 x i8] undef, align 8

; libomptarget looks it up by this name and writes 48 bytes after loading an image.
@__omp_rtl_device_environment = weak protected addrspace(4) constant [48 x i8] zeroinitializer, align 8

define ptr @__warpfold_team_state() alwaysinline nounwind willreturn memory(none) {
  ret ptr addrspacecast (ptr addrspace(3) @__warpfold_team to ptr)
}
