// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// How many transactions contain both of two items, for each pair.
#include "nest.h"

static void kernel(int n, int m, int POLYBENCH_2D(has, N, M, n, m), int POLYBENCH_2D(support, M, M, m, m)) {
  int t, a, b;
#pragma scop
  for (t = 0; t < _PB_N; t++)           // loop: reduction
    for (a = 0; a < _PB_M; a++)         // loop: parallel
      for (b = a; b < _PB_M; b++)       // loop: parallel
        if (has[t][a] && has[t][b])
          support[a][b]++;              // reduction: +
#pragma endscop
}

int main(void) {
  static int has[N][M], support[M][M];
  FILL_INDEX(has, 2);
  kernel(N, M, has, support);
  SHOW_INT(support);
  return 0;
}
