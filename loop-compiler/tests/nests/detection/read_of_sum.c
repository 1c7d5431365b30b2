// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The ninth test of Polly's article here: the use must stay behind the sum of its own iteration.
#include "nest.h"

static void kernel(int n, const double A[n], double *out) {
  double q = 0;
  double use = 0;
#pragma scop
  for (int j = 0; j < n; j++) { // loop: scan
    q += A[j];                  // reduction: +
    use = q;
  }
#pragma endscop
  out[0] = q, out[1] = use;
}

int main(void) {
  static double A[N], out[2];
  FILL_F64(A);
  kernel(N, A, out);
  SHOW_F64(out);
  return 0;
}
