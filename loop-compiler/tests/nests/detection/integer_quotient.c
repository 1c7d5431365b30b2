// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A division of integers.
#include "nest.h"

static void kernel(int n, const int a[n], const int b[n], int *out) {
  int s = 1000000;
#pragma scop
  for (int i = 0; i < n; i++) // loop: sequential
    s /= 1 + a[i] * a[i]; // no reduction: operator
#pragma endscop
  *out = s;
}

int main(void) {
  static int a[N], b[N], out;
  FILL_INT(a); FILL_INT(b);
  kernel(N, a, b, &out);
  SHOW_INT(out);
  return 0;
}
