// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The sizes are variables computed before the region.
#include "nest.h"

static void kernel(int bytes, const double *restrict a, double *restrict out) {
  int half = bytes / 8 / 2;
  double s = 0;
#pragma scop
  for (int i = 0; i < half; i++)            // loop: reduction
    s += a[i] * a[i + half];                // reduction: +
  out[0] = s;
#pragma endscop
}

int main(void) {
  static double a[2 * N], out;
  FILL_F64(a);
  kernel(2 * N * 8, a, &out);
  SHOW_F64(out);
  return 0;
}
