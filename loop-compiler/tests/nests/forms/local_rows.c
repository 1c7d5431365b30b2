// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A row and a scalar of the innermost block, and a sum of what they hold.
#include "nest.h"

static void kernel(int n, double a[n][M], double out[n]) {
#pragma scop
  for (int i = 0; i < n; i++) {       // loop: parallel
    double row[M], total = 0;
    for (int j = 0; j < M; j++)       // loop: parallel
      row[j] = a[i][j] * a[i][M - 1 - j];
    for (int j = 0; j < M; j++) {     // loop: reduction
      const double half = 0.5 * row[j];
      total += half;                  // reduction: +
    }
    out[i] = total;
  }
#pragma endscop
}

int main(void) {
  static double a[N][M], out[N];
  FILL_F64(a);
  kernel(N, a, out);
  SHOW_F64(out);
  return 0;
}
