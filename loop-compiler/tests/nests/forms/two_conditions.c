// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A loop with two upper bounds joined by `&&`.
#include "nest.h"

static void kernel(int n, int m, double a[n][m], double *out) {
  double s = 0;
#pragma scop
  for (int i = 0; i < n && i < m; i++)  // loop: reduction
    s += a[i][i];                       // reduction: +
#pragma endscop
  *out = s;
}

int main(void) {
  static double a[N][M], out;
  FILL_F64(a);
  kernel(N, M, a, &out);
  SHOW_F64(out);
  return 0;
}
