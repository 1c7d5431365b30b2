// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Iterators of type long, parameters of another.
#include "nest.h"

static void kernel(int n, long m, double a[n][m], double *out) {
  double s = 0;
  long i, j;
#pragma scop
  for (i = 0; i < n; i++)       // loop: reduction
    for (j = 0; j < m; j++)     // loop: reduction
      s += a[i][j];             // reduction: +
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
