// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A slice of a tensor times a matrix, through a row of scratch memory that each iteration writes before it reads it.
#include "nest.h"

static void kernel(int n, int m, int k_size, DATA_TYPE POLYBENCH_3D(A, N, M, K, n, m, k_size),
                   DATA_TYPE POLYBENCH_2D(C, K, K, k_size, k_size), DATA_TYPE POLYBENCH_1D(sum, K, k_size)) {
  int r, q, p, s;
#pragma scop
  for (r = 0; r < _PB_N; r++)           // loop: private
    for (q = 0; q < _PB_M; q++) {       // loop: private
      for (p = 0; p < _PB_K; p++) {     // loop: parallel
        sum[p] = SCALAR_VAL(0.0);
        for (s = 0; s < _PB_K; s++)     // loop: reduction
          sum[p] += A[r][q][s] * C[s][p]; // reduction: +
      }
      for (p = 0; p < _PB_K; p++)       // loop: parallel
        A[r][q][p] = sum[p];
    }
#pragma endscop
}

int main(void) {
  static DATA_TYPE A[N][M][K], C[K][K], sum[K];
  FILL(A); FILL(C);
  kernel(N, M, K, POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(C), POLYBENCH_ARRAY(sum));
  SHOW(A); SHOW(sum);
  return 0;
}
