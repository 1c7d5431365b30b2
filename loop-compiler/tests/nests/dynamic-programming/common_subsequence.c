// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The longest common subsequence of two texts.
#include "nest.h"

static void kernel(int n, int m, int POLYBENCH_1D(a, N, n), int POLYBENCH_1D(b, M, m),
                   int POLYBENCH_2D(len, N + 1, M + 1, n + 1, m + 1)) {
  int i, j;
#pragma scop
  for (i = 1; i <= _PB_N; i++)      // loop: sequential
    for (j = 1; j <= _PB_M; j++)    // loop: sequential
      if (a[i - 1] == b[j - 1])
        len[i][j] = len[i - 1][j - 1] + 1;
      else
        len[i][j] = len[i - 1][j] > len[i][j - 1] ? len[i - 1][j] : len[i][j - 1];
#pragma endscop
}

int main(void) {
  static int a[N], b[M], len[N + 1][M + 1];
  FILL_INDEX(a, 4); FILL_INDEX(b, 4);
  kernel(N, M, a, b, len);
  SHOW_INT(len);
  return 0;
}
