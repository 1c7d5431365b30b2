; Calls of callbacks. A call through a pointer in Rust is an ordinary one, which LLVM may copy into
; divergent arms; these are convergent, one function per type of callback (see reduce/list.rs).

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define void @__warpfold_call_shuffle_reduce(ptr %f, ptr %list, i16 signext %lane, i16 signext %offset, i16 signext %algorithm) alwaysinline convergent nounwind {
  call void %f(ptr %list, i16 signext %lane, i16 signext %offset, i16 signext %algorithm) convergent
  ret void
}

define void @__warpfold_call_inter_warp_copy(ptr %f, ptr %list, i32 %warps) alwaysinline convergent nounwind {
  call void %f(ptr %list, i32 %warps) convergent
  ret void
}

define void @__warpfold_call_buffer(ptr %f, ptr %buffer, i32 %slot, ptr %list) alwaysinline convergent nounwind {
  call void %f(ptr %buffer, i32 %slot, ptr %list) convergent
  ret void
}
