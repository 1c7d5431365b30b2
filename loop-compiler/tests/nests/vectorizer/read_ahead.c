// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Each element reads the next one's old value: vectors may do it, threads may not.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(a, N, n), DATA_TYPE POLYBENCH_1D(b, N, n)) {
#pragma scop
  for (int i = 0; i < _PB_N - 1; i++) // loop: sequential
    a[i] = a[i + 1] * b[i];
#pragma endscop
}

int main(void) {
  static DATA_TYPE a[N], b[N];
  FILL(a); FILL(b);
  kernel(N, POLYBENCH_ARRAY(a), POLYBENCH_ARRAY(b));
  SHOW(a);
  return 0;
}
