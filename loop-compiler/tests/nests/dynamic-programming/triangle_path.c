// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The heaviest path down a triangle, from the bottom row up.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_2D(w, N, N, n, n)) {
  int i, j;
#pragma scop
  for (i = _PB_N - 2; i >= 0; i--)    // loop: sequential
    for (j = 0; j <= i; j++)          // loop: parallel
      w[i][j] += fmax(w[i + 1][j], w[i + 1][j + 1]);
#pragma endscop
}

int main(void) {
  static DATA_TYPE w[N][N];
  FILL(w);
  kernel(N, POLYBENCH_ARRAY(w));
  SHOW(w);
  return 0;
}
