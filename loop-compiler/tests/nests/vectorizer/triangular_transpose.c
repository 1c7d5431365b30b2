// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A transposition in place: each pair above the diagonal is exchanged once.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_2D(a, N, N, n, n)) {
#pragma scop
  for (int i = 0; i < _PB_N; i++)         // loop: parallel
    for (int j = i + 1; j < _PB_N; j++) { // loop: parallel
      DATA_TYPE t = a[i][j];
      a[i][j] = a[j][i];
      a[j][i] = t;
    }
#pragma endscop
}

int main(void) {
  static DATA_TYPE a[N][N];
  FILL(a);
  kernel(N, POLYBENCH_ARRAY(a));
  SHOW(a);
  return 0;
}
