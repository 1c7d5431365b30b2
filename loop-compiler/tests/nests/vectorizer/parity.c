// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Even elements from odd ones.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(a, 2 * N, 2 * n)) {
#pragma scop
  for (int i = 0; i < _PB_N; i++) // loop: parallel
    a[2 * i] = a[2 * i + 1] * 2;
#pragma endscop
}

int main(void) {
  static DATA_TYPE a[2 * N];
  FILL(a);
  kernel(N, POLYBENCH_ARRAY(a));
  SHOW(a);
  return 0;
}
