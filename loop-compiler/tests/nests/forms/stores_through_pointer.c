// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A function seen whole that stores through its argument.
#include "nest.h"

static void put(int *p, int i, int x) { p[i] = x; }
static void kernel(int n, int a[n], int b[n]) {
#pragma scop
  for (int i = 0; i < n; i++) // loop: parallel
    put(a, i, b[i]);
#pragma endscop
}

int main(void) {
  static int a[N], b[N];
  FILL_INT(a); FILL_INDEX(b, N);
  kernel(N, a, b);
  SHOW_INT(a); SHOW_INT(b);
  return 0;
}
