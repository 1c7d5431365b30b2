// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Rows, ends of loops and conditions in variables of their own.
#include "nest.h"

static void kernel(int n, int m, double *restrict a, double *restrict sum, double *restrict column) {
#pragma scop
  for (int i = 0; i < n; i++) {           // loop: parallel
    const long row = (long)i * m;
    for (int j = 0; j < m; j++)           // loop: parallel
      a[row + j] *= 2;
  }
  for (int i = 0; i < n; i++) {           // loop: reduction
    const int row = i * m, half = m / 2, is_even = i % 2 == 0;
    double total = 0;
    for (int j = 0; j < half; j++) {      // loop: reduction
      const int at = row + 2 * j;
      total += a[at] * a[at + 1];         // reduction: +
    }
    sum[i] = total;
    if (is_even)
      for (int j = 0; j < half; j++)      // loop: parallel
        column[j] += a[row + j];          // reduction: +
  }
#pragma endscop
}

int main(void) {
  static double a[N * M], sum[N], column[M];
  FILL_F64(a);
  kernel(N, M, a, sum, column);
  SHOW_F64(a); SHOW_F64(sum); SHOW_F64(column);
  return 0;
}
