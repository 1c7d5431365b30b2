// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// An increment, of which the result has a closed form.
#include "nest.h"

static void kernel(int n, const int a[n], const int b[n], int *out) {
  int s = 1;
#pragma scop
  for (int i = 0; i < n; i++) // loop: parallel
    s++;
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
