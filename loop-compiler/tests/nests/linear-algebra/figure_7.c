// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The seventh figure of Polly's article: one reduction, carried by the outermost and by the innermost loop.
#include "nest.h"

static void kernel(int n, int m, int k_size, DATA_TYPE POLYBENCH_1D(P, M, m), DATA_TYPE POLYBENCH_2D(Q, N, M, n, m),
                   DATA_TYPE POLYBENCH_2D(R, M, K, m, k_size)) {
  int i, j, k;
#pragma scop
  for (i = 0; i < _PB_N; i++)       // loop: reduction
    for (j = 0; j < _PB_M; j++)     // loop: parallel
      for (k = 0; k < _PB_K; k++)   // loop: reduction
        P[j] += Q[i][j] * R[j][k];  // reduction: +
#pragma endscop
}

int main(void) {
  static DATA_TYPE P[M], Q[N][M], R[M][K];
  FILL(P); FILL(Q); FILL(R);
  kernel(N, M, K, POLYBENCH_ARRAY(P), POLYBENCH_ARRAY(Q), POLYBENCH_ARRAY(R));
  SHOW(P);
  return 0;
}
