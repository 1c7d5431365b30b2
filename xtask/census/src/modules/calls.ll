; Calls: direct, through pointers, of a system call, with aggregates, varargs, a tail call, recursion.

%probe.pair = type { i32, double }

declare i32 @vprintf(ptr, ptr)
declare ptr @malloc(i64)
declare void @free(ptr)
declare void @__assertfail(ptr, ptr, i32, ptr, i64) noreturn
declare i32 @probe.external(i8 signext, i16 zeroext, i64, i128, half, float, double, <2 x half>)

define %probe.pair @probe.make(i32 %x, double %y) noinline {
  %a = insertvalue %probe.pair poison, i32 %x, 0
  %b = insertvalue %probe.pair %a, double %y, 1
  ret %probe.pair %b
}

define void @probe.sret(ptr sret(%probe.pair) %out, ptr byval(%probe.pair) %in) noinline {
  %v = load %probe.pair, ptr %in
  store %probe.pair %v, ptr %out
  ret void
}

define i32 @probe.count(i32 %n, ...) noinline {
  %list = alloca ptr
  call void @llvm.va_start.p0(ptr %list)
  %a = va_arg ptr %list, i32
  %b = va_arg ptr %list, double
  call void @llvm.va_end.p0(ptr %list)
  %c = fptosi double %b to i32
  %d = add i32 %a, %c
  ret i32 %d
}

define i32 @probe.recursive(i32 %n) {
  %stop = icmp eq i32 %n, 0
  br i1 %stop, label %end, label %more
more:
  %m = sub i32 %n, 1
  %r = call i32 @probe.recursive(i32 %m)
  %s = mul i32 %r, %n
  ret i32 %s
end:
  ret i32 1
}

define i32 @probe(ptr %f, ptr %g, ptr %out, i32 %x, i64 %n, <2 x half> %h) {
  %text = alloca [16 x i8]
  %arguments = alloca { i32, double }
  store i32 %x, ptr %arguments
  %p0 = call i32 @vprintf(ptr %text, ptr %arguments)
  %m = call ptr @malloc(i64 %n)
  store i32 %p0, ptr %m
  call void @free(ptr %m)
  %made = call %probe.pair @probe.make(i32 %x, double 2.0)
  %slot = alloca %probe.pair
  store %probe.pair %made, ptr %slot
  call void @probe.sret(ptr sret(%probe.pair) %out, ptr byval(%probe.pair) %slot)
  %v = call i32 (i32, ...) @probe.count(i32 2, i32 %x, double 3.0)
  %i = call i32 %f(i32 %v, ptr %out)
  call void %g()
  %e = call i32 @probe.external(i8 1, i16 2, i64 %n, i128 5, half 1.0, float 2.0, double 3.0, <2 x half> %h)
  %r = call i32 @probe.recursive(i32 %e)
  %s = add i32 %i, %r
  ret i32 %s
}

define void @probe.fails(ptr %p) {
  call void @__assertfail(ptr %p, ptr %p, i32 3, ptr %p, i64 1)
  unreachable
}
