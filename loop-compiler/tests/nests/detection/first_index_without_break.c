// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The first index that meets a condition, and the value there, in a loop that goes on.
#include "nest.h"

static void kernel(int n, const double a[n], int *at, double *value) {
  int first = -1;
  double x = 0;
#pragma scop
  for (int i = 0; i < n; i++)   // loop: reduction
    if (first < 0 && a[i] < 0) {
      first = i;                // reduction: first
      x = a[i];                 // reduction: first
    }
#pragma endscop
  *at = first, *value = x;
}

int main(void) {
  static double a[N], value;
  static int at;
  FILL_F64(a);
  kernel(N, a, &at, &value);
  SHOW_INT(at); SHOW_F64(value);
  return 0;
}
