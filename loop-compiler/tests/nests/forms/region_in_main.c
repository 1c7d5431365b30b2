// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A region in main, around local arrays.
#include "nest.h"

int main(void) {
  static int a[N], b[N];
  FILL_INT(a); FILL_INT(b);
  int s = 0;
#pragma scop
  for (int i = 0; i < N; ++i)   // loop: reduction
    s += a[i] * b[i];           // reduction: +
#pragma endscop
  SHOW_INT(s);
  return 0;
}
