// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Members of a structure behind a pointer as targets.
#include "nest.h"

struct summary {
  double sum, low;
};
static void kernel(int n, const double a[n], struct summary *r) {
#pragma scop
  for (int i = 0; i < n; i++) {     // loop: reduction
    r->sum += a[i];                 // reduction: +
    r->low = fmin(r->low, a[i]);    // reduction: fmin
  }
#pragma endscop
}

int main(void) {
  static double a[N];
  static struct summary r;
  FILL_F64(a);
  kernel(N, a, &r);
  SHOW_F64(r);
  return 0;
}
