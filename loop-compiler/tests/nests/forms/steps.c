// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Steps of two and three upwards and downwards, in all spellings.
#include "nest.h"

static void kernel(int n, const double a[n], double b[n], double *out) {
  double s = 0;
#pragma scop
  for (int i = 0; i < n; i += 2)          // loop: parallel
    b[i] = a[i];
  for (int i = n - 1; i >= 0; i -= 3)     // loop: reduction
    s += a[i];                            // reduction: +
  for (int i = 1; i < n; i = i + 2)       // loop: parallel
    b[i] = 2 * a[i];
  for (int i = n; i > 0; --i)             // loop: reduction
    s -= b[i - 1];                        // reduction: +
  for (int i = 0; n > i; i = 3 + i)       // loop: reduction
    s += b[i];                            // reduction: +
#pragma endscop
  *out = s;
}

int main(void) {
  static double a[N], b[N], out;
  FILL_F64(a);
  kernel(N, a, b, &out);
  SHOW_F64(b); SHOW_F64(out);
  return 0;
}
