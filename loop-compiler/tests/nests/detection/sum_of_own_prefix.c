// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// What is added depends on the sum so far: no scan, the loop stays in order.
#include "nest.h"

static void kernel(int n, const double a[n], double b[n], double *out) {
  double s = 0;
#pragma scop
  for (int i = 0; i < n; i++) { // loop: sequential
    b[i] = a[i] * s;
    s += b[i];                  // reduction: +
  }
#pragma endscop
  *out = s;
}

int main(void) {
  static double a[N], b[N], out;
  FILL_F64(a);
  kernel(N, a, b, &out);
  SHOW_F64(b); SHOW_F64(out);
  return 0;
}
