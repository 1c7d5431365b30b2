// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// All elements from one that the guard leaves alone.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(a, N, n)) {
#pragma scop
  for (int i = 0; i < _PB_N; i++) // loop: parallel
    if (i != 2)
      a[i] = a[i] * a[2];
#pragma endscop
}

int main(void) {
  static DATA_TYPE a[N];
  FILL(a);
  kernel(N, POLYBENCH_ARRAY(a));
  SHOW(a);
  return 0;
}
