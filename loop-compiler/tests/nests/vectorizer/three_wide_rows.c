// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// a[2 i + j] with j below three: neighbours share a cell.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(a, 2 * N + 1, 2 * n + 1), DATA_TYPE POLYBENCH_2D(b, N, 3, n, 3)) {
#pragma scop
  for (int i = 0; i < _PB_N; i++) // loop: reduction
    for (int j = 0; j < 3; j++)   // loop: parallel
      a[2 * i + j] += b[i][j];    // reduction: +
#pragma endscop
}

int main(void) {
  static DATA_TYPE a[2 * N + 1], b[N][3];
  FILL(a); FILL(b);
  kernel(N, POLYBENCH_ARRAY(a), POLYBENCH_ARRAY(b));
  SHOW(a);
  return 0;
}
