// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A step that is a parameter.
#include "nest.h"

static void kernel(int n, int a[n], int b[n], int step) {
#pragma scop
  for (int i = 0; i < n; i += step) // loop: reduction
    a[i] += b[i]; // reduction: +
#pragma endscop
}

int main(void) {
  static int a[N], b[N];
  FILL_INT(a); FILL_INDEX(b, N);
  kernel(N, a, b, 3);
  SHOW_INT(a); SHOW_INT(b);
  return 0;
}
