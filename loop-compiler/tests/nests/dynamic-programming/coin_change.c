// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Ways to pay a sum with coins of 1 to N: each coin adds to all sums, from what it has added before.
#include "nest.h"

static void kernel(int n, int m, unsigned POLYBENCH_1D(ways, M + 1, m + 1)) {
  int coin, s;
#pragma scop
  for (coin = 1; coin <= _PB_N; coin++)     // loop: sequential
    for (s = coin; s <= _PB_M; s++)         // loop: sequential
      ways[s] += ways[s - coin];            // reduction: +
#pragma endscop
}

int main(void) {
  static unsigned ways[M + 1] = {1};
  kernel(N, M, ways);
  SHOW_UINT(ways);
  return 0;
}
