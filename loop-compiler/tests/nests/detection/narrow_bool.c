// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A truth value that accumulates integers: each step becomes 0 or 1.
#include "nest.h"

static void kernel(int n, const int a[n], int *out) {
  _Bool s = 0;
#pragma scop
  for (int i = 0; i < n; i++) // loop: sequential
    s += a[i];                // no reduction: integers
#pragma endscop
  *out = s;
}

int main(void) {
  static int a[N], out;
  FILL_INT(a);
  kernel(N, a, &out);
  SHOW_INT(out);
  return 0;
}
