// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The largest value of each class.
#include "nest.h"

static void kernel(int n, int POLYBENCH_1D(ix, N, n), DATA_TYPE POLYBENCH_1D(a, N, n), DATA_TYPE POLYBENCH_1D(top, M, M)) {
#pragma scop
  for (int i = 0; i < _PB_N; i++) // loop: reduction
    if (a[i] > top[ix[i]])
      top[ix[i]] = a[i];          // reduction: max
#pragma endscop
}

int main(void) {
  static int ix[N];
  static DATA_TYPE a[N], top[M];
  FILL_INDEX(ix, M); FILL(a);
  kernel(N, ix, a, top);
  SHOW(top);
  return 0;
}
