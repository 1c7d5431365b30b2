; Minima and maxima of floats: a number wins over a NaN, and -0.0 is below 0.0. One instruction, where
; comparing takes several and a branch.

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare float @llvm.minimumnum.f32(float, float)
define float @__warpfold_min_f32(float %one, float %other) alwaysinline nounwind willreturn memory(none) {
  %result = call float @llvm.minimumnum.f32(float %one, float %other)
  ret float %result
}

declare float @llvm.maximumnum.f32(float, float)
define float @__warpfold_max_f32(float %one, float %other) alwaysinline nounwind willreturn memory(none) {
  %result = call float @llvm.maximumnum.f32(float %one, float %other)
  ret float %result
}

declare double @llvm.minimumnum.f64(double, double)
define double @__warpfold_min_f64(double %one, double %other) alwaysinline nounwind willreturn memory(none) {
  %result = call double @llvm.minimumnum.f64(double %one, double %other)
  ret double %result
}

declare double @llvm.maximumnum.f64(double, double)
define double @__warpfold_max_f64(double %one, double %other) alwaysinline nounwind willreturn memory(none) {
  %result = call double @llvm.maximumnum.f64(double %one, double %other)
  ret double %result
}

declare float @llvm.nvvm.rcp.approx.ftz.f(float)
define float @__warpfold_reciprocal(float %value) alwaysinline nounwind willreturn memory(none) {
  %result = call float @llvm.nvvm.rcp.approx.ftz.f(float %value)
  ret float %result
}

declare double @llvm.fma.f64(double, double, double)
define double @__warpfold_fused_f64(double %x, double %y, double %z) alwaysinline nounwind willreturn memory(none) {
  %result = call double @llvm.fma.f64(double %x, double %y, double %z)
  ret double %result
}
