// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The first figure of Polly's article: the sum of an array of 4 N elements.
#include "nest.h"

static void kernel(int n, double *A, double *out) {
  int i;
  double sum = 0;
#pragma scop
  for (i = 0; i < 4 * n; i++) // loop: reduction
    sum += A[i];              // reduction: +
#pragma endscop
  *out = sum;
}

int main(void) {
  static double A[4 * N], out;
  FILL_F64(A);
  kernel(N, A, &out);
  SHOW_F64(out);
  return 0;
}
