// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A sum and a product of complex numbers.
#include "nest.h"

static void kernel(int n, const double _Complex a[n], double _Complex out[2]) {
  double _Complex s = 0, p = 1;
#pragma scop
  for (int i = 0; i < n; i++) { // loop: reduction
    s += a[i];                  // reduction: +
    p *= a[i];                  // reduction: *
  }
#pragma endscop
  out[0] = s, out[1] = p;
}

int main(void) {
  static double _Complex a[N], out[2];
  FILL_F64(a);
  kernel(N, a, out);
  SHOW_F64(out);
  return 0;
}
