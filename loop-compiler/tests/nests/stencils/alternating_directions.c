// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Implicit steps in alternating directions: the two coefficient rows are scratch memory of a line.
#include "nest.h"

static void kernel(int tsteps, int n, DATA_TYPE POLYBENCH_2D(u, N, N, n, n), DATA_TYPE POLYBENCH_2D(v, N, N, n, n),
                   DATA_TYPE POLYBENCH_1D(p, N, n), DATA_TYPE POLYBENCH_1D(q, N, n)) {
  int t, i, j;
#pragma scop
  for (t = 0; t < _PB_TSTEPS; t++) {          // loop: sequential
    for (i = 1; i < _PB_N - 1; i++) {         // loop: private
      v[0][i] = 1;
      p[0] = 0;
      q[0] = v[0][i];
      for (j = 1; j < _PB_N - 1; j++) {       // loop: sequential
        p[j] = 0.25 / (1.5 - 0.25 * p[j - 1]);
        q[j] = (0.25 * u[j][i - 1] + 0.5 * u[j][i] + 0.25 * u[j][i + 1] + 0.25 * q[j - 1]) / (1.5 - 0.25 * p[j - 1]);
      }
      v[_PB_N - 1][i] = 1;
      for (j = _PB_N - 2; j >= 1; j--)        // loop: scan
        v[j][i] = p[j] * v[j + 1][i] + q[j];
    }
    for (i = 1; i < _PB_N - 1; i++) {         // loop: private
      u[i][0] = 1;
      p[0] = 0;
      q[0] = u[i][0];
      for (j = 1; j < _PB_N - 1; j++) {       // loop: sequential
        p[j] = 0.125 / (1.25 - 0.125 * p[j - 1]);
        q[j] = (0.125 * v[i - 1][j] + 0.5 * v[i][j] + 0.125 * v[i + 1][j] + 0.125 * q[j - 1]) / (1.25 - 0.125 * p[j - 1]);
      }
      u[i][_PB_N - 1] = 1;
      for (j = _PB_N - 2; j >= 1; j--)        // loop: scan
        u[i][j] = p[j] * u[i][j + 1] + q[j];
    }
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE u[N][N], v[N][N], p[N], q[N];
  FILL(u);
  kernel(TSTEPS, N, POLYBENCH_ARRAY(u), POLYBENCH_ARRAY(v), POLYBENCH_ARRAY(p), POLYBENCH_ARRAY(q));
  SHOW(u); SHOW(v); SHOW(p); SHOW(q);
  return 0;
}
