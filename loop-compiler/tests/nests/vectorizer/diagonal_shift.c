// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A shift along the diagonal: the outer loop carries it, the inner one does not.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_2D(a, N, N, n, n), DATA_TYPE POLYBENCH_2D(b, N, N, n, n)) {
#pragma scop
  for (int i = 1; i < _PB_N; i++)   // loop: sequential
    for (int j = 1; j < _PB_N; j++) // loop: parallel
      a[i][j] = a[i - 1][j - 1] * b[i][j];
#pragma endscop
}

int main(void) {
  static DATA_TYPE a[N][N], b[N][N];
  FILL(a); FILL(b);
  kernel(N, POLYBENCH_ARRAY(a), POLYBENCH_ARRAY(b));
  SHOW(a);
  return 0;
}
