// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Electric and magnetic fields on a staggered grid.
#include "nest.h"

static void kernel(int tsteps, int n, int m, DATA_TYPE POLYBENCH_2D(ex, N, M, n, m),
                   DATA_TYPE POLYBENCH_2D(ey, N, M, n, m), DATA_TYPE POLYBENCH_2D(hz, N, M, n, m),
                   DATA_TYPE POLYBENCH_1D(source, TSTEPS, tsteps)) {
  int t, i, j;
#pragma scop
  for (t = 0; t < _PB_TSTEPS; t++) {        // loop: sequential
    for (j = 0; j < _PB_M; j++)             // loop: parallel
      ey[0][j] = source[t];
    for (i = 1; i < _PB_N; i++)             // loop: parallel
      for (j = 0; j < _PB_M; j++)           // loop: parallel
        ey[i][j] = ey[i][j] - SCALAR_VAL(0.5) * (hz[i][j] - hz[i - 1][j]); // reduction: +
    for (i = 0; i < _PB_N; i++)             // loop: parallel
      for (j = 1; j < _PB_M; j++)           // loop: parallel
        ex[i][j] = ex[i][j] - SCALAR_VAL(0.5) * (hz[i][j] - hz[i][j - 1]); // reduction: +
    for (i = 0; i < _PB_N - 1; i++)         // loop: parallel
      for (j = 0; j < _PB_M - 1; j++)       // loop: parallel
        hz[i][j] = hz[i][j] - SCALAR_VAL(0.7) * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]); // reduction: +
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE ex[N][M], ey[N][M], hz[N][M], source[TSTEPS];
  FILL(ex); FILL(ey); FILL(hz); FILL(source);
  kernel(TSTEPS, N, M, POLYBENCH_ARRAY(ex), POLYBENCH_ARRAY(ey), POLYBENCH_ARRAY(hz), POLYBENCH_ARRAY(source));
  SHOW(ex); SHOW(ey); SHOW(hz);
  return 0;
}
