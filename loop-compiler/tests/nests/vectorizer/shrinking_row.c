// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A scratch row whose written part shrinks: the last iteration does not write all that was written.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_2D(a, N, N, n, n), DATA_TYPE POLYBENCH_1D(row, N, n)) {
  int i, j;
#pragma scop
  for (i = 0; i < _PB_N; i++) {           // loop: sequential
    for (j = i; j < _PB_N; j++)           // loop: parallel
      row[j] = a[i][j] * 2;
    for (j = i; j < _PB_N; j++)           // loop: parallel
      a[i][j] = row[j] + row[i];
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
