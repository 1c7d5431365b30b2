// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Prefix sums whose next element is made from the sum: the loop over i cannot be broken up.
#include "nest.h"

static void kernel(int n, unsigned POLYBENCH_1D(a, N, n), unsigned POLYBENCH_1D(b, N, n)) {
  int i, j;
#pragma scop
  a[0] = 5;
  for (i = 0; i < _PB_N; i++) {   // loop: sequential
    b[i] = 0;
    for (j = 0; j <= i; j++)      // loop: reduction
      b[i] += a[j];               // reduction: +
    if (i < _PB_N - 1)
      a[i + 1] = (3 * b[i] + 1) % 101;
  }
#pragma endscop
}

int main(void) {
  static unsigned a[N], b[N];
  kernel(N, a, b);
  SHOW_UINT(a); SHOW_UINT(b);
  return 0;
}
