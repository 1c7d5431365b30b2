// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A Toeplitz system by Levinson's recursion: scalars and vectors depend on the previous step.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(r, N, n), DATA_TYPE POLYBENCH_1D(y, N, n),
                   DATA_TYPE POLYBENCH_1D(z, N, n)) {
  int i, k;
  DATA_TYPE alpha, beta, sum;
#pragma scop
  y[0] = -r[0];
  beta = SCALAR_VAL(1.0);
  alpha = -r[0];
  for (k = 1; k < _PB_N; k++) {     // loop: sequential
    beta = (1 - alpha * alpha) * beta; // reduction: *
    sum = SCALAR_VAL(0.0);
    for (i = 0; i < k; i++)         // loop: reduction
      sum += r[k - i - 1] * y[i];   // reduction: +
    alpha = -(r[k] + sum) / beta;
    for (i = 0; i < k; i++)         // loop: parallel
      z[i] = y[i] + alpha * y[k - i - 1];
    for (i = 0; i < k; i++)         // loop: parallel
      y[i] = z[i];
    y[k] = alpha;
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE r[N], y[N], z[N];
  FILL(r);
  for (int i = 0; i < N; i++)
    r[i] /= 4 * N;
  kernel(N, POLYBENCH_ARRAY(r), POLYBENCH_ARRAY(y), POLYBENCH_ARRAY(z));
  SHOW(y); SHOW(z);
  return 0;
}
