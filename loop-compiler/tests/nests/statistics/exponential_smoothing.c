// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// s = alpha x + (1 - alpha) s: a linear recurrence, no reduction.
#include "nest.h"

static void kernel(int n, DATA_TYPE alpha, DATA_TYPE POLYBENCH_1D(x, N, n), DATA_TYPE POLYBENCH_1D(out, N, n)) {
  int i;
  DATA_TYPE s = 0;
#pragma scop
  for (i = 0; i < _PB_N; i++) {           // loop: scan
    s = alpha * x[i] + (1 - alpha) * s;   // no reduction: recurrence
    out[i] = s;
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE x[N], out[N];
  FILL(x);
  kernel(N, SCALAR_VAL(0.25), POLYBENCH_ARRAY(x), POLYBENCH_ARRAY(out));
  SHOW(out);
  return 0;
}
