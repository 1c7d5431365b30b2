// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A sum unrolled by four by hand: four statements, one target; a remainder loop follows.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(a, N, n), DATA_TYPE *out) {
  DATA_TYPE s = 0;
  int i;
#pragma scop
  for (i = 0; i < _PB_N / 4; i++) {           // loop: reduction
    s += a[4 * i];                            // reduction: +
    s += a[4 * i + 1];                        // reduction: +
    s += a[4 * i + 2];                        // reduction: +
    s += a[4 * i + 3];                        // reduction: +
  }
  for (i = _PB_N / 4 * 4; i < _PB_N; i++)     // loop: reduction
    s += a[i];                                // reduction: +
#pragma endscop
  *out = s;
}

int main(void) {
  static DATA_TYPE a[N], out;
  FILL(a);
  kernel(N, POLYBENCH_ARRAY(a), &out);
  SHOW(out);
  return 0;
}
