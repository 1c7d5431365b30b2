// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// All shortest paths. The target's own row or column is read when k is one of its indices, so this is no reduction.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_2D(path, N, N, n, n)) {
  int i, j, k;
#pragma scop
  for (k = 0; k < _PB_N; k++)         // loop: sequential
    for (i = 0; i < _PB_N; i++)       // loop: sequential
      for (j = 0; j < _PB_N; j++)     // loop: sequential
        path[i][j] = path[i][j] < path[i][k] + path[k][j] ? path[i][j] : path[i][k] + path[k][j]; // no reduction: subscripts
#pragma endscop
}

int main(void) {
  static DATA_TYPE path[N][N];
  FILL_POSITIVE(path);
  kernel(N, POLYBENCH_ARRAY(path));
  SHOW(path);
  return 0;
}
