// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Two loops in a row add to one variable, with a use after both.
#include "nest.h"

static void kernel(int n, int m, const double a[n], const double b[m], double *out) {
#pragma scop
  double s = 0;
  for (int i = 0; i < n; i++)   // loop: reduction
    s += a[i];                  // reduction: +
  for (int i = 0; i < m; i++)   // loop: reduction
    s += b[i];                  // reduction: +
  out[0] = s * s;
#pragma endscop
}

int main(void) {
  static double a[N], b[M], out;
  FILL_F64(a); FILL_F64(b);
  kernel(N, M, a, b, &out);
  SHOW_F64(out);
  return 0;
}
