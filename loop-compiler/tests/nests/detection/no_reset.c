// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The accumulator is not set again, and its value after each row is read.
#include "nest.h"

static void kernel(int n, int m, double A[n][m], double b[n]) {
  double s = 0;
#pragma scop
  for (int i = 0; i < n; i++) {   // loop: scan
    for (int j = 0; j < m; j++)   // loop: reduction
      s += A[i][j];               // reduction: +
    b[i] = s;
  }
#pragma endscop
}

int main(void) {
  static double A[N][M], b[N];
  FILL_F64(A);
  kernel(N, M, A, b);
  SHOW_F64(b);
  return 0;
}
