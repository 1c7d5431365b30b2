// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Rows into a scratch row, then columns: the scratch row is declared in the region.
#include "nest.h"

static void kernel(int n, int m, double in[n][m], double out[n][m]) {
#pragma scop
  for (int i = 1; i < n - 1; i++) {       // loop: parallel
    double row[M];
    for (int j = 0; j < m; j++)           // loop: parallel
      row[j] = in[i - 1][j] + in[i][j] + in[i + 1][j];
    for (int j = 1; j < m - 1; j++)       // loop: parallel
      out[i][j] = (row[j - 1] + row[j] + row[j + 1]) / 9.0;
  }
#pragma endscop
}

int main(void) {
  static double in[N][M], out[N][M];
  FILL_F64(in);
  kernel(N, M, in, out);
  SHOW_F64(out);
  return 0;
}
