; Special registers that core::arch lacks.

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.smid()

define i32 @__warpfold_multiprocessor() alwaysinline nounwind {
  %id = call i32 @llvm.nvvm.read.ptx.sreg.smid()
  ret i32 %id
}

; The size of the block, of whose range LLVM knows nothing: see `unranged_block_threads` in id.rs.
define i32 @__warpfold_block_threads() alwaysinline nounwind willreturn memory(none) {
  %threads = call i32 asm "mov.b32 $0, %ntid.x;", "=r"() nounwind willreturn memory(none)
  ret i32 %threads
}
