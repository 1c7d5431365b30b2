// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A loop outside the region, which the tool leaves alone.
#include "nest.h"

static void kernel(int steps, int n, double a[n], double b[n]) {
  for (int t = 0; t < steps; t++) {
#pragma scop
    for (int i = 1; i < n - 1; i++)   // loop: parallel
      b[i] = a[i - 1] + a[i + 1];
    for (int i = 1; i < n - 1; i++)   // loop: parallel
      a[i] = 0.5 * b[i];
#pragma endscop
  }
}

int main(void) {
  static double a[N], b[N];
  FILL_F64(a);
  kernel(TSTEPS, N, a, b);
  SHOW_F64(a);
  return 0;
}
