// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The second figure of Polly's article on reductions, as it stands there: only q is set to zero.
#include "nest.h"

static void kernel(int NX, int NY, double A[NX][NY], double s[restrict NY], double q[restrict NX], double p[NY],
                   double r[NX]) {
  int i, j;
#pragma scop
  for (i = 0; i < NX; i++) {   // loop: reduction
    q[i] = 0;
    for (j = 0; j < NY; j++) { // loop: reduction
      q[i] = q[i] + A[i][j] * p[j]; // reduction: +
      s[j] = s[j] + r[i] * A[i][j]; // reduction: +
    }
  }
#pragma endscop
}

int main(void) {
  static double A[N][M], s[M], q[N], p[M], r[N];
  FILL_F64(A); FILL_F64(p); FILL_F64(r); FILL_F64(s);
  kernel(N, M, A, s, q, p, r);
  SHOW_F64(s); SHOW_F64(q);
  return 0;
}
