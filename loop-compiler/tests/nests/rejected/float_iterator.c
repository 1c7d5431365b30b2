// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// An iterator that is a float.
#include "nest.h"

static void kernel(int n, int a[n], int b[n]) {
#pragma scop // rejected: model
  for (float x = 0; x < n; x += 1)
    a[(int)x] = 1;
#pragma endscop
}

int main(void) {
  static int a[N], b[N];
  FILL_INT(a); FILL_INDEX(b, N);
  kernel(N, a, b);
  SHOW_INT(a); SHOW_INT(b);
  return 0;
}
