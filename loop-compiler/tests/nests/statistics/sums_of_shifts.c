// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Sums of a window of the size of the output, and of the whole array for each output.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(a, 2 * N, 2 * n), DATA_TYPE POLYBENCH_1D(shifted, N, n),
                   DATA_TYPE POLYBENCH_1D(whole, N, n)) {
  int i, j;
#pragma scop
  for (i = 0; i < _PB_N; i++) {       // loop: parallel
    shifted[i] = 0;
    whole[i] = 0;
    for (j = 0; j < _PB_N; j++) {     // loop: reduction
      shifted[i] += a[i + j];         // reduction: +
      whole[i] += a[j];               // reduction: +
    }
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE a[2 * N], shifted[N], whole[N];
  FILL(a);
  kernel(N, POLYBENCH_ARRAY(a), POLYBENCH_ARRAY(shifted), POLYBENCH_ARRAY(whole));
  SHOW(shifted); SHOW(whole);
  return 0;
}
