// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Fission would make both statements parallel; the loop as it stands carries b.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(a, N, n), DATA_TYPE POLYBENCH_1D(b, N, n),
                   DATA_TYPE POLYBENCH_1D(c, N, n)) {
#pragma scop
  for (int i = 1; i < _PB_N; i++) { // loop: sequential
    a[i] = b[i - 1] + c[i];
    b[i] = c[i] * 2;
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE a[N], b[N], c[N];
  FILL(a); FILL(b); FILL(c);
  kernel(N, POLYBENCH_ARRAY(a), POLYBENCH_ARRAY(b), POLYBENCH_ARRAY(c));
  SHOW(a); SHOW(b);
  return 0;
}
