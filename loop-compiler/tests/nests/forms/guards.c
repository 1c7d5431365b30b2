// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Affine guards of several forms: chains of else, `&&`, `||`, `!`, a remainder.
#include "nest.h"

static void kernel(int n, const double a[n], double b[n], double *out) {
  double s = 0;
#pragma scop
  for (int i = 0; i < n; i++) {           // loop: reduction
    if (i == 0)
      b[i] = 0;
    else if (i < 3 || i > n - 2)
      b[i] = a[i];
    else if (!(i > 5 && i % 2 == 0))
      b[i] = a[i - 1];
    else
      s += a[i];                          // reduction: +
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
