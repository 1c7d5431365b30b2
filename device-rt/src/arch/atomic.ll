; Atomics and fences with a scope, which Rust's do not have. Read-modify-writes are relaxed, to be paired with
; fences: LLVM 22's NVPTX back end drops the ordering of a read-modify-write.

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define i32 @__warpfold_load_device(ptr %word) alwaysinline nounwind {
  %value = load atomic i32, ptr %word syncscope("device") monotonic, align 4
  ret i32 %value
}

define void @__warpfold_store_device(ptr %word, i32 %value) alwaysinline nounwind {
  store atomic i32 %value, ptr %word syncscope("device") monotonic, align 4
  ret void
}

define i32 @__warpfold_add_device(ptr %word, i32 %value) alwaysinline nounwind {
  %old = atomicrmw add ptr %word, i32 %value syncscope("device") monotonic
  ret i32 %old
}

define i32 @__warpfold_and_device(ptr %word, i32 %value) alwaysinline nounwind {
  %old = atomicrmw and ptr %word, i32 %value syncscope("device") monotonic
  ret i32 %old
}

define i32 @__warpfold_or_device(ptr %word, i32 %value) alwaysinline nounwind {
  %old = atomicrmw or ptr %word, i32 %value syncscope("device") monotonic
  ret i32 %old
}

define i32 @__warpfold_exchange_device(ptr %word, i32 %value) alwaysinline nounwind {
  %old = atomicrmw xchg ptr %word, i32 %value syncscope("device") monotonic
  ret i32 %old
}

define i64 @__warpfold_load_long(ptr %long) alwaysinline nounwind {
  %value = load atomic i64, ptr %long syncscope("device") monotonic, align 8
  ret i64 %value
}

define void @__warpfold_store_long(ptr %long, i64 %value) alwaysinline nounwind {
  store atomic i64 %value, ptr %long syncscope("device") monotonic, align 8
  ret void
}

define i64 @__warpfold_add_long(ptr %long, i64 %value) alwaysinline nounwind {
  %old = atomicrmw add ptr %long, i64 %value syncscope("device") monotonic
  ret i64 %old
}

define i64 @__warpfold_compare_exchange_long(ptr %long, i64 %expected, i64 %value) alwaysinline nounwind {
  %pair = cmpxchg ptr %long, i64 %expected, i64 %value syncscope("device") monotonic monotonic
  %old = extractvalue { i64, i1 } %pair, 0
  ret i64 %old
}

; With its ordering, hence not by atomicrmw. One access instead of two fences around a relaxed one.
define i32 @__warpfold_increment_wrapping_ordered_device(ptr %word, i32 %last) alwaysinline convergent nounwind {
  %global = addrspacecast ptr %word to ptr addrspace(1)
  %old = call i32 asm sideeffect "atom.acq_rel.gpu.global.inc.u32 $0, [$1], $2;", "=r,l,r,~{memory}"(ptr addrspace(1) %global, i32 %last) convergent nounwind
  ret i32 %old
}

; Likewise.
define i32 @__warpfold_increment_acquire_device(ptr %word) alwaysinline convergent nounwind {
  %global = addrspacecast ptr %word to ptr addrspace(1)
  %old = call i32 asm sideeffect "atom.acquire.gpu.global.add.u32 $0, [$1], 1;", "=r,l,~{memory}"(ptr addrspace(1) %global) convergent nounwind
  ret i32 %old
}

define i32 @__warpfold_load_acquire_device(ptr %word) alwaysinline nounwind {
  %value = load atomic i32, ptr %word syncscope("device") acquire, align 4
  ret i32 %value
}

define void @__warpfold_fence_block() alwaysinline nounwind {
  fence syncscope("block") acq_rel
  ret void
}

define void @__warpfold_fence_device() alwaysinline nounwind {
  fence syncscope("device") acq_rel
  ret void
}
