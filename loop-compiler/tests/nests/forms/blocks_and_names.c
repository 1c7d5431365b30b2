// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Blocks without a loop, and an inner variable with the name of an outer one.
#include "nest.h"

static void kernel(int n, const double a[n], double b[n], double *out) {
  double t = 0;
#pragma scop
  for (int i = 0; i < n; i++) { // loop: reduction
    {
      double t = a[i] * 2;
      b[i] = t;
    }
    {
      t += a[i];                // reduction: +
    }
    ;
  }
#pragma endscop
  *out = t;
}

int main(void) {
  static double a[N], b[N], out;
  FILL_F64(a);
  kernel(N, a, b, &out);
  SHOW_F64(b); SHOW_F64(out);
  return 0;
}
