// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A generation of the game of life: the neighbours are counted by a loop, the cell is chosen by `?:`.
#include "nest.h"

static void kernel(int n, int m, int now[n][m], int next[n][m]) {
  int i, j, y, x, count;
#pragma scop
  for (i = 1; i < n - 1; i++)               // loop: private
    for (j = 1; j < m - 1; j++) {           // loop: private
      count = -now[i][j];
      for (y = i - 1; y <= i + 1; y++)      // loop: reduction
        for (x = j - 1; x <= j + 1; x++)    // loop: reduction
          count += now[y][x];               // reduction: +
      next[i][j] = count == 3 || (count == 2 && now[i][j]) ? 1 : 0;
    }
#pragma endscop
}

int main(void) {
  static int now[N][M], next[N][M];
  FILL_INDEX(now, 2);
  kernel(N, M, now, next);
  SHOW_INT(next);
  return 0;
}
