// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// An and and an or of bits on one variable do not commute.
#include "nest.h"

static void kernel(int n, const unsigned a[n], unsigned *out) {
  unsigned s = 255;
#pragma scop
  for (int i = 0; i < n; i++) { // loop: sequential
    s &= a[i];                  // reduction: &
    s |= a[i] >> 4;             // reduction: |
  }
#pragma endscop
  *out = s;
}

int main(void) {
  static unsigned a[N], out;
  FILL_INT(a);
  kernel(N, a, &out);
  SHOW_UINT(out);
  return 0;
}
