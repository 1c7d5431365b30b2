// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A loop and its statement in one line.
#include "nest.h"

static void kernel(int n, const double a[n], double *out) {
  double s = 0;
#pragma scop
  for (int i = 0; i < n; i++) s += a[i]; // loop: reduction; reduction: +
#pragma endscop
  *out = s;
}

int main(void) {
  static double a[N], out;
  FILL_F64(a);
  kernel(N, a, &out);
  SHOW_F64(out);
  return 0;
}
