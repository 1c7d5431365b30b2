// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A flag that is set under a condition.
#include "nest.h"

static void kernel(int n, const int a[n], int *out) {
  int found = 0;
#pragma scop
  for (int i = 0; i < n; i++) // loop: reduction
    if (a[i] == 7)
      found = 1;              // reduction: last
#pragma endscop
  *out = found;
}

int main(void) {
  static int a[N], out;
  FILL_INT(a);
  kernel(N, a, &out);
  SHOW_INT(out);
  return 0;
}
