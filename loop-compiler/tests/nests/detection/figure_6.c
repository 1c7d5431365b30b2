// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The sixth figure of Polly's article, with j - i kept in bounds: no update of a cell by itself.
#include "nest.h"

static void kernel(int n, int m, double A[m], const double Mat[n][m]) {
#pragma scop
  for (int i = 0; i < n; i++)     // loop: sequential
    for (int j = i; j < m; j++)   // loop: sequential
      A[j] = A[j - i] + Mat[i][j]; // no reduction: subscripts
#pragma endscop
}

int main(void) {
  static double A[M], Mat[N][M];
  FILL_F64(A); FILL_F64(Mat);
  kernel(N, M, A, Mat);
  SHOW_F64(A);
  return 0;
}
