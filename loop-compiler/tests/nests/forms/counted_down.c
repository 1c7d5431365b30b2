// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Loops that test and decrement their iterator at once.
#include "nest.h"

static void kernel(int n, int m, const double a[n][m], double row[n], double *out) {
  int i;
#pragma scop
  for (i = n; i-- > 0;) {     // loop: parallel
    row[i] = 0;
    for (long j = m; j--;)    // loop: reduction
      row[i] += a[i][j];      // reduction: +
  }
  for (int k = n; k-- != 0;)  // loop: reduction
    *out += row[k];           // reduction: +
#pragma endscop
  *out += i;
}

int main(void) {
  static double a[N][M], row[N], out;
  FILL_F64(a);
  kernel(N, M, a, row, &out);
  SHOW_F64(row); SHOW_F64(out);
  return 0;
}
