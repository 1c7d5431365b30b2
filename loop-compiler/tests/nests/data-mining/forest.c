// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Predictions of trees summed for a batch, batch and trees each cut in two: only the loops over trees carry the sum.
#include "nest.h"

static void kernel(int n, int m, DATA_TYPE POLYBENCH_2D(vote, 2 * M, 2 * N, 2 * m, 2 * n),
                   DATA_TYPE POLYBENCH_1D(result, 2 * N, 2 * n)) {
#pragma scop
  for (int i0 = 0; i0 < 2 * N; i0 += N)         // loop: parallel
    for (int t0 = 0; t0 < 2 * M; t0 += M)       // loop: reduction
      for (int t1 = 0; t1 < M;     t1++)        // loop: reduction
        for (int i1 = 0; i1 < N;     i1++)      // loop: parallel
          result[i0 + i1] += vote[t0 + t1][i0 + i1]; // reduction: +
#pragma endscop
}

int main(void) {
  static DATA_TYPE vote[2 * M][2 * N], result[2 * N];
  FILL(vote);
  kernel(N, M, POLYBENCH_ARRAY(vote), POLYBENCH_ARRAY(result));
  SHOW(result);
  return 0;
}
