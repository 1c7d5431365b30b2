// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The largest element of a plane with its row and column.
#include "nest.h"

static void kernel(int n, int m, DATA_TYPE POLYBENCH_2D(a, N, M, n, m), DATA_TYPE *top, int POLYBENCH_1D(at, 2, 2)) {
  int i, j;
  int row = 0, column = 0;
  DATA_TYPE x = a[0][0];
#pragma scop
  for (i = 0; i < _PB_N; i++)     // loop: reduction
    for (j = 0; j < _PB_M; j++)   // loop: reduction
      if (a[i][j] > x) {
        x = a[i][j];              // reduction: argmax
        row = i;                  // reduction: argmax
        column = j;               // reduction: argmax
      }
#pragma endscop
  *top = x, at[0] = row, at[1] = column;
}

int main(void) {
  static DATA_TYPE a[N][M], top;
  static int at[2];
  FILL(a);
  kernel(N, M, POLYBENCH_ARRAY(a), &top, at);
  SHOW(top); SHOW_INT(at);
  return 0;
}
