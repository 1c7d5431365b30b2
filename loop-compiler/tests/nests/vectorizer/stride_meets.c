// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Strides of two and three that meet in some elements.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(a, 3 * N, 3 * n)) {
#pragma scop
  for (int i = 0; i < _PB_N; i++) // loop: sequential
    a[2 * i] = a[3 * i + 1] * 2;
#pragma endscop
}

int main(void) {
  static DATA_TYPE a[3 * N];
  FILL(a);
  kernel(N, POLYBENCH_ARRAY(a));
  SHOW(a);
  return 0;
}
