// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Four loops, of which the second and the last carry the sum.
#include "nest.h"

static void kernel(int n, int m, int l, double a[n][l][m][3], double b[n][m]) {
#pragma scop
  for (int i = 0; i < n; i++)           // loop: parallel
    for (int j = 0; j < l; j++)         // loop: reduction
      for (int k = 0; k < m; k++)       // loop: parallel
        for (int q = 0; q < 3; q++)     // loop: reduction
          b[i][k] += a[i][j][k][q];     // reduction: +
#pragma endscop
}

int main(void) {
  static double a[N][L][M][3], b[N][M];
  FILL_F64(a); FILL_F64(b);
  kernel(N, M, L, a, b);
  SHOW_F64(b);
  return 0;
}
