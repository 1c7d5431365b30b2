// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A copy that ends at the first negative element: no search, the break decides what is stored.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(a, N, n), DATA_TYPE POLYBENCH_1D(b, N, n)) {
#pragma scop
  for (int i = 0; i < _PB_N; i++) { // loop: sequential
    if (a[i] < -0.75)
      break;
    b[i] = a[i] * 2;
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE a[N], b[N];
  FILL(a);
  kernel(N, POLYBENCH_ARRAY(a), POLYBENCH_ARRAY(b));
  SHOW(b);
  return 0;
}
