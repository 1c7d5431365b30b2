// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A pointer to rows.
#include "nest.h"

static void kernel(int n, double (*a)[M], double *sum) {
#pragma scop
  for (int i = 0; i < n; i++)     // loop: reduction
    for (int j = 0; j < M; j++)   // loop: parallel
      sum[j] += a[i][j];          // reduction: +
#pragma endscop
}

int main(void) {
  static double a[N][M], sum[M];
  FILL_F64(a);
  kernel(N, a, sum);
  SHOW_F64(sum);
  return 0;
}
