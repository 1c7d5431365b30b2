// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The cost of the best search tree of each interval: the weight is a sum, the root a minimum.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(p, N, n), DATA_TYPE POLYBENCH_2D(cost, N + 1, N + 1, n + 1, n + 1)) {
  int len, i, r;
#pragma scop
  for (len = 1; len <= _PB_N; len++)            // loop: sequential
    for (i = 0; i <= _PB_N - len; i++) {        // loop: parallel
      DATA_TYPE weight = 0;
      DATA_TYPE least = DBL_MAX;
      for (r = i; r < i + len; r++) {           // loop: reduction
        weight += p[r];                         // reduction: +
        least = fmin(least, cost[i][r] + cost[r + 1][i + len]); // reduction: fmin
      }
      cost[i][i + len] = weight + least;
    }
#pragma endscop
}

int main(void) {
  static DATA_TYPE p[N], cost[N + 1][N + 1];
  FILL_POSITIVE(p);
  kernel(N, p, cost);
  SHOW(cost);
  return 0;
}
