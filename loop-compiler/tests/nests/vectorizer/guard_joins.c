// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Here the second branch reads what the first has written.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(a, N, n), DATA_TYPE POLYBENCH_1D(b, N, n)) {
#pragma scop
  for (int i = 0; i < _PB_N; i++) // loop: sequential
    if (i < _PB_N / 2)
      a[i] = b[i] + 1;
    else
      a[i] = a[i - _PB_N / 2] * b[i];
#pragma endscop
}

int main(void) {
  static DATA_TYPE a[N], b[N];
  FILL(a); FILL(b);
  kernel(N, POLYBENCH_ARRAY(a), POLYBENCH_ARRAY(b));
  SHOW(a);
  return 0;
}
