// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A temporary declared outside.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(a, N, n), DATA_TYPE POLYBENCH_1D(b, N, n), DATA_TYPE *last) {
  DATA_TYPE t;
#pragma scop
  for (int i = 0; i < _PB_N; i++) { // loop: private
    t = a[i] + b[i];
    a[i] = t * t;
  }
#pragma endscop
  *last = t;
}

int main(void) {
  static DATA_TYPE a[N], b[N], last;
  FILL(a); FILL(b);
  kernel(N, POLYBENCH_ARRAY(a), POLYBENCH_ARRAY(b), &last);
  SHOW(a); SHOW(last);
  return 0;
}
