// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A subscript that leaves its row: two places for one cell.
#include "nest.h"

static void kernel(int n, int a[n], int b[n]) {
#pragma scop // refused: subscripts
  for (int i = 0; i < n - 1; i++)
    for (int j = 0; j < 2; j++)
      *(&a[i] + b[j] % 2) += j;
#pragma endscop
}

int main(void) {
  static int a[N], b[N];
  FILL_INT(a); FILL_INDEX(b, N);
  kernel(N, a, b);
  SHOW_INT(a); SHOW_INT(b);
  return 0;
}
