// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Two sums, whose quotient is the result; declared in the region.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(x, N, n), DATA_TYPE POLYBENCH_1D(w, N, n),
                   DATA_TYPE POLYBENCH_1D(out, 1, 1)) {
#pragma scop
  DATA_TYPE sum = 0;
  DATA_TYPE weight = 0;
  for (int i = 0; i < _PB_N; i++) { // loop: reduction
    sum += w[i] * x[i];             // reduction: +
    weight += w[i];                 // reduction: +
  }
  out[0] = sum / weight;
#pragma endscop
}

int main(void) {
  static DATA_TYPE x[N], w[N], out[1];
  FILL(x); FILL_POSITIVE(w);
  kernel(N, POLYBENCH_ARRAY(x), POLYBENCH_ARRAY(w), POLYBENCH_ARRAY(out));
  SHOW(out);
  return 0;
}
