// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A store in every iteration is no search for the last index: the last iteration writes.
#include "nest.h"

static void kernel(int n, const double a[n], double *out) {
  double t = 0;
#pragma scop
  for (int i = 0; i < n; i++) // loop: private
    t = a[i] * 2;
#pragma endscop
  *out = t;
}

int main(void) {
  static double a[N], out;
  FILL_F64(a);
  kernel(N, a, &out);
  SHOW_F64(out);
  return 0;
}
