// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A sum over two halves: the loop over the halves and the loop in a half both carry it.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(a, 2 * N, 2 * n), DATA_TYPE *out) {
  DATA_TYPE s = 5;
#pragma scop
  for (int i = 0; i < 2 * N; i += N)  // loop: reduction
    for (int j = 0; j < _PB_N; j++)   // loop: reduction
      s += a[i + j];                  // reduction: +
#pragma endscop
  *out = s;
}

int main(void) {
  static DATA_TYPE a[2 * N], out;
  FILL(a);
  kernel(N, POLYBENCH_ARRAY(a), &out);
  SHOW(out);
  return 0;
}
