; Shuffles, votes and the warp barrier, with an explicit mask of members.

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.up.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare void @llvm.nvvm.bar.warp.sync(i32)
declare i32 @llvm.nvvm.activemask()

; 31: the whole warp is one segment; a lane without one `delta` above it reads its own value.
define i32 @__warpfold_shuffle_down(i32 %mask, i32 %value, i32 %delta) alwaysinline convergent nounwind {
  %remote = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %value, i32 %delta, i32 31)
  ret i32 %remote
}

; `bounds` is PTX's operand c: the segments' mask in bits 8 to 12, the last lane's clamp below.
define i32 @__warpfold_shuffle_down_in(i32 %mask, i32 %value, i32 %delta, i32 %bounds) alwaysinline convergent nounwind {
  %remote = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %value, i32 %delta, i32 %bounds)
  ret i32 %remote
}

define i32 @__warpfold_ballot(i32 %mask, i32 %predicate) alwaysinline convergent nounwind {
  %holds = icmp ne i32 %predicate, 0
  %lanes = call i32 @llvm.nvvm.vote.ballot.sync(i32 %mask, i1 %holds)
  ret i32 %lanes
}

; As the barriers of barrier.ll, it does not access the threads' nesting.
define void @__warpfold_sync_warp(i32 %mask) alwaysinline convergent nounwind {
  call void @llvm.nvvm.bar.warp.sync(i32 %mask), !noalias !2
  ret void
}

define i32 @__warpfold_active_lanes() alwaysinline convergent nounwind {
  %lanes = call i32 @llvm.nvvm.activemask()
  ret i32 %lanes
}

; Gives undefined bits an arbitrary value: what shuffles and stores make visible to other threads must be
; defined.
define i8 @__warpfold_some_byte(i8 %byte) alwaysinline nounwind willreturn memory(none) {
  %some = freeze i8 %byte
  ret i8 %some
}

define i32 @__warpfold_some_word(i32 %word) alwaysinline nounwind willreturn memory(none) {
  %some = freeze i32 %word
  ret i32 %some
}

; 0: a lane without one `delta` below it reads its own value.
define i32 @__warpfold_shuffle_up(i32 %mask, i32 %value, i32 %delta) alwaysinline convergent nounwind {
  %remote = call i32 @llvm.nvvm.shfl.sync.up.i32(i32 %mask, i32 %value, i32 %delta, i32 0)
  ret i32 %remote
}

define i32 @__warpfold_shuffle_xor(i32 %mask, i32 %value, i32 %bits) alwaysinline convergent nounwind {
  %remote = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 %mask, i32 %value, i32 %bits, i32 31)
  ret i32 %remote
}

define i32 @__warpfold_shuffle_from(i32 %mask, i32 %value, i32 %lane) alwaysinline convergent nounwind {
  %remote = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %mask, i32 %value, i32 %lane, i32 31)
  ret i32 %remote
}

!0 = !{!"warpfold: the team's state"}
!1 = !{!"warpfold: the nesting of threads", !0}
!2 = !{!1}
