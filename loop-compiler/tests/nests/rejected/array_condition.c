// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A loop that an element ends: how often it is executed is not known before.
#include "nest.h"

static void kernel(int n, int a[n], int b[n]) {
#pragma scop // rejected: model
  for (int i = 0; b[i] < n - 1; i++)
    a[i] = b[i];
#pragma endscop
}

int main(void) {
  static int a[N], b[N];
  FILL_INT(a); FILL_INDEX(b, N);
  b[N - 1] = N - 1;
  kernel(N, a, b);
  SHOW_INT(a); SHOW_INT(b);
  return 0;
}
