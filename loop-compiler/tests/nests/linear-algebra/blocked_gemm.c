// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A product with the reduction loop cut in blocks of four; the last block may be short.
#include "nest.h"

static void kernel(int n, int m, int k_size, DATA_TYPE POLYBENCH_2D(C, N, M, n, m),
                   DATA_TYPE POLYBENCH_2D(A, N, K, n, k_size), DATA_TYPE POLYBENCH_2D(B, K, M, k_size, m)) {
  int i, j, kk, k;
#pragma scop
  for (kk = 0; kk < _PB_K; kk += 4)     // loop: reduction
    for (i = 0; i < _PB_N; i++)         // loop: parallel
      for (j = 0; j < _PB_M; j++)       // loop: parallel
        for (k = kk; k < (kk + 4 < _PB_K ? kk + 4 : _PB_K); k++) // loop: reduction
          C[i][j] += A[i][k] * B[k][j]; // reduction: +
#pragma endscop
}

int main(void) {
  static DATA_TYPE C[N][M], A[N][K], B[K][M];
  FILL(A); FILL(B); FILL(C);
  kernel(N, M, K, POLYBENCH_ARRAY(C), POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(B));
  SHOW(C);
  return 0;
}
