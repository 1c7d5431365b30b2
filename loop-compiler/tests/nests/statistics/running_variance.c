// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Mean and variance by one-pass updates: the mean is a recurrence, so the loop stays in order.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(x, N, n), DATA_TYPE POLYBENCH_1D(out, 2, 2)) {
  int i;
  DATA_TYPE mean = 0, m2 = 0;
#pragma scop
  for (i = 0; i < _PB_N; i++) {               // loop: sequential
    DATA_TYPE d = x[i] - mean;
    mean = mean + d / (i + 1);                // no reduction: recurrence
    m2 += d * (x[i] - mean);                  // reduction: +
  }
#pragma endscop
  out[0] = mean, out[1] = m2;
}

int main(void) {
  static DATA_TYPE x[N], out[2];
  FILL(x);
  kernel(N, POLYBENCH_ARRAY(x), POLYBENCH_ARRAY(out));
  SHOW(out);
  return 0;
}
