// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A sum under a guard that depends on data, and one under `?:`.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(a, N, n), DATA_TYPE POLYBENCH_1D(out, 2, 2)) {
  DATA_TYPE positive = 0;
  DATA_TYPE clipped = 0;
#pragma scop
  for (int i = 0; i < _PB_N; i++) {     // loop: reduction
    if (a[i] > 0)
      positive += a[i];                 // reduction: +
    clipped += a[i] > 0.5 ? 0.5 : a[i]; // reduction: +
  }
#pragma endscop
  out[0] = positive, out[1] = clipped;
}

int main(void) {
  static DATA_TYPE a[N], out[2];
  FILL(a);
  kernel(N, POLYBENCH_ARRAY(a), POLYBENCH_ARRAY(out));
  SHOW(out);
  return 0;
}
