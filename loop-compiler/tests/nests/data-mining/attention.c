// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Scores, a stable softmax and weighted values for each query, over the keys up to it.
#include "nest.h"

static void kernel(int n, int m, DATA_TYPE POLYBENCH_2D(q, N, M, n, m), DATA_TYPE POLYBENCH_2D(key, N, M, n, m),
                   DATA_TYPE POLYBENCH_2D(value, N, M, n, m), DATA_TYPE POLYBENCH_2D(s, N, N, n, n),
                   DATA_TYPE POLYBENCH_2D(out, N, M, n, m)) {
#pragma scop
  for (int i = 0; i < _PB_N; i++) {         // loop: parallel
    DATA_TYPE top = -1e30;
    DATA_TYPE sum = 0;
    for (int j = 0; j <= i; j++) {          // loop: reduction
      s[i][j] = 0;
      for (int d = 0; d < _PB_M; d++)       // loop: reduction
        s[i][j] += q[i][d] * key[j][d];     // reduction: +
      top = fmax(top, s[i][j]);             // reduction: fmax
    }
    for (int j = 0; j <= i; j++) {          // loop: reduction
      s[i][j] = exp(s[i][j] - top);
      sum += s[i][j];                       // reduction: +
    }
    for (int d = 0; d < _PB_M; d++) {       // loop: parallel
      out[i][d] = 0;
      for (int j = 0; j <= i; j++)          // loop: reduction
        out[i][d] += s[i][j] / sum * value[j][d]; // reduction: +
    }
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE q[N][M], key[N][M], value[N][M], s[N][N], out[N][M];
  FILL(q); FILL(key); FILL(value);
  kernel(N, M, q, key, value, s, out);
  SHOW(s); SHOW(out);
  return 0;
}
