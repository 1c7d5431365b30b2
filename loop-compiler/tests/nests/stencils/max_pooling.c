// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The maximum of each block of two by two points, stored through i / 2.
#include "nest.h"

static void kernel(int n, int m, DATA_TYPE POLYBENCH_2D(in, N, M, n, m),
                   DATA_TYPE POLYBENCH_2D(out, N / 2 + 1, M / 2 + 1, n / 2 + 1, m / 2 + 1)) {
  int i, j;
#pragma scop
  for (i = 0; i < _PB_N; i++)       // loop: reduction
    for (j = 0; j < _PB_M; j++)     // loop: reduction
      if (in[i][j] > out[i / 2][j / 2])
        out[i / 2][j / 2] = in[i][j]; // reduction: max
#pragma endscop
}

int main(void) {
  static DATA_TYPE in[N][M], out[N / 2 + 1][M / 2 + 1];
  FILL(in);
  kernel(N, M, POLYBENCH_ARRAY(in), POLYBENCH_ARRAY(out));
  SHOW(out);
  return 0;
}
