// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The sum of squared errors through a temporary that is declared outside.
#include "nest.h"

static void kernel(int n, DATA_TYPE slope, DATA_TYPE POLYBENCH_1D(x, N, n), DATA_TYPE POLYBENCH_1D(y, N, n),
                   DATA_TYPE *out) {
  int i;
  DATA_TYPE error, s = 0;
#pragma scop
  for (i = 0; i < _PB_N; i++) { // loop: reduction+private
    error = y[i] - slope * x[i];
    s += error * error;         // reduction: +
  }
#pragma endscop
  *out = s;
}

int main(void) {
  static DATA_TYPE x[N], y[N], out;
  FILL(x); FILL(y);
  kernel(N, SCALAR_VAL(0.75), POLYBENCH_ARRAY(x), POLYBENCH_ARRAY(y), &out);
  SHOW(out);
  return 0;
}
