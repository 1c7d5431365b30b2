// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A scalar product with a step of five and five products in one expression.
#include "nest.h"

static void kernel(int n, double a[5 * n], double b[5 * n], double *out) {
  double s = 0;
#pragma scop
  for (int i = 0; i < 5 * n; i += 5) // loop: reduction
    s = s + a[i] * b[i] + a[i + 1] * b[i + 1] + a[i + 2] * b[i + 2] + a[i + 3] * b[i + 3] + a[i + 4] * b[i + 4]; // reduction: +
#pragma endscop
  *out = s;
}

int main(void) {
  static double a[5 * N], b[5 * N], out;
  FILL_F64(a); FILL_F64(b);
  kernel(N, a, b, &out);
  SHOW_F64(out);
  return 0;
}
