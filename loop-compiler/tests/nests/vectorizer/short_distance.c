// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Two chains, each two elements further: the loop of two iterations is parallel, the loop around it a scan of each.
// (First expected to be sequential: the distance is one iteration, of which the chains are made.)
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(a, 2 * N + 2, 2 * n + 2)) {
#pragma scop
  for (int i = 0; i < _PB_N; i++) // loop: scan
    for (int j = 0; j < 2; j++)   // loop: parallel
      a[2 * i + j + 2] = a[2 * i + j] + 1;
#pragma endscop
}

int main(void) {
  static DATA_TYPE a[2 * N + 2];
  FILL(a);
  kernel(N, POLYBENCH_ARRAY(a));
  SHOW(a);
  return 0;
}
