// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The same sums from the side of the pairs: the target j - i is reached from every i.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(x, N, n), DATA_TYPE POLYBENCH_1D(r, N, n)) {
  int i, j;
#pragma scop
  for (i = 0; i < _PB_N; i++)     // loop: reduction
    for (j = i; j < _PB_N; j++)   // loop: parallel
      r[j - i] += x[i] * x[j];    // reduction: +
#pragma endscop
}

int main(void) {
  static DATA_TYPE x[N], r[N];
  FILL(x);
  kernel(N, POLYBENCH_ARRAY(x), POLYBENCH_ARRAY(r));
  SHOW(r);
  return 0;
}
