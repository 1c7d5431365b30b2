// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A target of two cells in turn.
#include "nest.h"

static void kernel(int n, double A[2], const double B[n]) {
#pragma scop
  for (int i = 0; i < n; i++) // loop: reduction
    A[i % 2] += B[i];         // reduction: +
#pragma endscop
}

int main(void) {
  static double A[2], B[N];
  FILL_F64(A); FILL_F64(B);
  kernel(N, A, B);
  SHOW_F64(A);
  return 0;
}
