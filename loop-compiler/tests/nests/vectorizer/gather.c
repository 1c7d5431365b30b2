// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Reads through an index array.
#include "nest.h"

static void kernel(int n, int POLYBENCH_1D(ix, N, n), DATA_TYPE POLYBENCH_1D(a, N, n), DATA_TYPE POLYBENCH_1D(b, M, M)) {
#pragma scop
  for (int i = 0; i < _PB_N; i++) // loop: parallel
    a[i] = a[i] * b[ix[i]];
#pragma endscop
}

int main(void) {
  static int ix[N];
  static DATA_TYPE a[N], b[M];
  FILL_INDEX(ix, M); FILL(a); FILL(b);
  kernel(N, ix, a, b);
  SHOW(a);
  return 0;
}
