// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The best split of each feature: counts on both sides, and the threshold that errs least.
#include "nest.h"

static void kernel(int n, int m, DATA_TYPE POLYBENCH_2D(x, N, M, n, m), int POLYBENCH_1D(y, N, n),
                   int POLYBENCH_1D(split, M, m)) {
  int f, t, i;
#pragma scop
  for (f = 0; f < _PB_M; f++) {                 // loop: parallel
    int least = INT_MAX;
    int where = 0;
    for (t = 0; t < _PB_N; t++) {               // loop: reduction
      int errors = 0;
      for (i = 0; i < _PB_N; i++)               // loop: reduction
        errors += (x[i][f] > x[t][f]) != y[i];  // reduction: +
      if (errors < least) {
        least = errors;                         // reduction: argmin
        where = t;                              // reduction: argmin
      }
    }
    split[f] = where;
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE x[N][M];
  static int y[N], split[M];
  FILL(x); FILL_INDEX(y, 2);
  kernel(N, M, x, y, split);
  SHOW_INT(split);
  return 0;
}
