// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The element of largest magnitude, the last of equals.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(a, N, n), DATA_TYPE *top, int *at) {
  int where = 0;
  DATA_TYPE x = fabs(a[0]);
#pragma scop
  for (int i = 1; i < _PB_N; i++) // loop: reduction
    if (x <= fabs(a[i])) {
      x = fabs(a[i]);             // reduction: argmax
      where = i;                  // reduction: argmax
    }
#pragma endscop
  *top = x, *at = where;
}

int main(void) {
  static DATA_TYPE a[N], top;
  static int at;
  FILL(a);
  kernel(N, POLYBENCH_ARRAY(a), &top, &at);
  SHOW(top); SHOW_INT(at);
  return 0;
}
