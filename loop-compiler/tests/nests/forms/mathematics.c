// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Functions of the library as values.
#include "nest.h"
#include <math.h>

static void kernel(int n, const double a[n], double b[n], double *out) {
  double s = 0;
#pragma scop
  for (int i = 0; i < n; i++) {                             // loop: reduction
    b[i] = sqrt(fabs(a[i])) + floor(4 * a[i]) + fmod(a[i], 0.25);
    s += fma(a[i], a[i], copysign(1, a[i]));                // reduction: +
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
