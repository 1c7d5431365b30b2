// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A product of complex matrices.
#include "nest.h"

static void kernel(int n, double _Complex A[n][n], double _Complex B[n][n], double _Complex C[n][n]) {
#pragma scop
  for (int i = 0; i < n; i++)       // loop: parallel
    for (int j = 0; j < n; j++)     // loop: parallel
      for (int k = 0; k < n; k++)   // loop: reduction
        C[i][j] += A[i][k] * B[k][j]; // reduction: +
#pragma endscop
}

int main(void) {
  static double _Complex A[N][N], B[N][N], C[N][N];
  FILL_F64(A); FILL_F64(B);
  kernel(N, A, B, C);
  SHOW_F64(C);
  return 0;
}
