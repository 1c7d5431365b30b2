// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A temporary of the region, written in both branches of a guard that depends on data.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(a, N, n), DATA_TYPE POLYBENCH_1D(b, N, n)) {
#pragma scop
  DATA_TYPE t;
  for (int i = 0; i < _PB_N; i++) { // loop: private
    if (b[i] > 0)
      t = b[i] * 2;
    else
      t = -b[i];
    a[i] = t + 1;
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE a[N], b[N];
  FILL(b);
  kernel(N, POLYBENCH_ARRAY(a), POLYBENCH_ARRAY(b));
  SHOW(a);
  return 0;
}
