// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A matrix product over pointers to rows, with an element of the first matrix in a variable.
#include "nest.h"

static void kernel(int n, const double *restrict a, const double *restrict b, double *restrict c) {
#pragma scop
  for (int i = 0; i < n; i++) {           // loop: parallel
    double *ci = c + i * n;
    for (int j = 0; j < n; j++)           // loop: parallel
      ci[j] = 0;
    for (int k = 0; k < n; k++) {         // loop: reduction
      const double aik = a[i * n + k];
      const double *bk = b + k * n;
      for (int j = 0; j < n; j++)         // loop: parallel
        ci[j] += aik * bk[j];             // reduction: +
    }
  }
#pragma endscop
}

int main(void) {
  static double a[N * N], b[N * N], c[N * N];
  FILL_F64(a); FILL_F64(b);
  kernel(N, a, b, c);
  SHOW_F64(c);
  return 0;
}
