// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A prefix sum in a scalar whose next term is made from it: as sequential as with an array.
#include "nest.h"

static void kernel(int n, unsigned POLYBENCH_1D(a, N + 1, n + 1), unsigned POLYBENCH_1D(b, N, n)) {
  int i;
  unsigned s = 0;
#pragma scop
  a[0] = 5;
  for (i = 0; i < _PB_N; i++) {     // loop: sequential
    s += a[i];                      // reduction: +
    b[i] = s;
    a[i + 1] = (3 * b[i] + 1) % 101;
  }
#pragma endscop
}

int main(void) {
  static unsigned a[N + 1], b[N];
  kernel(N, a, b);
  SHOW_UINT(a); SHOW_UINT(b);
  return 0;
}
