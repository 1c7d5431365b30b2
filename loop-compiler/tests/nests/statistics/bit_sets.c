// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The union and the common part of sets of bits by class.
#include "nest.h"

static void kernel(int n, int class[n], unsigned set[n], unsigned all[L], unsigned common[L]) {
#pragma scop
  for (int i = 0; i < n; i++) {   // loop: reduction
    all[class[i]] |= set[i];      // reduction: |
    common[class[i]] &= set[i];   // reduction: &
  }
#pragma endscop
}

int main(void) {
  static int class[N];
  static unsigned set[N], all[L], common[L];
  FILL_INDEX(class, L); FILL_INT(set); FILL_INT(common);
  kernel(N, class, set, all, common);
  SHOW_UINT(all); SHOW_UINT(common);
  return 0;
}
