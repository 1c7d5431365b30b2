// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Prefix sums of rows, then of columns, in place: a summed table.
#include "nest.h"

static void kernel(int n, int m, DATA_TYPE POLYBENCH_2D(a, N, M, n, m)) {
#pragma scop
  for (int i = 0; i < _PB_N; i++)   // loop: parallel
    for (int j = 1; j < _PB_M; j++) // loop: scan
      a[i][j] += a[i][j - 1];
  for (int i = 1; i < _PB_N; i++)   // loop: scan
    for (int j = 0; j < _PB_M; j++) // loop: parallel
      a[i][j] += a[i - 1][j];
#pragma endscop
}

int main(void) {
  static DATA_TYPE a[N][M];
  FILL(a);
  kernel(N, M, POLYBENCH_ARRAY(a));
  SHOW(a);
  return 0;
}
