// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Reversal in place: the second half reads what the first half wrote.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(a, N, n)) {
#pragma scop
  for (int i = 0; i < _PB_N; i++) // loop: sequential
    a[i] = a[_PB_N - 1 - i];
#pragma endscop
}

int main(void) {
  static DATA_TYPE a[N];
  FILL(a);
  kernel(N, POLYBENCH_ARRAY(a));
  SHOW(a);
  return 0;
}
