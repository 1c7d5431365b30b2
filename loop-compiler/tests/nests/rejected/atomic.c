// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// An atomic object.
#include "nest.h"

static void kernel(int n, int a[n], int b[n]) {
  _Atomic int count = 0;
#pragma scop // rejected: model
  for (int i = 0; i < n; i++)
    count += a[i] > 0;
  b[0] = count;
#pragma endscop
}

int main(void) {
  static int a[N], b[N];
  FILL_INT(a); FILL_INDEX(b, N);
  kernel(N, a, b);
  SHOW_INT(a); SHOW_INT(b);
  return 0;
}
