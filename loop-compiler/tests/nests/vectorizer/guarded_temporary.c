// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Written and read under the same guard; declared in the region, so its last value is of no use.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(a, N, n), DATA_TYPE POLYBENCH_1D(b, N, n)) {
#pragma scop
  DATA_TYPE t;
  for (int i = 0; i < _PB_N; i++) // loop: private
    if (b[i] > 0) {
      t = b[i] * b[i];
      a[i] = t + 1;
    }
#pragma endscop
}

int main(void) {
  static DATA_TYPE a[N], b[N];
  FILL(a); FILL(b);
  kernel(N, POLYBENCH_ARRAY(a), POLYBENCH_ARRAY(b));
  SHOW(a);
  return 0;
}
