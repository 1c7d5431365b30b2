// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// An update in the form of a reduction that no loop carries.
#include "nest.h"

static void kernel(int n, int m, double C[n][m], double beta) {
#pragma scop
  for (int i = 0; i < n; i++)     // loop: parallel
    for (int j = 0; j < m; j++)   // loop: parallel
      C[i][j] *= beta;
#pragma endscop
}

int main(void) {
  static double C[N][M];
  FILL_F64(C);
  kernel(N, M, C, 1.25);
  SHOW_F64(C);
  return 0;
}
