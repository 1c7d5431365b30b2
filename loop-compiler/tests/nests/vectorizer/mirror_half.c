// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The same over half of the array only: no element is both read and written.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(a, N, n)) {
#pragma scop
  for (int i = 0; i < _PB_N / 2; i++) // loop: parallel
    a[i] = a[_PB_N - 1 - i];
#pragma endscop
}

int main(void) {
  static DATA_TYPE a[N];
  FILL(a);
  kernel(N, POLYBENCH_ARRAY(a));
  SHOW(a);
  return 0;
}
