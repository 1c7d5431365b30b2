// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Stores through an index array that may name a cell twice: the order decides, and no sum is made.
#include "nest.h"

static void kernel(int n, int POLYBENCH_1D(ix, N, n), DATA_TYPE POLYBENCH_1D(a, N, n), DATA_TYPE POLYBENCH_1D(b, M, M)) {
#pragma scop
  for (int i = 0; i < _PB_N; i++) // loop: sequential
    b[ix[i]] = a[i];
#pragma endscop
}

int main(void) {
  static int ix[N];
  static DATA_TYPE a[N], b[M];
  FILL_INDEX(ix, M); FILL(a);
  kernel(N, ix, a, b);
  SHOW(b);
  return 0;
}
