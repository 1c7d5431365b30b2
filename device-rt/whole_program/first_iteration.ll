; SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
; The first iteration of a loop with a counter of 32 bits, of whose origin LLVM knows nothing, in programs that are optimised
; as a whole: there clang has given the counter 64 bits before the runtime is linked.
;
; The negative is hidden: in a trip count LLVM takes a subtraction of 64 bits for too dear, and an addition not, so that it
; unrolls the loop. umin says that the upper half is zero, which LLVM does not derive from the negative's range until it has
; simplified the counter; by that range it then removes umin. In the runtime's own compilation it would do so at once.

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; It is not below 0.
define hidden i32 @__warpfold_first_i32_of_program(i32 %value) alwaysinline nounwind willreturn memory(none) {
  %wide = zext i32 %value to i64
  %negative = call range(i64 -2147483647, 1) i64 asm "neg.s64 $0, $1;", "=l,l"(i64 %wide) nounwind willreturn memory(none)
  %same = sub nsw i64 0, %negative
  %bounded = call i64 @llvm.umin.i64(i64 %same, i64 2147483647)
  %first = trunc nuw nsw i64 %bounded to i32
  ret i32 %first
}

define hidden i32 @__warpfold_first_u32_of_program(i32 %value) alwaysinline nounwind willreturn memory(none) {
  %wide = zext i32 %value to i64
  %negative = call range(i64 -4294967295, 1) i64 asm "neg.s64 $0, $1;", "=l,l"(i64 %wide) nounwind willreturn memory(none)
  %same = sub nsw i64 0, %negative
  %bounded = call i64 @llvm.umin.i64(i64 %same, i64 4294967295)
  %first = trunc nuw i64 %bounded to i32
  ret i32 %first
}

declare i64 @llvm.umin.i64(i64, i64)
