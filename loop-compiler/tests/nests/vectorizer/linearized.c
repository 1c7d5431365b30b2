// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A plane in one dimension with the width as a constant: a division into row and column proves it parallel.
#include "nest.h"

static void kernel(int n, double a[n * 8], double b[n * 8]) {
#pragma scop
  for (int i = 0; i < n; i++)     // loop: parallel
    for (int j = 0; j < 8; j++)   // loop: parallel
      a[8 * i + j] = b[8 * i + 7 - j];
#pragma endscop
}

int main(void) {
  static double a[8 * N], b[8 * N];
  FILL_F64(b);
  kernel(N, a, b);
  SHOW_F64(a);
  return 0;
}
