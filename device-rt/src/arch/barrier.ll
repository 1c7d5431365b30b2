; Barriers that core::arch has not.

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @llvm.nvvm.barrier.cta.sync.all(i32)
declare void @llvm.nvvm.barrier.cta.sync.count(i32, i32)
declare i32 @llvm.nvvm.barrier.cta.red.popc.all(i32, i1)
declare i1 @llvm.nvvm.barrier.cta.red.and.all(i32, i1)
declare i1 @llvm.nvvm.barrier.cta.red.or.all(i32, i1)

; Threads need not arrive with their warps converged.
define void @__warpfold_part_sync(i32 %barrier, i32 %threads) alwaysinline convergent nounwind {
  call void @llvm.nvvm.barrier.cta.sync.count(i32 %barrier, i32 %threads)
  ret void
}

; Barrier 0, which is the aligned one's, too.
define void @__warpfold_sync_divergent() alwaysinline convergent nounwind {
  call void @llvm.nvvm.barrier.cta.sync.all(i32 0)
  ret void
}

; Not the aligned form: LLVM 22's OpenMPOpt takes it for a plain barrier, finds it superfluous after another
; one, and leaves poison where its result was.
define i32 @__warpfold_count_threads() alwaysinline convergent nounwind {
  %threads = call i32 @llvm.nvvm.barrier.cta.red.popc.all(i32 0, i1 true)
  ret i32 %threads
}

define i32 @__warpfold_sync_count(i1 %predicate) alwaysinline convergent nounwind {
  %threads = call i32 @llvm.nvvm.barrier.cta.red.popc.all(i32 0, i1 %predicate)
  ret i32 %threads
}

define i1 @__warpfold_sync_and(i1 %predicate) alwaysinline convergent nounwind {
  %all = call i1 @llvm.nvvm.barrier.cta.red.and.all(i32 0, i1 %predicate)
  ret i1 %all
}

define i1 @__warpfold_sync_or(i1 %predicate) alwaysinline convergent nounwind {
  %any = call i1 @llvm.nvvm.barrier.cta.red.or.all(i32 0, i1 %predicate)
  ret i1 %any
}
