// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The largest value so far, from the right.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(a, N, n), DATA_TYPE POLYBENCH_1D(b, N, n)) {
  DATA_TYPE top = a[_PB_N - 1];
#pragma scop
  for (int i = _PB_N - 1; i >= 0; i--) { // loop: scan
    top = fmax(top, a[i]);               // reduction: fmax
    b[i] = top;
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
