// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A prefix of products.
#include "nest.h"

static void kernel(int n, const double a[n], double b[n]) {
  double p = 1;
#pragma scop
  for (int i = 0; i < n; i++) { // loop: scan
    p = p * a[i];               // reduction: *
    b[i] = 2 * p;
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
