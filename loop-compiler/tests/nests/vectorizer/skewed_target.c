// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The target's subscript is the difference of two iterators over a square.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(d, 2 * N, 2 * n), DATA_TYPE POLYBENCH_2D(a, N, N, n, n)) {
#pragma scop
  for (int i = 0; i < _PB_N; i++)     // loop: reduction
    for (int j = 0; j < _PB_N; j++)   // loop: parallel
      d[i - j + _PB_N - 1] = fmax(d[i - j + _PB_N - 1], a[i][j]); // reduction: fmax
#pragma endscop
}

int main(void) {
  static DATA_TYPE d[2 * N], a[N][N];
  FILL(d); FILL(a);
  kernel(N, POLYBENCH_ARRAY(d), POLYBENCH_ARRAY(a));
  SHOW(d);
  return 0;
}
