// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A prefix sum written as b[i] = b[i - 1] + a[i].
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(a, N, n), DATA_TYPE POLYBENCH_1D(b, N, n)) {
#pragma scop
  b[0] = a[0];
  for (int i = 1; i < _PB_N; i++) // loop: scan
    b[i] = b[i - 1] + a[i];
#pragma endscop
}

int main(void) {
  static DATA_TYPE a[N], b[N];
  FILL(a);
  kernel(N, POLYBENCH_ARRAY(a), POLYBENCH_ARRAY(b));
  SHOW(b);
  return 0;
}
