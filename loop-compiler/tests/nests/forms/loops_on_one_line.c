// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Two loops in one line, and two that one macro writes.
#include "nest.h"

#define FOR2(i, n, j, m) for (int i = 0; i < (n); i++) for (int j = 0; j < (m); j++)
static void kernel(int n, int m, double a[n][m], double row[n], double column[m]) {
#pragma scop
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) // loop: parallel, reduction
    row[i] += a[i][j];                                    // reduction: +
  FOR2(i, n, j, m)                                        // loop: reduction, parallel
    column[j] += a[i][j];                                 // reduction: +
#pragma endscop
}

int main(void) {
  static double a[N][M], row[N], column[M];
  FILL_F64(a);
  kernel(N, M, a, row, column);
  SHOW_F64(row); SHOW_F64(column);
  return 0;
}
