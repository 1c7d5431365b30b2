// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Catalan's numbers: the terms are earlier results.
#include "nest.h"

static void kernel(int n, unsigned POLYBENCH_1D(c, N, n)) {
  int i, k;
#pragma scop
  c[0] = 1;
  for (i = 1; i < _PB_N; i++) {       // loop: sequential
    c[i] = 0;
    for (k = 0; k < i; k++)           // loop: reduction
      c[i] += c[k] * c[i - 1 - k];    // reduction: +
  }
#pragma endscop
}

int main(void) {
  static unsigned c[N];
  kernel(N, c);
  SHOW_UINT(c);
  return 0;
}
