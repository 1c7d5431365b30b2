// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Functions seen whole, one of them with a loop's worth of statements, and one that is declared constant.
#include "nest.h"

static double square(double x) { return x * x; }
static inline double clip(double x, double limit) {
  if (x > limit)
    return limit;
  double doubled = x + x;
  return doubled * 0.5;
}
__attribute__((const)) double declared_constant(double x, int k);
static void kernel(int n, const double a[n], double b[n], double *out) {
  double s = 0;
#pragma scop
  for (int i = 0; i < n; i++) {               // loop: reduction
    s += square(a[i]) + clip(a[i], 0.5);      // reduction: +
    b[i] = declared_constant(a[i], i);
  }
#pragma endscop
  *out = s;
}
double declared_constant(double x, int k) { return x * k; }

int main(void) {
  static double a[N], b[N], out;
  FILL_F64(a);
  kernel(N, a, b, &out);
  SHOW_F64(b); SHOW_F64(out);
  return 0;
}
