// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A maximum and an accumulation that macros write.
#include "nest.h"

#define MAX(a, b) (((a) > (b)) ? (a) : (b))
#define ADD(target, value) target += (value)
static void kernel(int n, const int a[n], int out[2]) {
  int s = 0, top = -100;
#pragma scop
  for (int i = 0; i < n; i++) { // loop: reduction
    ADD(s, a[i]);               // reduction: +
    top = MAX(top, a[i]);       // reduction: max
  }
#pragma endscop
  out[0] = s, out[1] = top;
}

int main(void) {
  static int a[N], out[2];
  FILL_INT(a);
  kernel(N, a, out);
  SHOW_INT(out);
  return 0;
}
