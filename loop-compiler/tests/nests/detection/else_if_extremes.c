// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Maximum and, otherwise, minimum: the second depends on the maximum so far.
#include "nest.h"

static void kernel(int n, const int a[n], int out[2]) {
  int high = a[0], low = a[0];
#pragma scop
  for (int i = 1; i < n; i++) // loop: sequential
    if (a[i] > high)
      high = a[i];            // reduction: max
    else if (a[i] < low)
      low = a[i];             // no reduction: read
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
