// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// How many values are far off, whether all are finite, whether any is negative, and the last that is.
#include "nest.h"

static void kernel(int n, double x[n], int out[4]) {
  int count = 0;
  int all = 1;
  int any = 0;
  int last = -1;
#pragma scop
  for (int i = 0; i < n; i++) {       // loop: reduction
    count += fabs(x[i]) > 0.75;       // reduction: +
    all = all && fabs(x[i]) < 1e300;  // reduction: &&
    any = any || x[i] < 0;            // reduction: ||
    if (x[i] < 0)
      last = i;                       // reduction: last
  }
#pragma endscop
  out[0] = count, out[1] = all, out[2] = any, out[3] = last;
}

int main(void) {
  static double x[N];
  static int out[4];
  FILL_F64(x);
  kernel(N, x, out);
  SHOW_INT(out);
  return 0;
}
