// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Counts of classes through an index array.
#include "nest.h"

static void kernel(int n, int bin[n], int count[L]) {
#pragma scop
  for (int i = 0; i < n; i++) // loop: reduction
    count[bin[i]]++;          // reduction: +
#pragma endscop
}

int main(void) {
  static int bin[N], count[L];
  FILL_INDEX(bin, L);
  kernel(N, bin, count);
  SHOW_INT(count);
  return 0;
}
