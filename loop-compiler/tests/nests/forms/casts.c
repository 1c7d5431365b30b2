// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Conversions of values, and iterators as values.
#include "nest.h"

static void kernel(int n, const float a[n], double b[n], double *out) {
  double s = 0;
#pragma scop
  for (int i = 0; i < n; i++) {       // loop: reduction
    b[i] = (double)a[i] / (i + 1);
    s += (float)(int)(4 * a[i]) + i;  // reduction: +
  }
#pragma endscop
  *out = s;
}

int main(void) {
  static float a[N];
  static double b[N], out;
  FILL_F32(a);
  kernel(N, a, b, &out);
  SHOW_F64(b); SHOW_F64(out);
  return 0;
}
