// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Reversal by exchange, through a variable declared outside.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(a, N, n)) {
  DATA_TYPE t;
#pragma scop
  for (int i = 0; i < _PB_N / 2; i++) { // loop: private
    t = a[i];
    a[i] = a[_PB_N - 1 - i];
    a[_PB_N - 1 - i] = t;
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE a[N];
  FILL(a);
  kernel(N, POLYBENCH_ARRAY(a));
  SHOW(a);
  return 0;
}
