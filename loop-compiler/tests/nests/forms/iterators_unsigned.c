// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Unsigned iterators, whose differences are never below zero here.
#include "nest.h"

static void kernel(unsigned n, const double a[n], double b[n]) {
#pragma scop
  for (unsigned i = 0u; i < n; i++) {     // loop: parallel
    b[i] = 0;
    for (unsigned j = 0u; j <= i; ++j)    // loop: reduction
      b[i] += a[i - j];                   // reduction: +
  }
#pragma endscop
}

int main(void) {
  static double a[N], b[N];
  FILL_F64(a);
  kernel(N, a, b);
  SHOW_F64(b);
  return 0;
}
