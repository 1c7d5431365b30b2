// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The neighbour of the target is never the target of the same instance, so this is a reduction; yet another
// iteration writes the neighbour, so the loop stays in order.
#include "nest.h"

static void kernel(int n, double A[3]) {
#pragma scop
  for (int i = 0; i < n; i++)           // loop: sequential
    A[i % 2] = A[i % 2] + A[i % 2 + 1]; // reduction: +
#pragma endscop
}

int main(void) {
  static double A[3];
  FILL_F64(A);
  kernel(N, A);
  SHOW_F64(A);
  return 0;
}
