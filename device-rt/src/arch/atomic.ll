; Atomics and fences with a scope, which Rust's cannot name. Read-modify-writes are relaxed, with
; fences beside them: LLVM 22's NVPTX back end drops the ordering of a read-modify-write.

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define i32 @__warpfold_increment_wrapping_device(ptr %word, i32 %last) alwaysinline nounwind {
  %old = atomicrmw uinc_wrap ptr %word, i32 %last syncscope("device") monotonic
  ret i32 %old
}

define void @__warpfold_fence_block() alwaysinline nounwind {
  fence syncscope("block") acq_rel
  ret void
}

define void @__warpfold_fence_device() alwaysinline nounwind {
  fence syncscope("device") acq_rel
  ret void
}

; A word that is 0 when free. The exchange is relaxed, as above; the fence makes it an acquire.
define i1 @__warpfold_try_lock_device(ptr %word) alwaysinline nounwind {
  %old = atomicrmw xchg ptr %word, i32 1 syncscope("device") monotonic
  %free = icmp eq i32 %old, 0
  fence syncscope("device") acq_rel
  ret i1 %free
}

define void @__warpfold_unlock_device(ptr %word) alwaysinline nounwind {
  store atomic i32 0, ptr %word syncscope("device") release, align 4
  ret void
}
