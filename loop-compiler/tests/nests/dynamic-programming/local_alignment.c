// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Local alignment: the table is sequential, its largest entry is a maximum with two indices all the same.
#include "nest.h"

static void kernel(int n, int m, int a[n], int b[m], int h[n + 1][m + 1], int out[3]) {
  int best = 0, row = 0, column = 0;
#pragma scop
  for (int i = 1; i <= n; i++)        // loop: sequential
    for (int j = 1; j <= m; j++) {    // loop: sequential
      int score = h[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 2 : -1);
      if (h[i - 1][j] - 1 > score)
        score = h[i - 1][j] - 1;
      if (h[i][j - 1] - 1 > score)
        score = h[i][j - 1] - 1;
      h[i][j] = score > 0 ? score : 0;
      if (h[i][j] > best) {
        best = h[i][j];               // reduction: argmax
        row = i;                      // reduction: argmax
        column = j;                   // reduction: argmax
      }
    }
#pragma endscop
  out[0] = best, out[1] = row, out[2] = column;
}

int main(void) {
  static int a[N], b[M], h[N + 1][M + 1], out[3];
  FILL_INDEX(a, 3); FILL_INDEX(b, 3);
  kernel(N, M, a, b, h, out);
  SHOW_INT(h); SHOW_INT(out);
  return 0;
}
