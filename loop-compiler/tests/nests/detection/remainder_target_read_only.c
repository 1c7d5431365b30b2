// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The same with a neighbour that no iteration writes: the loop carries the reduction and nothing else.
#include "nest.h"

static void kernel(int n, double A[4]) {
#pragma scop
  for (int i = 0; i < n; i++)           // loop: reduction
    A[i % 2] = A[i % 2] + A[i % 2 + 2]; // reduction: +
#pragma endscop
}

int main(void) {
  static double A[4];
  FILL_F64(A);
  kernel(N, A);
  SHOW_F64(A);
  return 0;
}
