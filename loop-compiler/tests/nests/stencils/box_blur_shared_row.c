// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The same with the row declared outside: a private copy, whose last value is known.
#include "nest.h"

static void kernel(int n, int m, DATA_TYPE POLYBENCH_2D(in, N, M, n, m), DATA_TYPE POLYBENCH_2D(out, N, M, n, m),
                   DATA_TYPE POLYBENCH_1D(row, M, m)) {
  int i, j;
#pragma scop
  for (i = 1; i < _PB_N - 1; i++) {       // loop: private
    for (j = 0; j < _PB_M; j++)           // loop: parallel
      row[j] = in[i - 1][j] + in[i][j] + in[i + 1][j];
    for (j = 1; j < _PB_M - 1; j++)       // loop: parallel
      out[i][j] = (row[j - 1] + row[j] + row[j + 1]) / 9;
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE in[N][M], out[N][M], row[M];
  FILL(in);
  kernel(N, M, POLYBENCH_ARRAY(in), POLYBENCH_ARRAY(out), POLYBENCH_ARRAY(row));
  SHOW(out); SHOW(row);
  return 0;
}
