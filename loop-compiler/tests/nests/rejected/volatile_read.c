// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A volatile access.
#include "nest.h"

static volatile int device = 3;
static void kernel(int n, int a[n], int b[n]) {
#pragma scop // rejected: model
  for (int i = 0; i < n; i++)
    a[i] = device + i;
#pragma endscop
}

int main(void) {
  static int a[N], b[N];
  FILL_INT(a); FILL_INDEX(b, N);
  kernel(N, a, b);
  SHOW_INT(a); SHOW_INT(b);
  return 0;
}
