// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Pascal's triangle in one row, from the right: sums whose terms are the neighbours' old values.
#include "nest.h"

static void kernel(int n, unsigned c[n]) {
#pragma scop
  for (int i = 1; i < n; i++)       // loop: sequential
    for (int j = i; j >= 1; j--)    // loop: sequential
      c[j] += c[j - 1];             // reduction: +
#pragma endscop
}

int main(void) {
  static unsigned c[N] = {1};
  kernel(N, c);
  SHOW_UINT(c);
  return 0;
}
