// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The largest value up to each place by its definition: an operator without an inverse.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(a, N, n), DATA_TYPE POLYBENCH_1D(top, N, n)) {
  int i, j;
#pragma scop
  for (i = 0; i < _PB_N; i++) {           // loop: parallel
    top[i] = a[0];
    for (j = 1; j <= i; j++)              // loop: reduction
      top[i] = fmax(top[i], a[j]);        // reduction: fmax
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE a[N], top[N];
  FILL(a);
  kernel(N, POLYBENCH_ARRAY(a), POLYBENCH_ARRAY(top));
  SHOW(top);
  return 0;
}
