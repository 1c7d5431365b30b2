// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The first iteration of the inner loop sets the cell, the others add to it.
#include "nest.h"

static void kernel(int n, int m, DATA_TYPE POLYBENCH_2D(a, N, M, n, m), DATA_TYPE POLYBENCH_1D(s, N, n)) {
#pragma scop
  for (int i = 0; i < _PB_N; i++)       // loop: parallel
    for (int j = 0; j < _PB_M; j++) {   // loop: sequential
      if (j == 0)
        s[i] = 0;
      s[i] += a[i][j];                  // reduction: +
    }
#pragma endscop
}

int main(void) {
  static DATA_TYPE a[N][M], s[N];
  FILL(a);
  kernel(N, M, POLYBENCH_ARRAY(a), POLYBENCH_ARRAY(s));
  SHOW(s);
  return 0;
}
