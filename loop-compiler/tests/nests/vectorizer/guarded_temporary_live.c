// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The same with the temporary declared outside: which iteration writes it last depends on the data.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(a, N, n), DATA_TYPE POLYBENCH_1D(b, N, n), DATA_TYPE *last) {
  DATA_TYPE t = 0;
#pragma scop
  for (int i = 0; i < _PB_N; i++) // loop: sequential
    if (b[i] > 0) {
      t = b[i] * b[i];
      a[i] = t + 1;
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
