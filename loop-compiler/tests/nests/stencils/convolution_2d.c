// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A filter of three by three weights.
#include "nest.h"

static void kernel(int n, int m, DATA_TYPE POLYBENCH_2D(in, N, M, n, m), DATA_TYPE POLYBENCH_2D(w, 3, 3, 3, 3),
                   DATA_TYPE POLYBENCH_2D(out, N, M, n, m)) {
  int y, x, dy, dx;
#pragma scop
  for (y = 1; y < _PB_N - 1; y++)         // loop: parallel
    for (x = 1; x < _PB_M - 1; x++) {     // loop: parallel
      out[y][x] = 0;
      for (dy = 0; dy < 3; dy++)          // loop: reduction
        for (dx = 0; dx < 3; dx++)        // loop: reduction
          out[y][x] += w[dy][dx] * in[y + dy - 1][x + dx - 1]; // reduction: +
    }
#pragma endscop
}

int main(void) {
  static DATA_TYPE in[N][M], w[3][3], out[N][M];
  FILL(in); FILL(w);
  kernel(N, M, POLYBENCH_ARRAY(in), POLYBENCH_ARRAY(w), POLYBENCH_ARRAY(out));
  SHOW(out);
  return 0;
}
