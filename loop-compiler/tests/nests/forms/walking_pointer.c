// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A pointer that walks over the array.
#include "nest.h"

static void kernel(int n, int a[n], int b[n]) {
  int s = 0;
  const int *p = a;
#pragma scop
  for (int i = 0; i < n; i++) // loop: reduction
    s += *p++; // reduction: +
  b[0] = s;
#pragma endscop
}

int main(void) {
  static int a[N], b[N];
  FILL_INT(a); FILL_INDEX(b, N);
  kernel(N, a, b);
  SHOW_INT(a); SHOW_INT(b);
  return 0;
}
