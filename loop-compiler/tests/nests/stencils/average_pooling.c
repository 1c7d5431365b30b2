// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The mean of each block of two by two points, read through 2 * i + y.
#include "nest.h"

static void kernel(int n, int m, DATA_TYPE POLYBENCH_2D(in, 2 * N, 2 * M, 2 * n, 2 * m),
                   DATA_TYPE POLYBENCH_2D(out, N, M, n, m)) {
  int i, j, y, x;
  DATA_TYPE sum;
#pragma scop
  for (i = 0; i < _PB_N; i++)         // loop: private
    for (j = 0; j < _PB_M; j++) {     // loop: private
      sum = 0;
      for (y = 0; y < 2; y++)         // loop: reduction
        for (x = 0; x < 2; x++)       // loop: reduction
          sum += in[2 * i + y][2 * j + x]; // reduction: +
      out[i][j] = SCALAR_VAL(0.25) * sum;
    }
#pragma endscop
}

int main(void) {
  static DATA_TYPE in[2 * N][2 * M], out[N][M];
  FILL(in);
  kernel(N, M, POLYBENCH_ARRAY(in), POLYBENCH_ARRAY(out));
  SHOW(out);
  return 0;
}
