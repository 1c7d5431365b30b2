// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// D = alpha A B C + beta D, two loop nests in one region.
#include "nest.h"

static void kernel(int n, int m, int k_size, int l_size, DATA_TYPE alpha, DATA_TYPE beta,
                   DATA_TYPE POLYBENCH_2D(tmp, N, M, n, m), DATA_TYPE POLYBENCH_2D(A, N, K, n, k_size),
                   DATA_TYPE POLYBENCH_2D(B, K, M, k_size, m), DATA_TYPE POLYBENCH_2D(C, M, L, m, l_size),
                   DATA_TYPE POLYBENCH_2D(D, N, L, n, l_size)) {
  int i, j, k;
#pragma scop
  for (i = 0; i < _PB_N; i++)       // loop: parallel
    for (j = 0; j < _PB_M; j++) {   // loop: parallel
      tmp[i][j] = SCALAR_VAL(0.0);
      for (k = 0; k < _PB_K; ++k)   // loop: reduction
        tmp[i][j] += alpha * A[i][k] * B[k][j]; // reduction: +
    }
  for (i = 0; i < _PB_N; i++)       // loop: parallel
    for (j = 0; j < _PB_L; j++) {   // loop: parallel
      D[i][j] *= beta;
      for (k = 0; k < _PB_M; ++k)   // loop: reduction
        D[i][j] += tmp[i][k] * C[k][j]; // reduction: +
    }
#pragma endscop
}

int main(void) {
  static DATA_TYPE tmp[N][M], A[N][K], B[K][M], C[M][L], D[N][L];
  FILL(A); FILL(B); FILL(C); FILL(D);
  kernel(N, M, K, L, 1.5, 0.75, POLYBENCH_ARRAY(tmp), POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(B), POLYBENCH_ARRAY(C),
         POLYBENCH_ARRAY(D));
  SHOW(tmp); SHOW(D);
  return 0;
}
