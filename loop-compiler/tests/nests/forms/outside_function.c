// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A function with linkage, defined in this file alone.
#include "nest.h"

extern int outside(int x);
static void kernel(int n, int a[n], int b[n]) {
#pragma scop
  for (int i = 0; i < n; i++) // loop: parallel
    a[i] = outside(b[i]);
#pragma endscop
}
int outside(int x) { return x + 1; }

int main(void) {
  static int a[N], b[N];
  FILL_INT(a); FILL_INDEX(b, N);
  kernel(N, a, b);
  SHOW_INT(a); SHOW_INT(b);
  return 0;
}
