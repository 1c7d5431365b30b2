// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A knapsack with items of cost i + 1: a row per item, the loop over capacities parallel.
#include "nest.h"

static void kernel(int n, int m, int POLYBENCH_1D(value, N, n), int POLYBENCH_2D(best, N + 1, M + 1, n + 1, m + 1)) {
  int i, c;
#pragma scop
  for (i = 0; i < _PB_N; i++)             // loop: sequential
    for (c = 0; c <= _PB_M; c++) {        // loop: parallel
      best[i + 1][c] = best[i][c];
      if (c > i)
        best[i + 1][c] = fmax(best[i + 1][c], best[i][c - i - 1] + value[i]);
    }
#pragma endscop
}

int main(void) {
  static int value[N], best[N + 1][M + 1];
  FILL_INDEX(value, 50);
  kernel(N, M, value, best);
  SHOW_INT(best);
  return 0;
}
