; State that the translation units of one program share, and what the host writes.
;
; Weak: clang gives every unit a copy of the runtime, and the linker merges these into one of each. They are
; in `llvm.used` (openmp_only/llvm_used.ll): a compiler that links the runtime as builtin bitcode would make
; them private to a unit otherwise.

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; The state of a team (openmp/team/state.rs); uninitialised, as all shared memory is. What every kernel writes at its
; start is a variable each: LLVM removes those that a program never reads, with all that is written to them, where it
; sees the whole program (`whole_program` in toolchain/src/offload.rs).
@__warpfold_team_launch = weak protected addrspace(3) global [8 x i8] undef, align 8
@__warpfold_team_max_threads = weak protected addrspace(3) global [4 x i8] undef, align 4
@__warpfold_team_mode = weak protected addrspace(3) global [4 x i8] undef, align 4
@__warpfold_team_layout = weak protected addrspace(3) global [12 x i8] undef, align 4
@__warpfold_team_icvs = weak protected addrspace(3) global [16 x i8] undef, align 16
@__warpfold_team_nesting = weak protected addrspace(3) global [4096 x i8] undef, align 4
@__warpfold_team = weak protected addrspace(3) global [88 x i8] undef, align 8

; libomptarget looks it up by this name and writes 48 bytes after loading an image.
@__omp_rtl_device_environment = weak protected addrspace(4) constant [48 x i8] zeroinitializer, align 8

define ptr @__warpfold_device_environment() alwaysinline nounwind willreturn memory(none) {
  ret ptr addrspacecast (ptr addrspace(4) @__omp_rtl_device_environment to ptr)
}

; The version of the runtime, as text: in the bitcode and in every image, where a host can read it.
@__warpfold_version = weak protected addrspace(4) constant [16 x i8] c"0.1.0\00\00\00\00\00\00\00\00\00\00\00", align 4

; In a program that defines it as anything but 0, chunks of `distribute` go to teams round-robin, as the clause
; `dist_schedule(static, n)` requires, also where n is the number of a block's threads: see
; workshare/static_init.rs.
@__warpfold_dist_round_robin = weak hidden constant [4 x i8] zeroinitializer, align 4

define i1 @__warpfold_distributes_round_robin() alwaysinline nounwind willreturn memory(read) {
  %value = load i32, ptr @__warpfold_dist_round_robin, align 4
  %deals = icmp ne i32 %value, 0
  ret i1 %deals
}

; clang defines it in each unit by its option -fopenmp-target-debug=N. Bit 0 asks the runtime to check itself.
@__omp_rtl_debug_kind = weak hidden constant [4 x i8] zeroinitializer, align 4

define i1 @__warpfold_checks() alwaysinline nounwind willreturn memory(read) {
  %kind = load i32, ptr @__omp_rtl_debug_kind, align 4
  %bit = and i32 %kind, 1
  %checks = icmp ne i32 %bit, 0
  ret i1 %checks
}

define ptr @__warpfold_team_state() alwaysinline nounwind willreturn memory(none) {
  ret ptr addrspacecast (ptr addrspace(3) @__warpfold_team to ptr)
}

define ptr @__warpfold_address_of_launch() alwaysinline nounwind willreturn memory(none) {
  ret ptr addrspacecast (ptr addrspace(3) @__warpfold_team_launch to ptr)
}

define ptr @__warpfold_address_of_max_threads() alwaysinline nounwind willreturn memory(none) {
  ret ptr addrspacecast (ptr addrspace(3) @__warpfold_team_max_threads to ptr)
}

define ptr @__warpfold_address_of_mode() alwaysinline nounwind willreturn memory(none) {
  ret ptr addrspacecast (ptr addrspace(3) @__warpfold_team_mode to ptr)
}

define ptr @__warpfold_address_of_layout() alwaysinline nounwind willreturn memory(none) {
  ret ptr addrspacecast (ptr addrspace(3) @__warpfold_team_layout to ptr)
}

define ptr @__warpfold_address_of_icvs() alwaysinline nounwind willreturn memory(none) {
  ret ptr addrspacecast (ptr addrspace(3) @__warpfold_team_icvs to ptr)
}

; A thread's nesting, which only that thread reads and writes. It has an
; alias scope of its own (scopes with the same names are the same in all modules), so that LLVM sees that no
; barrier changes it: in a kernel whose regions LLVM sees completely, no load of it is left.
define i32 @__warpfold_nesting(i32 %thread) alwaysinline nounwind willreturn {
  %index = zext i32 %thread to i64
  %nesting = getelementptr inbounds nuw i32, ptr addrspace(3) @__warpfold_team_nesting, i64 %index
  %value = load i32, ptr addrspace(3) %nesting, align 4, !alias.scope !2
  ret i32 %value
}

define void @__warpfold_set_nesting(i32 %thread, i32 %value) alwaysinline nounwind willreturn {
  %index = zext i32 %thread to i64
  %nesting = getelementptr inbounds nuw i32, ptr addrspace(3) @__warpfold_team_nesting, i64 %index
  store i32 %value, ptr addrspace(3) %nesting, align 4, !alias.scope !2
  ret void
}

; Locks that stand for objects too large for the hardware's atomics (abi/libc.rs), chosen by the address. One
; table for all units of a program.
@__warpfold_atomic_locks = weak protected addrspace(1) global [256 x i8] zeroinitializer, align 4

define ptr @__warpfold_atomic_lock(ptr %object) alwaysinline nounwind willreturn memory(none) {
  %address = ptrtoint ptr %object to i64
  %line = lshr i64 %address, 4
  %index = and i64 %line, 63
  %lock = getelementptr inbounds i32, ptr addrspace(1) @__warpfold_atomic_locks, i64 %index
  %generic = addrspacecast ptr addrspace(1) %lock to ptr
  ret ptr %generic
}

; Slots of reductions with more teams than records in the launch's buffer, and the word that says whether a launch uses
; them. Where a unit has its own copy of the runtime these are its own, so that a program which does not reduce has none.
@__warpfold_image_slots = weak protected addrspace(1) global [1048576 x i8] zeroinitializer, align 16
@__warpfold_image_slots_in_use = weak protected addrspace(1) global [4 x i8] zeroinitializer, align 4

define ptr @__warpfold_address_of_image_slots() alwaysinline nounwind willreturn memory(none) {
  ret ptr addrspacecast (ptr addrspace(1) @__warpfold_image_slots to ptr)
}

define ptr @__warpfold_address_of_image_slots_in_use() alwaysinline nounwind willreturn memory(none) {
  ret ptr addrspacecast (ptr addrspace(1) @__warpfold_image_slots_in_use to ptr)
}

!0 = !{!"warpfold: the team's state"}
!1 = !{!"warpfold: the nesting of threads", !0}
!2 = !{!1}
