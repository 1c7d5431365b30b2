// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Each cell takes its own term and its mirror's, in two statements: two iterations update one cell.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(s, N, n), DATA_TYPE POLYBENCH_1D(a, N, n)) {
#pragma scop
  for (int i = 0; i < _PB_N; i++) {   // loop: reduction
    s[i] += a[i];                     // reduction: +
    s[_PB_N - 1 - i] += 2 * a[i];     // reduction: +
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE s[N], a[N];
  FILL(s); FILL(a);
  kernel(N, POLYBENCH_ARRAY(s), POLYBENCH_ARRAY(a));
  SHOW(s);
  return 0;
}
