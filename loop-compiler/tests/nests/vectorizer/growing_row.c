// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A scratch row whose written part grows: the last iteration writes everything.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_2D(a, N, N, n, n), DATA_TYPE POLYBENCH_1D(row, N, n)) {
  int i, j;
#pragma scop
  for (i = 0; i < _PB_N; i++) {           // loop: private
    for (j = 0; j <= i; j++)              // loop: parallel
      row[j] = a[i][j] * 2;
    for (j = 0; j <= i; j++)              // loop: parallel
      a[i][j] = row[i] + row[j];
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE a[N][N], row[N];
  FILL(a);
  kernel(N, POLYBENCH_ARRAY(a), POLYBENCH_ARRAY(row));
  SHOW(a); SHOW(row);
  return 0;
}
