// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The first four moments about a given centre in one pass.
#include "nest.h"

static void kernel(int n, DATA_TYPE centre, DATA_TYPE POLYBENCH_1D(x, N, n), DATA_TYPE POLYBENCH_1D(m, 4, 4)) {
  int i;
#pragma scop
  m[0] = 0;
  m[1] = 0;
  m[2] = 0;
  m[3] = 0;
  for (i = 0; i < _PB_N; i++) {   // loop: reduction
    DATA_TYPE d = x[i] - centre;
    m[0] += d;                    // reduction: +
    m[1] += d * d;                // reduction: +
    m[2] += d * d * d;            // reduction: +
    m[3] += d * d * d * d;        // reduction: +
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE x[N], m[4];
  FILL(x);
  kernel(N, SCALAR_VAL(0.25), POLYBENCH_ARRAY(x), POLYBENCH_ARRAY(m));
  SHOW(m);
  return 0;
}
