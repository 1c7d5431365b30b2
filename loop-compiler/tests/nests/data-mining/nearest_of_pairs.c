// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The same with each pair looked at once: both ends take the minimum, so both loops carry it.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_2D(d, N, N, n, n), DATA_TYPE POLYBENCH_1D(near, N, n)) {
  int i, j;
#pragma scop
  for (i = 0; i < _PB_N; i++)           // loop: reduction
    for (j = i + 1; j < _PB_N; j++) {   // loop: reduction
      near[i] = d[i][j] < near[i] ? d[i][j] : near[i]; // reduction: min
      near[j] = d[i][j] < near[j] ? d[i][j] : near[j]; // reduction: min
    }
#pragma endscop
}

int main(void) {
  static DATA_TYPE d[N][N], near[N];
  FILL(d); FILL(near);
  kernel(N, d, near);
  SHOW(near);
  return 0;
}
