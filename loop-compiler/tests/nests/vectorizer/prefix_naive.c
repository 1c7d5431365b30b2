// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Prefix sums by their definition, a triangle of additions.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(a, N, n), DATA_TYPE POLYBENCH_1D(b, N, n)) {
  int i, j;
#pragma scop
  for (i = 0; i < _PB_N; i++) {   // loop: parallel
    b[i] = 0;
    for (j = 0; j <= i; j++)      // loop: reduction
      b[i] += a[j];               // reduction: +
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE a[N], b[N];
  FILL(a);
  kernel(N, POLYBENCH_ARRAY(a), POLYBENCH_ARRAY(b));
  SHOW(b);
  return 0;
}
