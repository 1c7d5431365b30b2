; The sum of an array in LLVM IR, with the workspace that docs/lowering.md explains.

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@warp_values = internal addrspace(3) global [32 x float] poison, align 4

; [ir callbacks]
define internal void @shuffle_and_reduce(ptr %list, i16 %lane, i16 %offset, i16 %algorithm) convergent nounwind {
  %sum = load ptr, ptr %list
  %own = load float, ptr %sum
  %distance = sext i16 %offset to i32
  %remote = call float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %own, i32 %distance, i32 31)
  %combined = fadd float %own, %remote
  %full = icmp eq i16 %algorithm, 0
  %below = icmp ult i16 %lane, %offset
  %combines = or i1 %full, %below
  %next = select i1 %combines, float %combined, float %remote
  store float %next, ptr %sum
  ret void
}

define internal void @inter_warp_copy(ptr %list, i32 %warps) convergent nounwind {
  %sum = load ptr, ptr %list
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %lane = and i32 %thread, 31
  %leads = icmp eq i32 %lane, 0
  br i1 %leads, label %publish, label %published

publish:
  %own = load float, ptr %sum
  %warp = lshr i32 %thread, 5
  %to = getelementptr float, ptr addrspace(3) @warp_values, i32 %warp
  store float %own, ptr addrspace(3) %to
  br label %published

published:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %receives = icmp ult i32 %thread, %warps
  br i1 %receives, label %collect, label %collected

collect:
  %from = getelementptr float, ptr addrspace(3) @warp_values, i32 %thread
  %value = load float, ptr addrspace(3) %from
  store float %value, ptr %sum
  br label %collected

collected:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}
; [end]

define internal void @list_to_record(ptr %buffer, i32 %record, ptr %list) nounwind {
  %sum = load ptr, ptr %list
  %value = load float, ptr %sum
  %to = getelementptr float, ptr %buffer, i32 %record
  store float %value, ptr %to
  ret void
}

define internal void @record_to_list(ptr %buffer, i32 %record, ptr %list) nounwind {
  %sum = load ptr, ptr %list
  %from = getelementptr float, ptr %buffer, i32 %record
  %value = load float, ptr %from
  store float %value, ptr %sum
  ret void
}

define internal void @fold_record(ptr %buffer, i32 %record, ptr %list) nounwind {
  %sum = load ptr, ptr %list
  %from = getelementptr float, ptr %buffer, i32 %record
  %value = load float, ptr %from
  %own = load float, ptr %sum
  %next = fadd float %own, %value
  store float %next, ptr %sum
  ret void
}

; [ir kernel]
declare i32 @__warpfold_grid_reduce(ptr, ptr, ptr, ptr, ptr, ptr, ptr) convergent

; The sum of the first n values, one a thread.
define ptx_kernel void @total(ptr addrspace(1) %values, i32 %n, ptr addrspace(1) %workspace,
                              ptr addrspace(1) %original) {
  %sum = alloca float
  %list = alloca ptr
  store ptr %sum, ptr %list
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %threads = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %before = mul i32 %block, %threads
  %index = add i32 %before, %thread
  store float -0.0, ptr %sum
  %inside = icmp ult i32 %index, %n
  br i1 %inside, label %load, label %reduce

load:
  %at = getelementptr float, ptr addrspace(1) %values, i32 %index
  %value = load float, ptr addrspace(1) %at
  store float %value, ptr %sum
  br label %reduce

reduce:
  %slots = addrspacecast ptr addrspace(1) %workspace to ptr
  %status = call i32 @__warpfold_grid_reduce(ptr %slots, ptr %list, ptr @shuffle_and_reduce, ptr @inter_warp_copy,
      ptr @list_to_record, ptr @record_to_list, ptr @fold_record) convergent
  %holds = icmp eq i32 %status, 1
  br i1 %holds, label %finish, label %end

finish:
  %mine = load float, ptr %sum
  %old = load float, ptr addrspace(1) %original
  %new = fadd float %old, %mine
  store float %new, ptr addrspace(1) %original
  br label %end

end:
  ret void
}
; [end]
