// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Means of columns, centring, and the symmetric matrix of covariances from its upper half.
#include "nest.h"

static void kernel(int n, int m, DATA_TYPE float_n, DATA_TYPE POLYBENCH_2D(data, N, M, n, m),
                   DATA_TYPE POLYBENCH_2D(cov, M, M, m, m), DATA_TYPE POLYBENCH_1D(mean, M, m)) {
  int i, j, k;
#pragma scop
  for (j = 0; j < _PB_M; j++) {         // loop: parallel
    mean[j] = SCALAR_VAL(0.0);
    for (i = 0; i < _PB_N; i++)         // loop: reduction
      mean[j] += data[i][j];            // reduction: +
    mean[j] /= float_n;
  }
  for (i = 0; i < _PB_N; i++)           // loop: parallel
    for (j = 0; j < _PB_M; j++)         // loop: parallel
      data[i][j] -= mean[j];
  for (i = 0; i < _PB_M; i++)           // loop: parallel
    for (j = i; j < _PB_M; j++) {       // loop: parallel
      cov[i][j] = SCALAR_VAL(0.0);
      for (k = 0; k < _PB_N; k++)       // loop: reduction
        cov[i][j] += data[k][i] * data[k][j]; // reduction: +
      cov[i][j] /= (float_n - SCALAR_VAL(1.0));
      cov[j][i] = cov[i][j];
    }
#pragma endscop
}

int main(void) {
  static DATA_TYPE data[N][M], cov[M][M], mean[M];
  FILL(data);
  kernel(N, M, N, POLYBENCH_ARRAY(data), POLYBENCH_ARRAY(cov), POLYBENCH_ARRAY(mean));
  SHOW(cov); SHOW(mean);
  return 0;
}
