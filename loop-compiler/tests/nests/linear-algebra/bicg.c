// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Seed of the fused products q = A p and s = A^T r: each loop carries the reduction of the other's vector.
#include "nest.h"

static void kernel(int n, int m, DATA_TYPE POLYBENCH_2D(A, N, M, n, m), DATA_TYPE POLYBENCH_1D(s, M, m),
                   DATA_TYPE POLYBENCH_1D(q, N, n), DATA_TYPE POLYBENCH_1D(p, M, m), DATA_TYPE POLYBENCH_1D(r, N, n)) {
  int i, j;
#pragma scop
  for (i = 0; i < _PB_N; i++) {   // loop: reduction
    q[i] = 0;
    for (j = 0; j < _PB_M; j++) { // loop: reduction
      q[i] = q[i] + A[i][j] * p[j]; // reduction: +
      s[j] = s[j] + r[i] * A[i][j]; // reduction: +
    }
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE A[N][M], s[M], q[N], p[M], r[N];
  FILL(A); FILL(p); FILL(r);
  kernel(N, M, POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(s), POLYBENCH_ARRAY(q), POLYBENCH_ARRAY(p), POLYBENCH_ARRAY(r));
  SHOW(s); SHOW(q);
  return 0;
}
