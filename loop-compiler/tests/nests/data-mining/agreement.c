// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// For each pair of records, whether all features agree and whether any does, and the parity of all features.
#include "nest.h"

static void kernel(int n, int m, int POLYBENCH_2D(x, N, M, n, m), int POLYBENCH_2D(all, N, N, n, n),
                   int POLYBENCH_2D(any, N, N, n, n), int *parity) {
  int i, j, k;
  int odd = 0;
#pragma scop
  for (i = 0; i < _PB_N; i++)           // loop: reduction
    for (j = 0; j < _PB_N; j++) {       // loop: reduction
      all[i][j] = 1;
      any[i][j] = 0;
      for (k = 0; k < _PB_M; k++) {     // loop: reduction
        all[i][j] = all[i][j] && x[i][k] == x[j][k]; // reduction: &&
        any[i][j] = any[i][j] || x[i][k] == x[j][k]; // reduction: ||
        odd ^= x[i][k] & x[j][k] & 1;   // reduction: ^
      }
    }
#pragma endscop
  *parity = odd;
}

int main(void) {
  static int x[N][M], all[N][N], any[N][N], parity;
  FILL_INDEX(x, 3);
  kernel(N, M, x, all, any, &parity);
  SHOW_INT(all); SHOW_INT(any); SHOW_INT(parity);
  return 0;
}
