// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A loop whose iterator ends below 0, which its type does not have.
#include "nest.h"

static void kernel(unsigned n, const int a[n], int b[n]) {
#pragma scop
  for (unsigned i = n; i-- > 0;) // loop: parallel
    b[i] = a[i];
#pragma endscop
}

int main(void) {
  static int a[N], b[N];
  FILL_INT(a);
  kernel(N, a, b);
  SHOW_INT(b);
  return 0;
}
