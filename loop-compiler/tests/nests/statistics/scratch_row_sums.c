// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A scratch row that is private, and sums of columns that are not.
#include "nest.h"

static void kernel(int n, int m, DATA_TYPE POLYBENCH_2D(a, N, M, n, m), DATA_TYPE POLYBENCH_1D(row, M, m),
                   DATA_TYPE POLYBENCH_1D(sum, M, m)) {
  int i, j;
#pragma scop
  for (i = 0; i < _PB_N; i++) {             // loop: reduction+private
    for (j = 0; j < _PB_M; j++)             // loop: parallel
      row[j] = a[i][j] * a[i][_PB_M - 1 - j];
    for (j = 0; j < _PB_M; j++)             // loop: parallel
      sum[j] += row[_PB_M - 1 - j] + row[0]; // reduction: +
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE a[N][M], row[M], sum[M];
  FILL(a);
  kernel(N, M, POLYBENCH_ARRAY(a), POLYBENCH_ARRAY(row), POLYBENCH_ARRAY(sum));
  SHOW(row); SHOW(sum);
  return 0;
}
