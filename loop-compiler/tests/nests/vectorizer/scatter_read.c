// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Sums through an index array, of which the loop reads a cell besides: the order shows.
#include "nest.h"

static void kernel(int n, int ix[n], double a[n], double h[M]) {
#pragma scop
  for (int i = 0; i < n; i++) { // loop: sequential
    h[ix[i]] += a[i];           // reduction: +
    a[i] = h[0];
  }
#pragma endscop
}

int main(void) {
  static int ix[N];
  static double a[N], h[M];
  FILL_INDEX(ix, M); FILL_F64(a);
  kernel(N, ix, a, h);
  SHOW_F64(a); SHOW_F64(h);
  return 0;
}
