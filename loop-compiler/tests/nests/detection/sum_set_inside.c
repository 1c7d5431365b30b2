// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The sum starts again where a guard says so: an array of classes in order, no reduction over all of it.
#include "nest.h"

static void kernel(int n, const int start[n], const double a[n], double b[n]) {
  double s = 0;
#pragma scop
  for (int i = 0; i < n; i++) { // loop: sequential
    if (start[i])
      s = 0;
    s += a[i];                  // reduction: +
    b[i] = s;
  }
#pragma endscop
}

int main(void) {
  static int start[N];
  static double a[N], b[N];
  FILL_INDEX(start, 2); FILL_F64(a);
  kernel(N, start, a, b);
  SHOW_F64(b);
  return 0;
}
