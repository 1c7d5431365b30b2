// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The same filter from the side of the input: each input adds to nine outputs, so every loop carries the sum.
#include "nest.h"

static void kernel(int n, int m, DATA_TYPE POLYBENCH_2D(in, N, M, n, m), DATA_TYPE POLYBENCH_2D(w, 3, 3, 3, 3),
                   DATA_TYPE POLYBENCH_2D(out, N, M, n, m)) {
  int y, x, dy, dx;
#pragma scop
  for (y = 1; y < _PB_N - 1; y++)         // loop: reduction
    for (x = 1; x < _PB_M - 1; x++)       // loop: reduction
      for (dy = -1; dy <= 1; dy++)        // loop: parallel
        for (dx = -1; dx <= 1; dx++)      // loop: parallel
          out[y + dy][x + dx] += w[dy + 1][dx + 1] * in[y][x]; // reduction: +
#pragma endscop
}

int main(void) {
  static DATA_TYPE in[N][M], w[3][3], out[N][M];
  FILL(in); FILL(w); FILL(out);
  kernel(N, M, POLYBENCH_ARRAY(in), POLYBENCH_ARRAY(w), POLYBENCH_ARRAY(out));
  SHOW(out);
  return 0;
}
