// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The row with the largest sum: the sum is private, the search carries over.
#include "nest.h"

static void kernel(int n, int m, DATA_TYPE POLYBENCH_2D(a, N, M, n, m), DATA_TYPE *top, int *at) {
  int i, j;
  int where = -1;
  DATA_TYPE s, x = SCALAR_VAL(-1e30);
#pragma scop
  for (i = 0; i < _PB_N; i++) {   // loop: reduction+private
    s = 0;
    for (j = 0; j < _PB_M; j++)   // loop: reduction
      s += fabs(a[i][j]);         // reduction: +
    if (s >= x) {
      x = s;                      // reduction: argmax
      where = i;                  // reduction: argmax
    }
  }
#pragma endscop
  *top = x, *at = where;
}

int main(void) {
  static DATA_TYPE a[N][M], top;
  static int at;
  FILL(a);
  kernel(N, M, POLYBENCH_ARRAY(a), &top, &at);
  SHOW(top); SHOW_INT(at);
  return 0;
}
