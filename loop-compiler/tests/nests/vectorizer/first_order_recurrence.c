// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Each element needs the one before, times a factor.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(a, N, n), DATA_TYPE POLYBENCH_1D(b, N, n)) {
#pragma scop
  for (int i = 1; i < _PB_N; i++) // loop: scan
    a[i] = a[i - 1] * b[i] + b[i];
#pragma endscop
}

int main(void) {
  static DATA_TYPE a[N], b[N];
  FILL(a); FILL(b);
  kernel(N, POLYBENCH_ARRAY(a), POLYBENCH_ARRAY(b));
  SHOW(a);
  return 0;
}
