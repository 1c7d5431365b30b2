// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A wavefront written along its diagonals: the inner loop is parallel.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_2D(a, N, N, n, n)) {
#pragma scop
  for (int t = 2; t <= 2 * _PB_N - 2; t++)    // loop: sequential
    for (int i = (t - _PB_N + 1 > 1 ? t - _PB_N + 1 : 1); i < (t < _PB_N ? t : _PB_N); i++) // loop: parallel
      a[i][t - i] = SCALAR_VAL(0.5) * (a[i - 1][t - i] + a[i][t - i - 1]);
#pragma endscop
}

int main(void) {
  static DATA_TYPE a[N][N];
  FILL(a);
  kernel(N, POLYBENCH_ARRAY(a));
  SHOW(a);
  return 0;
}
