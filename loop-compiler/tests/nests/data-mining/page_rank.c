// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Ranks collected from the pages that link to each page, and the total change of a step.
#include "nest.h"

static void kernel(int tsteps, int n, DATA_TYPE POLYBENCH_2D(link, N, N, n, n), DATA_TYPE POLYBENCH_1D(rank, N, n),
                   DATA_TYPE POLYBENCH_1D(next, N, n), DATA_TYPE POLYBENCH_1D(change, TSTEPS, tsteps)) {
  int t, i, j;
#pragma scop
  for (t = 0; t < _PB_TSTEPS; t++) {    // loop: sequential
    change[t] = 0;
    for (i = 0; i < _PB_N; i++) {       // loop: parallel
      next[i] = SCALAR_VAL(0.15);
      for (j = 0; j < _PB_N; j++)       // loop: reduction
        next[i] += SCALAR_VAL(0.85) * link[j][i] * rank[j]; // reduction: +
    }
    for (i = 0; i < _PB_N; i++) {       // loop: reduction
      change[t] += fabs(next[i] - rank[i]); // reduction: +
      rank[i] = next[i];
    }
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE link[N][N], rank[N], next[N], change[TSTEPS];
  FILL(link); FILL(rank);
  kernel(TSTEPS, N, link, rank, next, change);
  SHOW(rank); SHOW(change);
  return 0;
}
