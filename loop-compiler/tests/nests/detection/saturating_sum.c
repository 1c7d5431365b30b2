// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A sum that ends at a limit: its guard reads the accumulator.
#include "nest.h"

static void kernel(int n, const int a[n], const int b[n], int *out) {
  int s = 1;
#pragma scop
  for (int i = 0; i < n; i++) { // loop: sequential
    if (s < 25)
      s += a[i]; // no reduction: read
  }
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
