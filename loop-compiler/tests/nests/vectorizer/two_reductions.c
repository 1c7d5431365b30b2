// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A sum and a product with the same target: neither is a reduction as the loop stands, for they do not commute.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(a, N, n), DATA_TYPE *out) {
  DATA_TYPE s = 1;
#pragma scop
  for (int i = 0; i < _PB_N; i++) { // loop: sequential
    s += a[i];                      // reduction: +
    s *= SCALAR_VAL(0.5);           // reduction: *
  }
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
