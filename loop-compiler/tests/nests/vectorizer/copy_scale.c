// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// No dependence at all.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(a, N, n), DATA_TYPE POLYBENCH_1D(b, N, n)) {
#pragma scop
  for (int i = 0; i < _PB_N; i++) // loop: parallel
    a[i] = b[i] * SCALAR_VAL(1.5) + 1;
#pragma endscop
}

int main(void) {
  static DATA_TYPE a[N], b[N];
  FILL(b);
  kernel(N, POLYBENCH_ARRAY(a), POLYBENCH_ARRAY(b));
  SHOW(a);
  return 0;
}
