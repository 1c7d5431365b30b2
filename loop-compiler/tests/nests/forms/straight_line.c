// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A region without a loop.
#include "nest.h"

static void kernel(double a[2]) {
#pragma scop
  a[0] = a[0] + 1;
  a[1] = a[0] * 2;
#pragma endscop
}

int main(void) {
  static double a[2];
  FILL_F64(a);
  kernel(a);
  SHOW_F64(a);
  return 0;
}
