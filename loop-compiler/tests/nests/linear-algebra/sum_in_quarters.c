// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A sum over halves, quarters and elements.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(a, 4 * N, 4 * n), DATA_TYPE *out) {
  DATA_TYPE s = 0;
#pragma scop
  for (int i = 0; i < 4 * N; i += 2 * N)      // loop: reduction
    for (int j = 0; j < 2 * N; j += N)        // loop: reduction
      for (int k = 0; k < _PB_N; k++)         // loop: reduction
        s += a[i + j + k];                    // reduction: +
#pragma endscop
  *out = s;
}

int main(void) {
  static DATA_TYPE a[4 * N], out;
  FILL(a);
  kernel(N, POLYBENCH_ARRAY(a), &out);
  SHOW(out);
  return 0;
}
