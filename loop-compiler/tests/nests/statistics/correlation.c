// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Correlations: means, deviations with a lower limit, scaling, and products of columns.
#include "nest.h"

static void kernel(int n, int m, DATA_TYPE float_n, DATA_TYPE POLYBENCH_2D(data, N, M, n, m),
                   DATA_TYPE POLYBENCH_2D(corr, M, M, m, m), DATA_TYPE POLYBENCH_1D(mean, M, m),
                   DATA_TYPE POLYBENCH_1D(stddev, M, m)) {
  int i, j, k;
#pragma scop
  for (j = 0; j < _PB_M; j++) {             // loop: parallel
    mean[j] = SCALAR_VAL(0.0);
    stddev[j] = SCALAR_VAL(0.0);
    for (i = 0; i < _PB_N; i++)             // loop: reduction
      mean[j] += data[i][j];                // reduction: +
    mean[j] /= float_n;
    for (i = 0; i < _PB_N; i++)             // loop: reduction
      stddev[j] += (data[i][j] - mean[j]) * (data[i][j] - mean[j]); // reduction: +
    stddev[j] = sqrt(stddev[j] / float_n);
    stddev[j] = stddev[j] <= SCALAR_VAL(0.1) ? SCALAR_VAL(1.0) : stddev[j];
  }
  for (i = 0; i < _PB_N; i++)               // loop: parallel
    for (j = 0; j < _PB_M; j++) {           // loop: parallel
      data[i][j] -= mean[j];
      data[i][j] /= sqrt(float_n) * stddev[j];
    }
  for (i = 0; i < _PB_M - 1; i++) {         // loop: parallel
    corr[i][i] = SCALAR_VAL(1.0);
    for (j = i + 1; j < _PB_M; j++) {       // loop: parallel
      corr[i][j] = SCALAR_VAL(0.0);
      for (k = 0; k < _PB_N; k++)           // loop: reduction
        corr[i][j] += (data[k][i] * data[k][j]); // reduction: +
      corr[j][i] = corr[i][j];
    }
  }
  corr[_PB_M - 1][_PB_M - 1] = SCALAR_VAL(1.0);
#pragma endscop
}

int main(void) {
  static DATA_TYPE data[N][M], corr[M][M], mean[M], stddev[M];
  FILL(data);
  kernel(N, M, N, POLYBENCH_ARRAY(data), POLYBENCH_ARRAY(corr), POLYBENCH_ARRAY(mean), POLYBENCH_ARRAY(stddev));
  SHOW(corr); SHOW(mean); SHOW(stddev);
  return 0;
}
