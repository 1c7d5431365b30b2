// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The edit distance, with a minimum of three.
#include "nest.h"

#define MIN(a, b) ((a) < (b) ? (a) : (b))
static void kernel(int n, int m, int a[n], int b[m], int d[n + 1][m + 1]) {
#pragma scop
  for (int i = 0; i <= n; i++)      // loop: parallel
    d[i][0] = i;
  for (int j = 1; j <= m; j++)      // loop: parallel
    d[0][j] = j;
  for (int i = 1; i <= n; i++)      // loop: sequential
    for (int j = 1; j <= m; j++)    // loop: sequential
      d[i][j] = MIN(MIN(d[i - 1][j] + 1, d[i][j - 1] + 1), d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
#pragma endscop
}

int main(void) {
  static int a[N], b[M], d[N + 1][M + 1];
  FILL_INDEX(a, 4); FILL_INDEX(b, 4);
  kernel(N, M, a, b, d);
  SHOW_INT(d);
  return 0;
}
