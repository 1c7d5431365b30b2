// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The loop over k is not in the target and is the only one that carries the sum, from the middle of the nest.
#include "nest.h"

static void kernel(int n, int m, int l, double C[n][m], double A[n][l][m]) {
#pragma scop
  for (int i = 0; i < n; i++)       // loop: parallel
    for (int k = 0; k < l; k++)     // loop: reduction
      for (int j = 0; j < m; j++)   // loop: parallel
        C[i][j] += A[i][k][j];      // reduction: +
#pragma endscop
}

int main(void) {
  static double C[N][M], A[N][L][M];
  FILL_F64(C); FILL_F64(A);
  kernel(N, M, L, C, A);
  SHOW_F64(C);
  return 0;
}
