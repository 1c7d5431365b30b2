// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Counts of feature values by class: a target with two indirect subscripts and one that is the iterator.
#include "nest.h"

static void kernel(int n, int m, int POLYBENCH_2D(value, N, M, n, m), int POLYBENCH_1D(class, N, n),
                   int POLYBENCH_3D(count, 4, M, L, 4, m, L), int POLYBENCH_1D(prior, 4, 4)) {
  int i, j;
#pragma scop
  for (i = 0; i < _PB_N; i++) {     // loop: reduction
    prior[class[i]]++;              // reduction: +
    for (j = 0; j < _PB_M; j++)     // loop: parallel
      count[class[i]][j][value[i][j]]++; // reduction: +
  }
#pragma endscop
}

int main(void) {
  static int value[N][M], class[N], count[4][M][L], prior[4];
  FILL_INDEX(value, L); FILL_INDEX(class, 4);
  kernel(N, M, value, class, count, prior);
  SHOW_INT(count); SHOW_INT(prior);
  return 0;
}
