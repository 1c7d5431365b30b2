// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Pascal's triangle, a row from the row above.
#include "nest.h"

static void kernel(int n, unsigned POLYBENCH_2D(c, N, N, n, n)) {
  int i, j;
#pragma scop
  for (i = 0; i < _PB_N; i++) {     // loop: sequential
    c[i][0] = 1;
    c[i][i] = 1;
    for (j = 1; j < i; j++)         // loop: parallel
      c[i][j] = c[i - 1][j - 1] + c[i - 1][j];
  }
#pragma endscop
}

int main(void) {
  static unsigned c[N][N];
  kernel(N, c);
  SHOW_UINT(c);
  return 0;
}
