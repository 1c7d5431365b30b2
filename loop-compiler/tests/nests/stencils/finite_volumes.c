// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Each face takes a flux from one cell and gives it to the next: two statements, one reduction.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(u, N, n), DATA_TYPE POLYBENCH_1D(change, N, n)) {
  int i;
#pragma scop
  for (i = 0; i < _PB_N - 1; i++) {         // loop: reduction
    DATA_TYPE flux = SCALAR_VAL(0.5) * (u[i] - u[i + 1]);
    change[i] -= flux;                      // reduction: +
    change[i + 1] += flux;                  // reduction: +
  }
  for (i = 0; i < _PB_N; i++)               // loop: parallel
    u[i] += change[i];
#pragma endscop
}

int main(void) {
  static DATA_TYPE u[N], change[N];
  FILL(u); FILL(change);
  kernel(N, POLYBENCH_ARRAY(u), POLYBENCH_ARRAY(change));
  SHOW(u); SHOW(change);
  return 0;
}
