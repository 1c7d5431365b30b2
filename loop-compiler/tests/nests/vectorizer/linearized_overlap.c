// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The same with rows of nine elements in a width of eight: neighbours meet in one cell, and only there.
#include "nest.h"

static void kernel(int n, double a[n * 8 + 1], double b[n * 8 + 1]) {
#pragma scop
  for (int i = 0; i < n; i++)     // loop: reduction
    for (int j = 0; j < 9; j++)   // loop: parallel
      a[8 * i + j] += b[8 * i + j]; // reduction: +
#pragma endscop
}

int main(void) {
  static double a[8 * N + 1], b[8 * N + 1];
  FILL_F64(a); FILL_F64(b);
  kernel(N, a, b);
  SHOW_F64(a);
  return 0;
}
