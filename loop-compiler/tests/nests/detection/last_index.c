// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The last index that meets a condition, and the value there.
#include "nest.h"

static void kernel(int n, const double a[n], int *at, double *value) {
  int last = -1;
  double x = 0;
#pragma scop
  for (int i = 0; i < n; i++) // loop: reduction
    if (a[i] > 0) {
      last = i;               // reduction: last
      x = a[i];               // reduction: last
    }
#pragma endscop
  *at = last, *value = x;
}

int main(void) {
  static double a[N], value;
  static int at;
  FILL_F64(a);
  kernel(N, a, &at, &value);
  SHOW_INT(at); SHOW_F64(value);
  return 0;
}
