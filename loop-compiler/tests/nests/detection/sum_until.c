// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A sum that ends with a break at a limit.
#include "nest.h"

static void kernel(int n, const int a[n], int *out) {
  int s = 0;
#pragma scop
  for (int i = 0; i < n; i++) { // loop: sequential
    s += a[i];                  // reduction: +
    if (a[i] == 0)
      break;
  }
#pragma endscop
  *out = s;
}

int main(void) {
  static int a[N], out;
  FILL_INDEX(a, 9);
  kernel(N, a, &out);
  SHOW_INT(out);
  return 0;
}
