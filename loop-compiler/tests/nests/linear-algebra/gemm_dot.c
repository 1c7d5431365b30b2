// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// C = A B as scalar products accumulated in a variable declared outside.
#include "nest.h"

static void kernel(int n, int m, int k_size, DATA_TYPE POLYBENCH_2D(C, N, M, n, m),
                   DATA_TYPE POLYBENCH_2D(A, N, K, n, k_size), DATA_TYPE POLYBENCH_2D(B, K, M, k_size, m)) {
  int i, j, k;
  DATA_TYPE dot;
#pragma scop
  for (i = 0; i < _PB_N; i++)       // loop: private
    for (j = 0; j < _PB_M; j++) {   // loop: private
      dot = SCALAR_VAL(0.0);
      for (k = 0; k < _PB_K; k++)   // loop: reduction
        dot += A[i][k] * B[k][j];   // reduction: +
      C[i][j] = dot;
    }
#pragma endscop
}

int main(void) {
  static DATA_TYPE C[N][M], A[N][K], B[K][M];
  FILL(A); FILL(B);
  kernel(N, M, K, POLYBENCH_ARRAY(C), POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(B));
  SHOW(C);
  return 0;
}
