// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The same with a vector of parameters: the loop over the parameters is parallel.
#include "nest.h"

static void kernel(int tsteps, int n, DATA_TYPE alpha, DATA_TYPE beta, DATA_TYPE POLYBENCH_1D(target, N, n),
                   DATA_TYPE POLYBENCH_1D(v, N, n), DATA_TYPE POLYBENCH_1D(theta, N, n)) {
  int t, i;
#pragma scop
  for (t = 0; t < _PB_TSTEPS; t++)    // loop: sequential
    for (i = 0; i < _PB_N; i++) {     // loop: parallel
      DATA_TYPE g = theta[i] - target[i];
      v[i] = beta * v[i] + (1 - beta) * g; // no reduction: recurrence
      theta[i] -= alpha * v[i];            // reduction: +
    }
#pragma endscop
}

int main(void) {
  static DATA_TYPE target[N], v[N], theta[N];
  FILL(target); FILL(theta);
  kernel(TSTEPS, N, SCALAR_VAL(0.125), SCALAR_VAL(0.75), target, v, theta);
  SHOW(theta); SHOW(v);
  return 0;
}
