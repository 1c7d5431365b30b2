// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The cheapest order of products of a chain: by length, all intervals of a length at once.
#include "nest.h"

static void kernel(int n, int POLYBENCH_1D(size, N + 1, n + 1), int POLYBENCH_2D(cost, N, N, n, n)) {
  int len, i, k;
#pragma scop
  for (i = 0; i < _PB_N; i++)                   // loop: parallel
    cost[i][i] = 0;
  for (len = 1; len < _PB_N; len++)             // loop: sequential
    for (i = 0; i < _PB_N - len; i++) {         // loop: parallel
      cost[i][i + len] = INT_MAX;
      for (k = i; k < i + len; k++)             // loop: reduction
        if (cost[i][k] + cost[k + 1][i + len] + size[i] * size[k + 1] * size[i + len + 1] < cost[i][i + len])
          cost[i][i + len] = cost[i][k] + cost[k + 1][i + len] + size[i] * size[k + 1] * size[i + len + 1]; // reduction: min
    }
#pragma endscop
}

int main(void) {
  static int size[N + 1], cost[N][N];
  FILL_INDEX(size, 9);
  kernel(N, size, cost);
  SHOW_INT(cost);
  return 0;
}
