// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A loop that counts down, of a recurrence that runs up: what it reads is still the old value.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(a, N, n)) {
#pragma scop
  for (int i = _PB_N - 1; i > 0; i--) // loop: sequential
    a[i] = a[i - 1] + 1;
#pragma endscop
}

int main(void) {
  static DATA_TYPE a[N];
  FILL(a);
  kernel(N, POLYBENCH_ARRAY(a));
  SHOW(a);
  return 0;
}
