// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The local variable with the new value is stored besides: the intermediate value is used elsewhere.
#include "nest.h"

static void kernel(int n, const double a[n], double b[n], double *out) {
  double s = 0;
#pragma scop
  for (int i = 0; i < n; i++) { // loop: scan
    double t = s + a[i];
    s = t;                      // no reduction: read
    b[i] = t;
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
