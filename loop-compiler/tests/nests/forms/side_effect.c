// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A function seen whole that counts its calls.
#include "nest.h"

static int calls;
static int counted(int x) {
  calls++; // reduction: +
  return x + calls;
}
static void kernel(int n, int a[n], int b[n]) {
#pragma scop
  for (int i = 0; i < n; i++) // loop: scan
    a[i] = counted(b[i]);
#pragma endscop
}

int main(void) {
  static int a[N], b[N];
  FILL_INT(a); FILL_INDEX(b, N);
  kernel(N, a, b);
  SHOW_INT(a); SHOW_INT(b);
  return 0;
}
