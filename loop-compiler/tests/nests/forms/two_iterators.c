// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Two iterators in one loop.
#include "nest.h"

static void kernel(int n, int a[n], int b[n]) {
#pragma scop
  for (int i = 0, j = n - 1; i < j; i++, j--) // loop: parallel
    a[i] = b[j];
#pragma endscop
}

int main(void) {
  static int a[N], b[N];
  FILL_INT(a); FILL_INDEX(b, N);
  kernel(N, a, b);
  SHOW_INT(a); SHOW_INT(b);
  return 0;
}
