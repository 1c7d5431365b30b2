// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Two arrays in turn, three points.
#include "nest.h"

static void kernel(int tsteps, int n, DATA_TYPE POLYBENCH_1D(A, N, n), DATA_TYPE POLYBENCH_1D(B, N, n)) {
  int t, i;
#pragma scop
  for (t = 0; t < _PB_TSTEPS; t++) {    // loop: sequential
    for (i = 1; i < _PB_N - 1; i++)     // loop: parallel
      B[i] = 0.33333 * (A[i - 1] + A[i] + A[i + 1]);
    for (i = 1; i < _PB_N - 1; i++)     // loop: parallel
      A[i] = 0.33333 * (B[i - 1] + B[i] + B[i + 1]);
  }
#pragma endscop
}

int main(void) {
  POLYBENCH_1D_ARRAY_DECL(A, DATA_TYPE, N, n);
  POLYBENCH_1D_ARRAY_DECL(B, DATA_TYPE, N, n);
  FILL(A); FILL(B);
  kernel(TSTEPS, N, POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(B));
  SHOW(A); SHOW(B);
  return 0;
}
