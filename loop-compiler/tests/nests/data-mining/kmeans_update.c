// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Sums and counts of each cluster through the labels, then the new centres.
#include "nest.h"

static void kernel(int n, int m, int k_size, DATA_TYPE POLYBENCH_2D(x, N, M, n, m),
                   DATA_TYPE POLYBENCH_2D(centre, K, M, k_size, m), int POLYBENCH_1D(count, K, k_size),
                   int POLYBENCH_1D(label, N, n)) {
  int i, c, j;
#pragma scop
  for (c = 0; c < _PB_K; c++) {         // loop: parallel
    count[c] = 0;
    for (j = 0; j < _PB_M; j++)         // loop: parallel
      centre[c][j] = 0;
  }
  for (i = 0; i < _PB_N; i++) {         // loop: reduction
    count[label[i]] += 1;               // reduction: +
    for (j = 0; j < _PB_M; j++)         // loop: parallel
      centre[label[i]][j] += x[i][j];   // reduction: +
  }
  for (c = 0; c < _PB_K; c++)           // loop: parallel
    for (j = 0; j < _PB_M; j++)         // loop: parallel
      if (count[c] > 0)
        centre[c][j] /= count[c];
#pragma endscop
}

int main(void) {
  static DATA_TYPE x[N][M], centre[K][M];
  static int label[N], count[K];
  FILL(x); FILL_INDEX(label, K);
  kernel(N, M, K, x, centre, count, label);
  SHOW(centre); SHOW_INT(count);
  return 0;
}
