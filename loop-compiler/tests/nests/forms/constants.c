// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Sizes from an enumeration, from `sizeof` and from a constant table.
#include "nest.h"

enum { TAPS = 3 };
static const double tap[TAPS] = {0.25, 0.5, 0.25};
static void kernel(const double a[N + TAPS], double b[N]) {
#pragma scop
  for (int i = 0; i < N; i++) {       // loop: parallel
    b[i] = 0;
    for (int k = 0; k < (int)(sizeof tap / sizeof tap[0]); k++) // loop: reduction
      b[i] += tap[k] * a[i + k];      // reduction: +
  }
#pragma endscop
}

int main(void) {
  static double a[N + TAPS], b[N];
  FILL_F64(a);
  kernel(a, b);
  SHOW_F64(b);
  return 0;
}
