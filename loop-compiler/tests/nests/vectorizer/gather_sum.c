// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A scalar product with one indirect factor: a row of a sparse matrix.
#include "nest.h"

static void kernel(int n, int POLYBENCH_1D(ix, N, n), DATA_TYPE POLYBENCH_1D(a, N, n), DATA_TYPE POLYBENCH_1D(b, M, M),
                   DATA_TYPE *out) {
  DATA_TYPE s = 0;
#pragma scop
  for (int i = 0; i < _PB_N; i++) // loop: reduction
    s += a[i] * b[ix[i]];         // reduction: +
#pragma endscop
  *out = s;
}

int main(void) {
  static int ix[N];
  static DATA_TYPE a[N], b[M], out;
  FILL_INDEX(ix, M); FILL(a); FILL(b);
  kernel(N, ix, a, b, &out);
  SHOW(out);
  return 0;
}
