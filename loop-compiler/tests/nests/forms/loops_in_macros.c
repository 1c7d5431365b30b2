// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Loops that a macro writes.
#include "nest.h"

#define FOR(i, n) for (int i = 0; i < (n); ++i)
static void kernel(int n, int m, double a[n][m], double x[m], double y[n]) {
#pragma scop
  FOR(i, n) {               // loop: parallel
    y[i] = 0;
    FOR(j, m)               // loop: reduction
      y[i] += a[i][j] * x[j]; // reduction: +
  }
#pragma endscop
}

int main(void) {
  static double a[N][M], x[M], y[N];
  FILL_F64(a); FILL_F64(x);
  kernel(N, M, a, x, y);
  SHOW_F64(y);
  return 0;
}
