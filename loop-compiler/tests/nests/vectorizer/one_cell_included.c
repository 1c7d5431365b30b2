// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The same without the guard: one iteration changes what all others read.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(a, N, n)) {
#pragma scop
  for (int i = 0; i < _PB_N; i++) // loop: sequential
    a[i] = a[i] * a[2];
#pragma endscop
}

int main(void) {
  static DATA_TYPE a[N];
  FILL(a);
  kernel(N, POLYBENCH_ARRAY(a));
  SHOW(a);
  return 0;
}
