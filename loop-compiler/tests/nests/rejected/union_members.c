// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Members of a union share their memory.
#include "nest.h"

union both {
  int i;
  float f;
};
static void kernel(int n, int a[n], int b[n]) {
  union both u;
#pragma scop // rejected: model
  for (int i = 0; i < n; i++) {
    u.f = (float)b[i];
    a[i] = u.i;
  }
#pragma endscop
}

int main(void) {
  static int a[N], b[N];
  FILL_INT(a); FILL_INDEX(b, N);
  kernel(N, a, b);
  SHOW_INT(a); SHOW_INT(b);
  return 0;
}
