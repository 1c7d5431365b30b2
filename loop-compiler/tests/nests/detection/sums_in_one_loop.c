// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Three reductions with different operators and targets in one loop.
#include "nest.h"

static void kernel(int n, const int a[n], int out[3]) {
  int s = 0, bits = 0, low = 1000;
#pragma scop
  for (int i = 0; i < n; i++) { // loop: reduction
    s += a[i];                  // reduction: +
    bits |= a[i] & 255;         // reduction: |
    low = a[i] < low ? a[i] : low; // reduction: min
  }
#pragma endscop
  out[0] = s, out[1] = bits, out[2] = low;
}

int main(void) {
  static int a[N], out[3];
  FILL_INT(a);
  kernel(N, a, out);
  SHOW_INT(out);
  return 0;
}
