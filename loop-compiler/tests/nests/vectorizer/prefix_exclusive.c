// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The sum before each element: read first, added to afterwards.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(a, N, n), DATA_TYPE POLYBENCH_1D(b, N, n), DATA_TYPE *total) {
  DATA_TYPE s = 0;
#pragma scop
  for (int i = 0; i < _PB_N; i++) { // loop: scan
    b[i] = s;
    s += a[i];                      // reduction: +
  }
#pragma endscop
  *total = s;
}

int main(void) {
  static DATA_TYPE a[N], b[N], total;
  FILL(a);
  kernel(N, POLYBENCH_ARRAY(a), POLYBENCH_ARRAY(b), &total);
  SHOW(b); SHOW(total);
  return 0;
}
