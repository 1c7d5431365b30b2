// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A prefix of maxima from one element to the next.
#include "nest.h"

static void kernel(int n, const int a[n], int b[n]) {
#pragma scop
  b[0] = a[0];
  for (int i = 1; i < n; i++) // loop: scan
    b[i] = b[i - 1] > a[i] ? b[i - 1] : a[i];
#pragma endscop
}

int main(void) {
  static int a[N], b[N];
  FILL_INT(a);
  kernel(N, a, b);
  SHOW_INT(b);
  return 0;
}
