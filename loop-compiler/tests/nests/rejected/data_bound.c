// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A bound that is read from an array which the loop writes.
#include "nest.h"

static void kernel(int n, int a[n], int b[n]) {
#pragma scop // rejected: model
  for (int i = 0; i < n; i++)
    for (int j = 0; j < b[i]; j++)
      b[j] = (b[j] + 1) % n;
#pragma endscop
}

int main(void) {
  static int a[N], b[N];
  FILL_INT(a); FILL_INDEX(b, N);
  kernel(N, a, b);
  SHOW_INT(a); SHOW_INT(b);
  return 0;
}
