// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A step that multiplies.
#include "nest.h"

static void kernel(int n, int a[n], int b[n]) {
#pragma scop // rejected: model
  for (int i = 1; i < n; i *= 2)
    a[i] += b[i];
#pragma endscop
}

int main(void) {
  static int a[N], b[N];
  FILL_INT(a); FILL_INDEX(b, N);
  kernel(N, a, b);
  SHOW_INT(a); SHOW_INT(b);
  return 0;
}
