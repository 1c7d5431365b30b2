// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A subscript with a side effect.
#include "nest.h"

static void kernel(int n, int a[n], int b[n]) {
  int k = 0;
#pragma scop
  for (int i = 0; i < n; i++) // loop: sequential
    if (b[i] > 3)
      a[k++] = b[i]; // reduction: +
#pragma endscop
}

int main(void) {
  static int a[N], b[N];
  FILL_INT(a); FILL_INDEX(b, N);
  kernel(N, a, b);
  SHOW_INT(a); SHOW_INT(b);
  return 0;
}
