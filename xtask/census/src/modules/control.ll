; Control flow: a branch table, loops with hints, traps, stack memory of variable size, inline assembly.

declare ptr @llvm.stacksave.p0()
declare void @llvm.stackrestore.p0(ptr)

define i32 @probe(i32 %x, ptr %out) {
  switch i32 %x, label %other [
    i32 0, label %a
    i32 1, label %b
    i32 2, label %c
    i32 3, label %d
    i32 4, label %e
  ]
a:
  store volatile i32 7, ptr %out
  ret i32 1
b:
  store volatile i32 8, ptr %out
  ret i32 2
c:
  store volatile i32 9, ptr %out
  ret i32 5
d:
  call void @llvm.trap()
  unreachable
e:
  call void @llvm.debugtrap()
  ret i32 4
other:
  ret i32 0
}

define i32 @probe.loop(i32 %n, ptr %p) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %j, %head ]
  %at = getelementptr i32, ptr %p, i32 %i
  store volatile i32 %i, ptr %at
  %j = add i32 %i, 1
  %more = icmp slt i32 %j, %n
  br i1 %more, label %head, label %end, !llvm.loop !0
end:
  ret i32 %j
}

define i64 @probe.stack(i64 %n, i32 %at) {
  %saved = call ptr @llvm.stacksave.p0()
  %p = alloca i64, i64 %n, align 8
  %q = getelementptr i64, ptr %p, i32 %at
  store volatile i64 3, ptr %q
  %v = load volatile i64, ptr %p
  call void @llvm.stackrestore.p0(ptr %saved)
  ret i64 %v
}

define i32 @probe.assembly(i32 %x, i64 %y, ptr %p) convergent {
  %a = call i32 asm sideeffect "mov.u32 $0, $1;", "=r,r"(i32 %x)
  call void asm sideeffect "st.global.u64 [$0], $1;", "l,l,~{memory}"(ptr %p, i64 %y)
  ret i32 %a
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
