// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A polynomial in a constant: a linear recurrence of integers.
#include "nest.h"

static void kernel(int n, const unsigned a[n], const unsigned b[n], unsigned *out) {
  unsigned s = 1;
#pragma scop
  for (int i = 0; i < n; i++) // loop: scan
    s = 31 * s + a[i]; // no reduction: recurrence
#pragma endscop
  *out = s;
}

int main(void) {
  static unsigned a[N], b[N], out;
  FILL_INT(a); FILL_INT(b);
  kernel(N, a, b, &out);
  SHOW_UINT(out);
  return 0;
}
