// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A rank-two update, two products and a vector sum, four nests in a row.
#include "nest.h"

static void kernel(int n, DATA_TYPE alpha, DATA_TYPE beta, DATA_TYPE POLYBENCH_2D(A, N, N, n, n),
                   DATA_TYPE POLYBENCH_1D(u1, N, n), DATA_TYPE POLYBENCH_1D(v1, N, n), DATA_TYPE POLYBENCH_1D(u2, N, n),
                   DATA_TYPE POLYBENCH_1D(v2, N, n), DATA_TYPE POLYBENCH_1D(w, N, n), DATA_TYPE POLYBENCH_1D(x, N, n),
                   DATA_TYPE POLYBENCH_1D(y, N, n), DATA_TYPE POLYBENCH_1D(z, N, n)) {
  int i, j;
#pragma scop
  for (i = 0; i < _PB_N; i++)   // loop: parallel
    for (j = 0; j < _PB_N; j++) // loop: parallel
      A[i][j] = A[i][j] + u1[i] * v1[j] + u2[i] * v2[j];
  for (i = 0; i < _PB_N; i++)   // loop: parallel
    for (j = 0; j < _PB_N; j++) // loop: reduction
      x[i] = x[i] + beta * A[j][i] * y[j]; // reduction: +
  for (i = 0; i < _PB_N; i++)   // loop: parallel
    x[i] = x[i] + z[i];
  for (i = 0; i < _PB_N; i++)   // loop: parallel
    for (j = 0; j < _PB_N; j++) // loop: reduction
      w[i] = w[i] + alpha * A[i][j] * x[j]; // reduction: +
#pragma endscop
}

int main(void) {
  static DATA_TYPE A[N][N], u1[N], v1[N], u2[N], v2[N], w[N], x[N], y[N], z[N];
  FILL(A); FILL(u1); FILL(v1); FILL(u2); FILL(v2); FILL(w); FILL(x); FILL(y); FILL(z);
  kernel(N, 1.5, 1.25, POLYBENCH_ARRAY(A), u1, v1, u2, v2, w, x, y, z);
  SHOW(A); SHOW(x); SHOW(w);
  return 0;
}
