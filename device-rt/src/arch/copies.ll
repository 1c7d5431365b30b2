; Copies of code that LLVM shall not merge: see copies.rs.

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Nothing may move across it that has an effect, but it accesses no memory that anything else does.
define void @__warpfold_own_copy() alwaysinline nounwind willreturn {
  call void asm sideeffect "", ""() nounwind willreturn memory(inaccessiblemem: readwrite)
  ret void
}

; The first iteration of a loop, of whose origin LLVM knows nothing. In the library of whole programs calls of the functions in
; whole_program/first_iteration.ll replace the moves with a comment.
define i32 @__warpfold_first_i32(i32 %value) alwaysinline nounwind willreturn memory(none) {
  %same = call i32 asm "mov.b32 $0, $1; // in a program: __warpfold_first_i32_of_program", "=r,r"(i32 %value) nounwind willreturn memory(none)
  ret i32 %same
}

define i32 @__warpfold_first_u32(i32 %value) alwaysinline nounwind willreturn memory(none) {
  %same = call i32 asm "mov.b32 $0, $1; // in a program: __warpfold_first_u32_of_program", "=r,r"(i32 %value) nounwind willreturn memory(none)
  ret i32 %same
}

define i64 @__warpfold_first_u64(i64 %value) alwaysinline nounwind willreturn memory(none) {
  %same = call i64 asm "mov.b64 $0, $1;", "=l,l"(i64 %value) nounwind willreturn memory(none)
  ret i64 %same
}

; It is not below 0. Its negative is hidden: in a trip count LLVM takes a subtraction of 64 bits for too dear, and an
; addition not.
define i64 @__warpfold_first_i64(i64 %value) alwaysinline nounwind willreturn memory(none) {
  %negative = call range(i64 -9223372036854775807, 1) i64 asm "neg.s64 $0, $1;", "=l,l"(i64 %value) nounwind willreturn memory(none)
  %same = sub nsw i64 0, %negative
  ret i64 %same
}

; Of the last iteration of a loop, LLVM knows that it is not below 0, nor the type's largest number.
define i32 @__warpfold_last_i32(i32 %value) alwaysinline nounwind willreturn memory(none) {
  %same = call range(i32 0, 2147483647) i32 asm "mov.b32 $0, $1;", "=r,r"(i32 %value) nounwind willreturn memory(none)
  ret i32 %same
}

define i32 @__warpfold_last_u32(i32 %value) alwaysinline nounwind willreturn memory(none) {
  %same = call range(i32 0, -1) i32 asm "mov.b32 $0, $1;", "=r,r"(i32 %value) nounwind willreturn memory(none)
  ret i32 %same
}

define i64 @__warpfold_last_i64(i64 %value) alwaysinline nounwind willreturn memory(none) {
  %same = call range(i64 0, 9223372036854775807) i64 asm "mov.b64 $0, $1;", "=l,l"(i64 %value) nounwind willreturn memory(none)
  ret i64 %same
}

define i64 @__warpfold_last_u64(i64 %value) alwaysinline nounwind willreturn memory(none) {
  %same = call range(i64 0, -1) i64 asm "mov.b64 $0, $1;", "=l,l"(i64 %value) nounwind willreturn memory(none)
  ret i64 %same
}
