// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A recurrence of order two.
#include "nest.h"

static void kernel(int n, unsigned f[n]) {
#pragma scop
  f[0] = 0;
  f[1] = 1;
  for (int i = 2; i < n; i++)   // loop: sequential
    f[i] = f[i - 1] + f[i - 2];
#pragma endscop
}

int main(void) {
  static unsigned f[N];
  kernel(N, f);
  SHOW_UINT(f);
  return 0;
}
