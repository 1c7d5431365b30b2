// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Written in one branch only and read in every iteration: the value of an earlier iteration is used.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(a, N, n), DATA_TYPE POLYBENCH_1D(b, N, n)) {
#pragma scop
  DATA_TYPE t = 0;
  for (int i = 0; i < _PB_N; i++) { // loop: sequential
    if (b[i] > 0)
      t = b[i] * 2;
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
