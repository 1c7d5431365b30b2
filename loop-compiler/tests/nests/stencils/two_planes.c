// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Time steps between the planes t % 2 and (t + 1) % 2.
#include "nest.h"

static void kernel(int tsteps, int n, double A[2][n]) {
#pragma scop
  for (int t = 0; t < tsteps; t++)        // loop: sequential
    for (int i = 1; i < n - 1; i++)       // loop: parallel
      A[(t + 1) % 2][i] = 0.5 * A[t % 2][i] + 0.25 * (A[t % 2][i - 1] + A[t % 2][i + 1]);
#pragma endscop
}

int main(void) {
  static double A[2][N];
  FILL_F64(A);
  kernel(TSTEPS, N, A);
  SHOW_F64(A);
  return 0;
}
