// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The distance of the dependence is the number of iterations, so no two iterations meet.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(a, 2 * N, 2 * n)) {
#pragma scop
  for (int i = 0; i < _PB_N; i++) // loop: parallel
    a[i] = a[i + _PB_N] + 1;
#pragma endscop
}

int main(void) {
  static DATA_TYPE a[2 * N];
  FILL(a);
  kernel(N, POLYBENCH_ARRAY(a));
  SHOW(a);
  return 0;
}
