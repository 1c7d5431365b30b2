// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// `++` and `--` on elements, before and after.
#include "nest.h"

static void kernel(int n, const int a[n], int count[4]) {
#pragma scop
  for (int i = 0; i < n; i++) {   // loop: reduction
    if (a[i] > 0)
      ++count[0];                 // reduction: +
    if (a[i] < 0)
      count[1]++;                 // reduction: +
    --count[2];                   // reduction: +
    count[3]--;                   // reduction: +
  }
#pragma endscop
}

int main(void) {
  static int a[N], count[4];
  FILL_INT(a);
  kernel(N, a, count);
  SHOW_INT(count);
  return 0;
}
