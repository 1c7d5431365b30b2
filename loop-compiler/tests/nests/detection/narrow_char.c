// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A signed character that accumulates integers: each step is cut to eight bits, which do not depend on the others.
#include "nest.h"

static void kernel(int n, const int a[n], signed char *out) {
  signed char s = 0;
#pragma scop
  for (int i = 0; i < n; i++) // loop: reduction
    s += a[i];                // reduction: +
#pragma endscop
  *out = s;
}

int main(void) {
  static int a[N];
  static signed char out;
  FILL_INT(a);
  kernel(N, a, &out);
  SHOW_CHAR(out);
  return 0;
}
