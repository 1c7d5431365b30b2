// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The most probable class of each record: sums of logarithms and an argmax over the classes.
#include "nest.h"

static void kernel(int n, int m, DATA_TYPE POLYBENCH_2D(x, N, M, n, m), DATA_TYPE POLYBENCH_2D(w, L, M, L, m),
                   int POLYBENCH_1D(best, N, n)) {
#pragma scop
  for (int i = 0; i < _PB_N; i++) {     // loop: parallel
    DATA_TYPE top = -1e30;
    int where = 0;
    for (int c = 0; c < L; c++) {       // loop: reduction
      DATA_TYPE score = 0;
      for (int j = 0; j < _PB_M; j++)   // loop: reduction
        score += x[i][j] * w[c][j];     // reduction: +
      if (score > top) {
        top = score;                    // reduction: argmax
        where = c;                      // reduction: argmax
      }
    }
    best[i] = where;
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE x[N][M], w[L][M];
  static int best[N];
  FILL(x); FILL(w);
  kernel(N, M, x, w, best);
  SHOW_INT(best);
  return 0;
}
