// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Counts of pairs of classes: two index arrays in one target.
#include "nest.h"

static void kernel(int n, int a[n], int b[n], int count[K][L]) {
#pragma scop
  for (int i = 0; i < n; i++)   // loop: reduction
    count[a[i]][b[i]] += 1;     // reduction: +
#pragma endscop
}

int main(void) {
  static int a[N], b[N], count[K][L];
  FILL_INDEX(a, K); FILL_INDEX(b, L);
  kernel(N, a, b, count);
  SHOW_INT(count);
  return 0;
}
