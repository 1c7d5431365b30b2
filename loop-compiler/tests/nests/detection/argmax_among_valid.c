// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A maximum and its index among the elements that another array admits.
#include "nest.h"

static void kernel(int n, const int ok[n], const double a[n], double *top, int *at) {
  double x = -2;
  int where = -1;
#pragma scop
  for (int i = 0; i < n; i++)   // loop: reduction
    if (ok[i] && a[i] > x) {
      x = a[i];                 // reduction: argmax
      where = i;                // reduction: argmax
    }
#pragma endscop
  *top = x, *at = where;
}

int main(void) {
  static int ok[N], at;
  static double a[N], top;
  FILL_INDEX(ok, 2); FILL_F64(a);
  kernel(N, ok, a, &top, &at);
  SHOW_F64(top); SHOW_INT(at);
  return 0;
}
