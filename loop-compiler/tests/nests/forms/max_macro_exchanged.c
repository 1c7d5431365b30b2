// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Macros for both extremes with the accumulator second.
#include "nest.h"

#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
static void kernel(int n, const int a[n], int out[2]) {
  int low = 100, high = -100;
#pragma scop
  for (int i = 0; i < n; i++) { // loop: reduction
    high = MAX(a[i], high);     // reduction: max
    low = MIN(a[i] * 2, low);   // reduction: min
  }
#pragma endscop
  out[0] = high, out[1] = low;
}

int main(void) {
  static int a[N], out[2];
  FILL_INT(a);
  kernel(N, a, out);
  SHOW_INT(out);
  return 0;
}
