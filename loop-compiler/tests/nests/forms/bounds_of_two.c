// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Bounds that are the larger or the smaller of two, as a band of a matrix needs them.
#include "nest.h"

#define max(a, b) ((a) > (b) ? (a) : (b))
#define min(a, b) ((a) < (b) ? (a) : (b))
static void kernel(int n, double a[n][n], const double x[n], double y[n]) {
#pragma scop
  for (int i = 0; i < n; i++) {                             // loop: parallel
    y[i] = 0;
    for (int j = max(0, i - 2); j < min(n, i + 3); j++)     // loop: reduction
      y[i] += a[i][j] * x[j];                               // reduction: +
  }
#pragma endscop
}

int main(void) {
  static double a[N][N], x[N], y[N];
  FILL_F64(a); FILL_F64(x);
  kernel(N, a, x, y);
  SHOW_F64(y);
  return 0;
}
