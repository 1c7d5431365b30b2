; The barriers of a block. They are declared not to access the threads' nesting (state.ll), which each thread
; alone writes: what LLVM knows of a thread's nesting before a barrier it knows after it.

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.barrier.cta.sync.all(i32)
declare void @llvm.nvvm.barrier.cta.sync.count(i32, i32)
declare i32 @llvm.nvvm.barrier.cta.red.popc.all(i32, i1)
declare i1 @llvm.nvvm.barrier.cta.red.and.all(i32, i1)
declare i1 @llvm.nvvm.barrier.cta.red.or.all(i32, i1)

define void @__warpfold_block_sync() alwaysinline convergent nounwind {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !noalias !2
  ret void
}

; The barriers between which all threads of a block do what one would, in a kernel that LLVM has made an SPMD one: the
; emulator's race check reads the comments. Not the intrinsic, which has none and is merged with its neighbours.
define void @__warpfold_block_sync_as_one() alwaysinline convergent nounwind {
  call void asm sideeffect "bar.sync 0; // warpfold: all threads as one", "~{memory}"() convergent nounwind, !noalias !2
  ret void
}

define void @__warpfold_block_sync_each() alwaysinline convergent nounwind {
  call void asm sideeffect "bar.sync 0; // warpfold: each thread", "~{memory}"() convergent nounwind, !noalias !2
  ret void
}

; Not the intrinsic: LLVM 22's OpenMPOpt takes its aligned form for a plain barrier, removes it after another
; one, and leaves poison for its result. And ptxas makes ten instructions more of the other form.
define i1 @__warpfold_block_sync_any(i1 %holds) alwaysinline convergent nounwind {
  %any = call i1 asm sideeffect "bar.red.or.pred $0, 0, $1;", "=b,b,~{memory}"(i1 %holds) convergent nounwind, !noalias !2
  ret i1 %any
}

; The part of openmp::sync::barrier that is not inlined.
declare void @__warpfold_partial_barrier() convergent
define void @__warpfold_call_partial_barrier() alwaysinline convergent nounwind {
  call void @__warpfold_partial_barrier() convergent nounwind, !noalias !2
  ret void
}

; Threads need not arrive with their warps converged.
define void @__warpfold_named_barrier(i32 %barrier, i32 %threads) alwaysinline convergent nounwind {
  call void @llvm.nvvm.barrier.cta.sync.count(i32 %barrier, i32 %threads), !noalias !2
  ret void
}

; Barrier 0, the one of the aligned form.
define void @__warpfold_sync_divergent() alwaysinline convergent nounwind {
  call void @llvm.nvvm.barrier.cta.sync.all(i32 0), !noalias !2
  ret void
}

define i32 @__warpfold_sync_count(i1 %predicate) alwaysinline convergent nounwind {
  %threads = call i32 @llvm.nvvm.barrier.cta.red.popc.all(i32 0, i1 %predicate), !noalias !2
  ret i32 %threads
}

define i1 @__warpfold_sync_and(i1 %predicate) alwaysinline convergent nounwind {
  %all = call i1 @llvm.nvvm.barrier.cta.red.and.all(i32 0, i1 %predicate), !noalias !2
  ret i1 %all
}

define i1 @__warpfold_sync_or(i1 %predicate) alwaysinline convergent nounwind {
  %any = call i1 @llvm.nvvm.barrier.cta.red.or.all(i32 0, i1 %predicate), !noalias !2
  ret i1 %any
}

!0 = !{!"warpfold: the team's state"}
!1 = !{!"warpfold: the nesting of threads", !0}
!2 = !{!1}
