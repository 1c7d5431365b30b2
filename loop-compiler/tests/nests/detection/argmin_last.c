// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A minimum and its index, the last of equals; the index is stored first and the comparison is turned around.
#include "nest.h"

static void kernel(int n, const int a[n], int out[2]) {
  int low = a[0], at = 0;
#pragma scop
  for (int i = 1; i < n; i++) // loop: reduction
    if (low >= a[i]) {
      at = i;                 // reduction: argmin
      low = a[i];             // reduction: argmin
    }
#pragma endscop
  out[0] = low, out[1] = at;
}

int main(void) {
  static int a[N], out[2];
  FILL_INDEX(a, 4);
  kernel(N, a, out);
  SHOW_INT(out);
  return 0;
}
