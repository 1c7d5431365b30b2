// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// `*(a + i)` and `*s` as accesses.
#include "nest.h"

static void kernel(int n, const double *restrict a, double *restrict s) {
#pragma scop
  for (int i = 0; i < n; i++) // loop: reduction
    *s += *(a + i);           // reduction: +
#pragma endscop
}

int main(void) {
  static double a[N], s;
  FILL_F64(a);
  kernel(N, a, &s);
  SHOW_F64(s);
  return 0;
}
