; The callbacks of a list of one i32 that is summed, written by hand as a compiler makes them.

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@transfer = internal addrspace(3) global [32 x i32] undef, align 4

declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define internal void @shfl(ptr %list, i16 signext %lane, i16 signext %offset, i16 signext %algorithm) convergent nounwind {
  %p = load ptr, ptr %list
  %mine = load i32, ptr %p
  %delta = sext i16 %offset to i32
  %remote = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %mine, i32 %delta, i32 31)
  %full = icmp eq i16 %algorithm, 0
  %below = icmp ult i16 %lane, %offset
  %combines = or i1 %full, %below
  %sum = add i32 %mine, %remote
  %new = select i1 %combines, i32 %sum, i32 %remote
  store i32 %new, ptr %p
  ret void
}

define internal void @iwcpy(ptr %list, i32 %warps) convergent nounwind {
  %p = load ptr, ptr %list
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %lane = and i32 %tid, 31
  %warp = lshr i32 %tid, 5
  %leads = icmp eq i32 %lane, 0
  br i1 %leads, label %put, label %wait

put:
  %mine = load i32, ptr %p
  %from = getelementptr [32 x i32], ptr addrspace(3) @transfer, i32 0, i32 %warp
  store i32 %mine, ptr addrspace(3) %from
  br label %wait

wait:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %takes = icmp ult i32 %tid, %warps
  br i1 %takes, label %take, label %done

take:
  %slot = getelementptr [32 x i32], ptr addrspace(3) @transfer, i32 0, i32 %tid
  %value = load i32, ptr addrspace(3) %slot
  store i32 %value, ptr %p
  br label %done

done:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}

define internal void @lgcpy(ptr %buffer, i32 %slot, ptr %list) nounwind {
  %p = load ptr, ptr %list
  %mine = load i32, ptr %p
  %record = getelementptr i32, ptr %buffer, i32 %slot
  store i32 %mine, ptr %record
  ret void
}

define internal void @glcpy(ptr %buffer, i32 %slot, ptr %list) nounwind {
  %p = load ptr, ptr %list
  %record = getelementptr i32, ptr %buffer, i32 %slot
  %value = load i32, ptr %record
  store i32 %value, ptr %p
  ret void
}

define internal void @glred(ptr %buffer, i32 %slot, ptr %list) nounwind {
  %p = load ptr, ptr %list
  %mine = load i32, ptr %p
  %record = getelementptr i32, ptr %buffer, i32 %slot
  %value = load i32, ptr %record
  %sum = add i32 %mine, %value
  store i32 %sum, ptr %p
  ret void
}

; One kernel per stage: each thread contributes in[tid]; the thread that gets 1 adds to the result.

declare void @__warpfold_warp_reduce_full(ptr, ptr) convergent
declare i32 @__warpfold_block_reduce(ptr, ptr, ptr) convergent
declare i32 @__warpfold_grid_reduce(ptr, ptr, ptr, ptr, ptr, ptr, ptr) convergent
declare void @__warpfold_grid_store(ptr, ptr, ptr, ptr, ptr) convergent
declare i32 @__warpfold_grid_finalize(ptr, i32, ptr, ptr, ptr, ptr, ptr) convergent

define ptx_kernel void @warp(ptr %in, ptr %result) convergent {
  %value = alloca i32
  %list = alloca [1 x ptr]
  store ptr %value, ptr %list
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr %in, i32 %tid
  %mine = load i32, ptr %p
  store i32 %mine, ptr %value
  call void @__warpfold_warp_reduce_full(ptr %list, ptr @shfl) convergent
  %first = icmp eq i32 %tid, 0
  br i1 %first, label %add, label %done

add:
  call void @add_to(ptr %result, ptr %value)
  br label %done

done:
  ret void
}

define ptx_kernel void @block(ptr %in, ptr %result) convergent {
  %value = alloca i32
  %list = alloca [1 x ptr]
  store ptr %value, ptr %list
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr %in, i32 %tid
  %mine = load i32, ptr %p
  store i32 %mine, ptr %value
  %holds = call i32 @__warpfold_block_reduce(ptr %list, ptr @shfl, ptr @iwcpy) convergent
  %first = icmp eq i32 %holds, 1
  br i1 %first, label %add, label %done

add:
  call void @add_to(ptr %result, ptr %value)
  br label %done

done:
  ret void
}

define ptx_kernel void @grid(ptr %workspace, ptr %in, ptr %result) convergent {
  %value = alloca i32
  %list = alloca [1 x ptr]
  store ptr %value, ptr %list
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr %in, i32 %tid
  %mine = load i32, ptr %p
  store i32 %mine, ptr %value
  %holds = call i32 @__warpfold_grid_reduce(ptr %workspace, ptr %list, ptr @shfl, ptr @iwcpy, ptr @lgcpy, ptr @glcpy, ptr @glred) convergent
  %first = icmp eq i32 %holds, 1
  br i1 %first, label %add, label %done

add:
  call void @add_to(ptr %result, ptr %value)
  br label %done

done:
  ret void
}

define ptx_kernel void @partial(ptr %workspace, ptr %in) convergent {
  %value = alloca i32
  %list = alloca [1 x ptr]
  store ptr %value, ptr %list
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr %in, i32 %tid
  %mine = load i32, ptr %p
  store i32 %mine, ptr %value
  call void @__warpfold_grid_store(ptr %workspace, ptr %list, ptr @shfl, ptr @iwcpy, ptr @lgcpy) convergent
  ret void
}

define ptx_kernel void @finalize(ptr %workspace, i32 %slots, ptr %result) convergent {
  %value = alloca i32
  %list = alloca [1 x ptr]
  store ptr %value, ptr %list
  %holds = call i32 @__warpfold_grid_finalize(ptr %workspace, i32 %slots, ptr %list, ptr @shfl, ptr @iwcpy, ptr @glcpy, ptr @glred) convergent
  %first = icmp eq i32 %holds, 1
  br i1 %first, label %add, label %done

add:
  call void @add_to(ptr %result, ptr %value)
  br label %done

done:
  ret void
}

define internal void @add_to(ptr %result, ptr %value) nounwind {
  %old = load i32, ptr %result
  %mine = load i32, ptr %value
  %new = add i32 %old, %mine
  store i32 %new, ptr %result
  ret void
}
