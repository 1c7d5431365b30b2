// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The longest rising subsequence that ends at each place.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(x, N, n), int POLYBENCH_1D(len, N, n)) {
  int i, j;
#pragma scop
  for (i = 0; i < _PB_N; i++) {       // loop: sequential
    len[i] = 1;
    for (j = 0; j < i; j++)           // loop: reduction
      if (x[j] < x[i])
        len[i] = len[i] > len[j] + 1 ? len[i] : len[j] + 1; // reduction: max
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE x[N];
  static int len[N];
  FILL(x);
  kernel(N, x, len);
  SHOW_INT(len);
  return 0;
}
