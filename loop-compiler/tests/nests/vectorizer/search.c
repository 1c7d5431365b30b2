// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The first element above a limit, found by a loop that ends there.
#include "nest.h"

static void kernel(int n, DATA_TYPE limit, DATA_TYPE POLYBENCH_1D(a, N, n), int *out) {
  int where = -1;
#pragma scop
  for (int i = 0; i < _PB_N; i++) // loop: reduction
    if (a[i] > limit) {
      where = i;                  // reduction: first
      break;
    }
#pragma endscop
  *out = where;
}

int main(void) {
  static DATA_TYPE a[N];
  static int out;
  FILL(a);
  kernel(N, SCALAR_VAL(0.5), a, &out);
  SHOW_INT(out);
  return 0;
}
