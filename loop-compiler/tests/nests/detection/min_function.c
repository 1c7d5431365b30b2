// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A minimum by the function of the library.
#include "nest.h"

static void kernel(int n, const double a[n], const double b[n], double *out) {
  double s = 2;
#pragma scop
  for (int i = 0; i < n; i++) // loop: reduction
    s = fmin(a[i], s); // reduction: fmin
#pragma endscop
  *out = s;
}

int main(void) {
  static double a[N], b[N], out;
  FILL_F64(a); FILL_F64(b);
  kernel(N, a, b, &out);
  SHOW_F64(out);
  return 0;
}
