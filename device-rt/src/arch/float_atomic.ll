; Atomic floats with a scope, and fences in one total order. Atomics are relaxed, to be paired with fences:
; LLVM 22's NVPTX back end drops the ordering of a read-modify-write.

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define void @__warpfold_total_fence_block() alwaysinline nounwind {
  fence syncscope("block") seq_cst
  ret void
}

define float @__warpfold_add_f32_block(ptr %cell, float %value) alwaysinline nounwind {
  %old = atomicrmw fadd ptr %cell, float %value syncscope("block") monotonic
  ret float %old
}

define float @__warpfold_load_f32_block(ptr %cell) alwaysinline nounwind {
  %value = load atomic float, ptr %cell syncscope("block") monotonic, align 4
  ret float %value
}

define void @__warpfold_store_f32_block(ptr %cell, float %value) alwaysinline nounwind {
  store atomic float %value, ptr %cell syncscope("block") monotonic, align 4
  ret void
}

define double @__warpfold_add_f64_block(ptr %cell, double %value) alwaysinline nounwind {
  %old = atomicrmw fadd ptr %cell, double %value syncscope("block") monotonic
  ret double %old
}

define double @__warpfold_load_f64_block(ptr %cell) alwaysinline nounwind {
  %value = load atomic double, ptr %cell syncscope("block") monotonic, align 8
  ret double %value
}

define void @__warpfold_store_f64_block(ptr %cell, double %value) alwaysinline nounwind {
  store atomic double %value, ptr %cell syncscope("block") monotonic, align 8
  ret void
}

define void @__warpfold_total_fence_device() alwaysinline nounwind {
  fence syncscope("device") seq_cst
  ret void
}

define float @__warpfold_add_f32_device(ptr %cell, float %value) alwaysinline nounwind {
  %old = atomicrmw fadd ptr %cell, float %value syncscope("device") monotonic
  ret float %old
}

define float @__warpfold_load_f32_device(ptr %cell) alwaysinline nounwind {
  %value = load atomic float, ptr %cell syncscope("device") monotonic, align 4
  ret float %value
}

define void @__warpfold_store_f32_device(ptr %cell, float %value) alwaysinline nounwind {
  store atomic float %value, ptr %cell syncscope("device") monotonic, align 4
  ret void
}

define double @__warpfold_add_f64_device(ptr %cell, double %value) alwaysinline nounwind {
  %old = atomicrmw fadd ptr %cell, double %value syncscope("device") monotonic
  ret double %old
}

define double @__warpfold_load_f64_device(ptr %cell) alwaysinline nounwind {
  %value = load atomic double, ptr %cell syncscope("device") monotonic, align 8
  ret double %value
}

define void @__warpfold_store_f64_device(ptr %cell, double %value) alwaysinline nounwind {
  store atomic double %value, ptr %cell syncscope("device") monotonic, align 8
  ret void
}

define void @__warpfold_total_fence_system() alwaysinline nounwind {
  fence seq_cst
  ret void
}

define float @__warpfold_add_f32_system(ptr %cell, float %value) alwaysinline nounwind {
  %old = atomicrmw fadd ptr %cell, float %value monotonic
  ret float %old
}

define float @__warpfold_load_f32_system(ptr %cell) alwaysinline nounwind {
  %value = load atomic float, ptr %cell monotonic, align 4
  ret float %value
}

define void @__warpfold_store_f32_system(ptr %cell, float %value) alwaysinline nounwind {
  store atomic float %value, ptr %cell monotonic, align 4
  ret void
}

define double @__warpfold_add_f64_system(ptr %cell, double %value) alwaysinline nounwind {
  %old = atomicrmw fadd ptr %cell, double %value monotonic
  ret double %old
}

define double @__warpfold_load_f64_system(ptr %cell) alwaysinline nounwind {
  %value = load atomic double, ptr %cell monotonic, align 8
  ret double %value
}

define void @__warpfold_store_f64_system(ptr %cell, double %value) alwaysinline nounwind {
  store atomic double %value, ptr %cell monotonic, align 8
  ret void
}
