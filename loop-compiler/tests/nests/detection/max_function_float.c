// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A maximum by the function for single precision.
#include "nest.h"

static void kernel(int n, const float a[n], const float b[n], float *out) {
  float s = -2;
#pragma scop
  for (int i = 0; i < n; i++) // loop: reduction
    s = fmaxf(s, a[i]); // reduction: fmax
#pragma endscop
  *out = s;
}

int main(void) {
  static float a[N], b[N], out;
  FILL_F32(a); FILL_F32(b);
  kernel(N, a, b, &out);
  SHOW_F32(out);
  return 0;
}
