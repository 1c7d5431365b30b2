// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Blocks of four elements share a cell.
#include "nest.h"

static void kernel(int n, double A[n / 4 + 1], const double B[n]) {
#pragma scop
  for (int i = 0; i < n; i++) // loop: reduction
    A[i / 4] += B[i];         // reduction: +
#pragma endscop
}

int main(void) {
  static double A[N / 4 + 1], B[N];
  FILL_F64(A); FILL_F64(B);
  kernel(N, A, B);
  SHOW_F64(A);
  return 0;
}
