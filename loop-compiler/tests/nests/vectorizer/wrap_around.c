// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Neighbours in a ring, by a remainder.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(a, N, n), DATA_TYPE POLYBENCH_1D(b, N, n)) {
#pragma scop
  for (int i = 0; i < N; i++) // loop: parallel
    b[i] = a[i] + a[(i + 1) % N];
#pragma endscop
}

int main(void) {
  static DATA_TYPE a[N], b[N];
  FILL(a);
  kernel(N, POLYBENCH_ARRAY(a), POLYBENCH_ARRAY(b));
  SHOW(b);
  return 0;
}
