// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A call through a pointer.
#include "nest.h"

static int add_one(int x) { return x + 1; }
static void kernel(int n, int a[n], int b[n], int (*f)(int)) {
#pragma scop // rejected: calls
  for (int i = 0; i < n; i++)
    a[i] = f(b[i]);
#pragma endscop
}

int main(void) {
  static int a[N], b[N];
  FILL_INT(a); FILL_INDEX(b, N);
  kernel(N, a, b, add_one);
  SHOW_INT(a); SHOW_INT(b);
  return 0;
}
