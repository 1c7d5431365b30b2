; Kernels with the hints that a launch reads, and parameters of every kind.

%probe.record = type { i8, i64, [3 x i16] }

define ptx_kernel void @probe(i1 %a, i8 %b, i16 %c, i32 %d, i64 %e, i128 %f, half %g, bfloat %h, float %i, double %j, <4 x i32> %k, ptr byval(%probe.record) align 8 %l, ptr addrspace(1) %m, ptr addrspace(3) %n, [2 x float] %o, ptr align 16 %p) "nvvm.maxntid"="128,2,1" "nvvm.minctasm"="2" "nvvm.maxnreg"="64" {
  %x = load %probe.record, ptr %l
  store %probe.record %x, ptr %p
  store volatile i1 %a, ptr %p
  store volatile i8 %b, ptr %p
  store volatile i16 %c, ptr %p
  store volatile i32 %d, ptr %p
  store volatile i64 %e, ptr %p
  store volatile i128 %f, ptr %p
  store volatile half %g, ptr %p
  store volatile bfloat %h, ptr %p
  store volatile float %i, ptr %p
  store volatile double %j, ptr %p
  store volatile <4 x i32> %k, ptr %p
  store volatile [2 x float] %o, ptr %p
  store volatile ptr addrspace(1) %m, ptr %p
  store volatile ptr addrspace(3) %n, ptr %p
  ret void
}

define ptx_kernel void @probe.required() "nvvm.reqntid"="64,1,1" {
  ret void
}

define ptx_kernel void @probe.cluster() "nvvm.cluster_dim"="2,1,1" "nvvm.maxclusterrank"="4" {
  ret void
}

define ptx_kernel void @probe.grid(ptr byval(i32) "nvvm.grid_constant" %p, ptr %q) {
  %v = load i32, ptr %p
  store i32 %v, ptr %q
  ret void
}

define void @probe.never() noreturn {
  call void @llvm.nvvm.exit()
  unreachable
}
