; Data: every linkage and space, addresses and their parts in initialisers, aliases.

@probe.i8 = addrspace(1) global i8 5
@probe.i64 = internal addrspace(1) global i64 -2, align 16
@probe.weak = weak addrspace(1) global i32 3
@probe.once = linkonce_odr addrspace(1) global i32 4
@probe.common = common addrspace(1) global i32 0
@probe.external = external addrspace(1) global i32
@probe.hidden = hidden addrspace(1) global float 1.5
@probe.text = private addrspace(1) constant [6 x i8] c"hello\00"
@probe.table = addrspace(1) global [3 x ptr] [ptr @probe.f, ptr null, ptr addrspacecast (ptr addrspace(1) @probe.i8 to ptr)]
@probe.offset = addrspace(1) global ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @probe.array, i64 8)
@probe.array = addrspace(1) global [8 x i32] [i32 1, i32 2, i32 3, i32 4, i32 0, i32 0, i32 0, i32 0]
@probe.mixed = addrspace(1) global { i8, ptr, <2 x half>, double } { i8 1, ptr addrspacecast (ptr addrspace(1) @probe.array to ptr), <2 x half> <half 1.0, half 2.0>, double 0.5 }
@probe.packed = addrspace(1) global <{ i8, ptr }> <{ i8 1, ptr @probe.f }>
@probe.half = addrspace(1) global half 0xH3C00
@probe.wide = addrspace(1) global i128 18446744073709551617
@probe.constant = addrspace(4) constant [4 x float] [float 1.0, float 2.0, float 3.0, float 4.0]
@probe.shared = internal addrspace(3) global [32 x i64] undef, align 8
@probe.sharedword = addrspace(3) global i32 undef
@probe.dynamic = external addrspace(3) global [0 x i32], align 16
@probe.plain = global i32 9
@probe.other = alias i32 (i32), ptr @probe.f

define i32 @probe.f(i32 %x) {
  ret i32 %x
}

define i64 @probe(i32 %i) {
  %s = getelementptr [32 x i64], ptr addrspace(3) @probe.shared, i32 0, i32 %i
  %a = load i64, ptr addrspace(3) %s
  %d = getelementptr [0 x i32], ptr addrspace(3) @probe.dynamic, i32 0, i32 %i
  %b = load i32, ptr addrspace(3) %d
  %c = getelementptr [4 x float], ptr addrspace(4) @probe.constant, i32 0, i32 %i
  %e = load float, ptr addrspace(4) %c
  store float %e, ptr addrspace(1) @probe.hidden
  store i32 %b, ptr addrspace(3) @probe.sharedword
  %g = load i32, ptr addrspace(1) @probe.external
  store i32 %g, ptr addrspace(1) @probe.common
  %f = load ptr, ptr addrspace(1) @probe.table
  %p = ptrtoint ptr %f to i64
  %t = getelementptr [6 x i8], ptr addrspace(1) @probe.text, i32 0, i32 %i
  %u = load i8, ptr addrspace(1) %t
  %w = zext i8 %u to i64
  %q = ptrtoint ptr addrspacecast (ptr addrspace(3) @probe.sharedword to ptr) to i64
  %x = add i64 %a, %p
  %y = add i64 %x, %w
  %z = add i64 %y, %q
  %k = load i32, ptr @probe.plain
  %l = zext i32 %k to i64
  %r = add i64 %z, %l
  ret i64 %r
}
