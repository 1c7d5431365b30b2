// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The elements above zero, side by side: the count is the subscript of the store.
#include "nest.h"

static void kernel(int n, const double a[n], double b[n], int *out) {
  int k = 0;
#pragma scop
  for (int i = 0; i < n; i++)   // loop: sequential
    if (a[i] > 0) {
      b[k] = a[i];
      k += 1;                   // reduction: +
    }
#pragma endscop
  *out = k;
}

int main(void) {
  static double a[N], b[N];
  static int out;
  FILL_F64(a);
  kernel(N, a, b, &out);
  SHOW_F64(b); SHOW_INT(out);
  return 0;
}
