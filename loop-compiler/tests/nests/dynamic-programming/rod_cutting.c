// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The best price of a rod of each length.
#include "nest.h"

static void kernel(int n, int POLYBENCH_1D(price, N + 1, n + 1), int POLYBENCH_1D(best, N + 1, n + 1)) {
  int len, cut;
#pragma scop
  best[0] = 0;
  for (len = 1; len <= _PB_N; len++) {      // loop: sequential
    best[len] = price[len];
    for (cut = 1; cut < len; cut++)         // loop: reduction
      if (best[len] < price[cut] + best[len - cut])
        best[len] = price[cut] + best[len - cut]; // reduction: max
  }
#pragma endscop
}

int main(void) {
  static int price[N + 1], best[N + 1];
  FILL_INDEX(price, 100);
  kernel(N, price, best);
  SHOW_INT(best);
  return 0;
}
