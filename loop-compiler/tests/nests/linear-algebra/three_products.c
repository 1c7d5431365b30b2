// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// G = (A B) (C D), three nests; every product sets its cell before it adds to it.
#include "nest.h"

static void kernel(int n, int m, DATA_TYPE POLYBENCH_2D(A, N, M, n, m), DATA_TYPE POLYBENCH_2D(B, M, N, m, n),
                   DATA_TYPE POLYBENCH_2D(E, N, N, n, n), DATA_TYPE POLYBENCH_2D(F, N, N, n, n),
                   DATA_TYPE POLYBENCH_2D(G, N, N, n, n)) {
  int i, j, k;
#pragma scop
  for (i = 0; i < _PB_N; i++)       // loop: parallel
    for (j = 0; j < _PB_N; j++) {   // loop: parallel
      E[i][j] = 0;
      for (k = 0; k < _PB_M; ++k)   // loop: reduction
        E[i][j] += A[i][k] * B[k][j]; // reduction: +
    }
  for (i = 0; i < _PB_N; i++)       // loop: parallel
    for (j = 0; j < _PB_N; j++) {   // loop: parallel
      F[i][j] = 0;
      for (k = 0; k < _PB_M; ++k)   // loop: reduction
        F[i][j] += B[k][i] * A[j][k]; // reduction: +
    }
  for (i = 0; i < _PB_N; i++)       // loop: parallel
    for (j = 0; j < _PB_N; j++) {   // loop: parallel
      G[i][j] = 0;
      for (k = 0; k < _PB_N; ++k)   // loop: reduction
        G[i][j] += E[i][k] * F[k][j]; // reduction: +
    }
#pragma endscop
}

int main(void) {
  static DATA_TYPE A[N][M], B[M][N], E[N][N], F[N][N], G[N][N];
  FILL(A); FILL(B);
  kernel(N, M, POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(B), POLYBENCH_ARRAY(E), POLYBENCH_ARRAY(F), POLYBENCH_ARRAY(G));
  SHOW(E); SHOW(F); SHOW(G);
  return 0;
}
