// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The widest of the narrowest: a maximum of minima over the middle node.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_2D(a, N, N, n, n), DATA_TYPE POLYBENCH_2D(wide, N, N, n, n)) {
  int i, j, k;
  DATA_TYPE narrow;
#pragma scop
  for (i = 0; i < _PB_N; i++)           // loop: private
    for (j = 0; j < _PB_N; j++) {       // loop: private
      wide[i][j] = a[i][j];
      for (k = 0; k < _PB_N; k++) {     // loop: reduction+private
        narrow = a[i][k] < a[k][j] ? a[i][k] : a[k][j];
        wide[i][j] = narrow > wide[i][j] ? narrow : wide[i][j]; // reduction: max
      }
    }
#pragma endscop
}

int main(void) {
  static DATA_TYPE a[N][N], wide[N][N];
  FILL(a);
  kernel(N, POLYBENCH_ARRAY(a), POLYBENCH_ARRAY(wide));
  SHOW(wide);
  return 0;
}
