// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A choice by `switch`.
#include "nest.h"

static void kernel(int n, int a[n], int b[n]) {
#pragma scop
  for (int i = 0; i < n; i++) // loop: parallel
    switch (b[i] % 3) {
    case 0:
      a[i] = 1;
      break;
    default:
      a[i] = 2;
    }
#pragma endscop
}

int main(void) {
  static int a[N], b[N];
  FILL_INT(a); FILL_INDEX(b, N);
  kernel(N, a, b);
  SHOW_INT(a); SHOW_INT(b);
  return 0;
}
