// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The sum of weighted values of a triangle of pairs, into one vector: an ordinary reduction over i and j.
#include "nest.h"

static void kernel(int n, int m, DATA_TYPE POLYBENCH_2D(w, N, N, n, n), DATA_TYPE POLYBENCH_2D(values, N, M, n, m),
                   DATA_TYPE POLYBENCH_1D(context, M, m)) {
  int i, j, d;
#pragma scop
  for (i = 0; i < _PB_N; i++)             // loop: reduction
    for (j = 0; j <= i; j++)              // loop: reduction
      for (d = 0; d < _PB_M; d++)         // loop: parallel
        context[d] += w[i][j] * values[j][d]; // reduction: +
#pragma endscop
}

int main(void) {
  static DATA_TYPE w[N][N], values[N][M], context[M];
  FILL(w); FILL(values);
  kernel(N, M, w, values, context);
  SHOW(context);
  return 0;
}
