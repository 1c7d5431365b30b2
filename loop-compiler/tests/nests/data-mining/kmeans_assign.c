// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The nearest centre of each point: an argmin inside, private copies outside.
#include "nest.h"

static void kernel(int n, int m, int k_size, DATA_TYPE POLYBENCH_2D(x, N, M, n, m),
                   DATA_TYPE POLYBENCH_2D(centre, K, M, k_size, m), int POLYBENCH_1D(label, N, n)) {
  int i, c, j, best;
  DATA_TYPE distance, smallest;
#pragma scop
  for (i = 0; i < _PB_N; i++) {         // loop: private
    smallest = SCALAR_VAL(1e30);
    best = 0;
    for (c = 0; c < _PB_K; c++) {       // loop: reduction+private
      distance = 0;
      for (j = 0; j < _PB_M; j++)       // loop: reduction
        distance += (x[i][j] - centre[c][j]) * (x[i][j] - centre[c][j]); // reduction: +
      if (distance < smallest) {
        smallest = distance;            // reduction: argmin
        best = c;                       // reduction: argmin
      }
    }
    label[i] = best;
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE x[N][M], centre[K][M];
  static int label[N];
  FILL(x); FILL(centre);
  kernel(N, M, K, x, centre, label);
  SHOW_INT(label);
  return 0;
}
