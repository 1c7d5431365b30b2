// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Loops that may not run at all, one of them never does.
#include "nest.h"

static void kernel(int n, int m, const double a[n], double *out) {
  double s = 0;
#pragma scop
  for (int i = m; i < n; i++)   // loop: reduction
    s += a[i];                  // reduction: +
  for (int i = 0; i < 0; i++)   // loop: parallel
    s += a[i];
#pragma endscop
  *out = s;
}

int main(void) {
  static double a[N], out;
  FILL_F64(a);
  kernel(N, M, a, &out);
  SHOW_F64(out);
  return 0;
}
