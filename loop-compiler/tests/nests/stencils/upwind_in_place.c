// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// An upwind step in place: each point needs the new value of the one before.
#include "nest.h"

static void kernel(int tsteps, int n, DATA_TYPE POLYBENCH_1D(u, N, n)) {
  int t, i;
#pragma scop
  for (t = 0; t < _PB_TSTEPS; t++)  // loop: sequential
    for (i = 1; i < _PB_N; i++)     // loop: sequential
      u[i] = 0.5 * u[i] + 0.5 * u[i - 1];
#pragma endscop
}

int main(void) {
  static DATA_TYPE u[N];
  FILL(u);
  kernel(TSTEPS, N, POLYBENCH_ARRAY(u));
  SHOW(u);
  return 0;
}
