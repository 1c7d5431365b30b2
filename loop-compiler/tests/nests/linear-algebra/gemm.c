// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// C = alpha A B + beta C, the loop over columns innermost.
#include "nest.h"

static void kernel(int n, int m, int k_size, DATA_TYPE alpha, DATA_TYPE beta, DATA_TYPE POLYBENCH_2D(C, N, M, n, m),
                   DATA_TYPE POLYBENCH_2D(A, N, K, n, k_size), DATA_TYPE POLYBENCH_2D(B, K, M, k_size, m)) {
  int i, j, k;
#pragma scop
  for (i = 0; i < _PB_N; i++) {     // loop: parallel
    for (j = 0; j < _PB_M; j++)     // loop: parallel
      C[i][j] *= beta;
    for (k = 0; k < _PB_K; k++)     // loop: reduction
      for (j = 0; j < _PB_M; j++)   // loop: parallel
        C[i][j] += alpha * A[i][k] * B[k][j]; // reduction: +
  }
#pragma endscop
}

int main(void) {
  POLYBENCH_2D_ARRAY_DECL(C, DATA_TYPE, N, M, n, m);
  POLYBENCH_2D_ARRAY_DECL(A, DATA_TYPE, N, K, n, k_size);
  POLYBENCH_2D_ARRAY_DECL(B, DATA_TYPE, K, M, k_size, m);
  FILL(C); FILL(A); FILL(B);
  kernel(N, M, K, 1.5, 1.25, POLYBENCH_ARRAY(C), POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(B));
  SHOW(C);
  return 0;
}
