// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A sum of logarithms and the product of probabilities beside it.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(p, N, n), DATA_TYPE POLYBENCH_1D(out, 2, 2)) {
  int i;
#pragma scop
  out[0] = 0;
  out[1] = 1;
  for (i = 0; i < _PB_N; i++) { // loop: reduction
    out[0] += log(p[i]);        // reduction: +
    out[1] *= p[i];             // reduction: *
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE p[N], out[2];
  FILL_POSITIVE(p);
  kernel(N, POLYBENCH_ARRAY(p), POLYBENCH_ARRAY(out));
  SHOW(out);
  return 0;
}
