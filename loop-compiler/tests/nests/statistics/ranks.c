// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Ranks by comparison of all pairs, with ties broken by position.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(x, N, n), int POLYBENCH_1D(rank, N, n)) {
  int i, j;
#pragma scop
  for (i = 0; i < _PB_N; i++) {   // loop: parallel
    rank[i] = 0;
    for (j = 0; j < _PB_N; j++)   // loop: reduction
      if (x[j] < x[i] || (x[j] == x[i] && j < i))
        rank[i]++;                // reduction: +
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE x[N];
  static int rank[N];
  FILL(x);
  kernel(N, x, rank);
  SHOW_INT(rank);
  return 0;
}
