// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Scalars declared at the head of the function: two loops with one each for themselves, one whose last value is read
// after the region, one with the value of the iteration before.
#include "nest.h"

static void kernel(int n, const double a[n], double b[restrict n], double *out) {
  int i;
  double t, last = 0, before = 0, sum = 0;
#pragma scop
  for (i = 0; i < n; i++) { // loop: private
    t = 2 * a[i];
    b[i] = t + t * t;
  }
  for (i = 0; i < n; i++) { // loop: reduction+private
    t = b[i] - a[i];
    sum += t * t;           // reduction: +
  }
  for (i = 0; i < n; i++) { // loop: private
    last = 0.5 * a[i];
    b[i] += last;
  }
  for (i = 0; i < n; i++) { // loop: sequential
    b[i] += before;
    before = a[i];
  }
#pragma endscop
  out[0] = sum, out[1] = last, out[2] = before;
}

int main(void) {
  static double a[N], b[N], out[3];
  FILL_F64(a);
  kernel(N, a, b, out);
  SHOW_F64(b);
  SHOW_F64(out);
  return 0;
}
