// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A product of all elements.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(a, N, n), DATA_TYPE *out) {
  DATA_TYPE p = 1;
#pragma scop
  for (int i = 0; i < _PB_N; i++) // loop: reduction
    p *= a[i];                    // reduction: *
#pragma endscop
  *out = p;
}

int main(void) {
  static DATA_TYPE a[N], out;
  FILL_POSITIVE(a);
  kernel(N, POLYBENCH_ARRAY(a), &out);
  SHOW(out);
  return 0;
}
