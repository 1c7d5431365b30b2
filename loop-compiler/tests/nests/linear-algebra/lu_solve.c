// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Factorization, forward and backward substitution with one accumulator w; the last loop runs downwards.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_2D(A, N, N, n, n), DATA_TYPE POLYBENCH_1D(b, N, n),
                   DATA_TYPE POLYBENCH_1D(x, N, n), DATA_TYPE POLYBENCH_1D(y, N, n)) {
  int i, j, k;
  DATA_TYPE w;
#pragma scop
  for (i = 0; i < _PB_N; i++) {       // loop: sequential
    for (j = 0; j < i; j++) {         // loop: sequential
      w = A[i][j];
      for (k = 0; k < j; k++)         // loop: reduction
        w -= A[i][k] * A[k][j];       // reduction: +
      A[i][j] = w / A[j][j];
    }
    for (j = i; j < _PB_N; j++) {     // loop: private
      w = A[i][j];
      for (k = 0; k < i; k++)         // loop: reduction
        w -= A[i][k] * A[k][j];       // reduction: +
      A[i][j] = w;
    }
  }
  for (i = 0; i < _PB_N; i++) {       // loop: sequential
    w = b[i];
    for (j = 0; j < i; j++)           // loop: reduction
      w -= A[i][j] * y[j];            // reduction: +
    y[i] = w;
  }
  for (i = _PB_N - 1; i >= 0; i--) {  // loop: sequential
    w = y[i];
    for (j = i + 1; j < _PB_N; j++)   // loop: reduction
      w -= A[i][j] * x[j];            // reduction: +
    x[i] = w / A[i][i];
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE A[N][N], b[N], x[N], y[N];
  FILL(A); FILL(b);
  for (int i = 0; i < N; i++)
    A[i][i] += 2 * N;
  kernel(N, POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(b), POLYBENCH_ARRAY(x), POLYBENCH_ARRAY(y));
  SHOW(x); SHOW(y);
  return 0;
}
