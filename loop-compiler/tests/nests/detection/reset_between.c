// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The accumulator is set again in each outer iteration and read after it: private outside, a sum inside.
#include "nest.h"

static void kernel(int n, int m, double A[n][m], double b[n]) {
  double s;
#pragma scop
  for (int i = 0; i < n; i++) {   // loop: private
    s = 0;
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
