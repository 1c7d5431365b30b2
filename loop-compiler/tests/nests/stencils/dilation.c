// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The largest value around each point, with the window clipped at the border by maxima and minima in the bounds.
#include "nest.h"

#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
static void kernel(int n, int m, int in[n][m], int out[n][m]) {
#pragma scop
  for (int i = 0; i < n; i++)                                     // loop: parallel
    for (int j = 0; j < m; j++) {                                 // loop: parallel
      out[i][j] = in[i][j];
      for (int y = MAX(i - 1, 0); y <= MIN(i + 1, n - 1); y++)    // loop: reduction
        for (int x = MAX(j - 1, 0); x <= MIN(j + 1, m - 1); x++)  // loop: reduction
          out[i][j] = MAX(out[i][j], in[y][x]);                   // reduction: max
    }
#pragma endscop
}

int main(void) {
  static int in[N][M], out[N][M];
  FILL_INT(in);
  kernel(N, M, in, out);
  SHOW_INT(out);
  return 0;
}
