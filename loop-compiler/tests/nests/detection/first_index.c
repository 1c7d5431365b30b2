// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The first index that holds a key.
#include "nest.h"

static void kernel(int n, const int a[n], int key, int *out) {
  int pos = n;
#pragma scop
  for (int i = 0; i < n; i++) // loop: reduction
    if (a[i] == key) {
      pos = i;                // reduction: first
      break;
    }
#pragma endscop
  *out = pos;
}

int main(void) {
  static int a[N], out;
  FILL_INDEX(a, 4);
  kernel(N, a, 3, &out);
  SHOW_INT(out);
  return 0;
}
