// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A call that prints.
#include "nest.h"

static void kernel(int n, int a[n], int b[n]) {
#pragma scop // rejected: dependences
  for (int i = 0; i < n; i++)
    printf("%d\n", a[i]);
#pragma endscop
}

int main(void) {
  static int a[N], b[N];
  FILL_INT(a); FILL_INDEX(b, N);
  kernel(N, a, b);
  SHOW_INT(a); SHOW_INT(b);
  return 0;
}
