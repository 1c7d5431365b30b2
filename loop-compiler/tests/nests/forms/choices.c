// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// `?:` with conditions on iterators and on data, nested.
#include "nest.h"

static void kernel(int n, const double a[n], double b[n]) {
#pragma scop
  for (int i = 0; i < n; i++) // loop: parallel
    b[i] = i == 0 ? a[0] : i < n / 2 ? a[i - 1] : a[i] > 0 ? a[i] : -a[i];
#pragma endscop
}

int main(void) {
  static double a[N], b[N];
  FILL_F64(a);
  kernel(N, a, b);
  SHOW_F64(b);
  return 0;
}
