// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Names of types for elements and for arrays, of parameters and of a variable of the region.
#include "nest.h"

typedef double real;
typedef real row[4];

static void kernel(int n, row a[n], real *restrict s) {
#pragma scop
  for (int i = 0; i < n; i++) {  // loop: reduction
    row t;
    for (int j = 0; j < 4; j++)  // loop: parallel
      t[j] = a[i][j] * 2;
    for (int j = 0; j < 4; j++)  // loop: parallel
      s[j] += t[j];              // reduction: +
  }
#pragma endscop
}

int main(void) {
  static real a[N][4], s[4];
  FILL(a);
  kernel(N, a, s);
  SHOW(s);
  return 0;
}
