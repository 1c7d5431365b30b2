// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The mean of an array.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(x, N, n), DATA_TYPE POLYBENCH_1D(out, 1, 1)) {
  int i;
  DATA_TYPE sum = 0;
#pragma scop
  for (i = 0; i < _PB_N; i++) // loop: reduction
    sum += x[i];              // reduction: +
  out[0] = sum / _PB_N;
#pragma endscop
}

int main(void) {
  static DATA_TYPE x[N], out[1];
  FILL(x);
  kernel(N, POLYBENCH_ARRAY(x), POLYBENCH_ARRAY(out));
  SHOW(out);
  return 0;
}
