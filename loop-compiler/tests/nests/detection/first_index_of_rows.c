// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The first index of each row: the loop over rows is parallel, whatever the inner one does.
#include "nest.h"

static void kernel(int n, int m, int a[n][m], int pos[n]) {
#pragma scop
  for (int i = 0; i < n; i++) {   // loop: parallel
    pos[i] = -1;
    for (int j = 0; j < m; j++)   // loop: reduction
      if (a[i][j] == 3) {
        pos[i] = j;               // reduction: first
        break;
      }
  }
#pragma endscop
}

int main(void) {
  static int a[N][M], pos[N];
  FILL_INDEX(a, 8);
  kernel(N, M, a, pos);
  SHOW_INT(pos);
  return 0;
}
