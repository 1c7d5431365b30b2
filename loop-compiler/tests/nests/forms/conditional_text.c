// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Text that the preprocessor removes, and a macro of several lines.
#include "nest.h"

#define UPTO(i, n)          \
  for (int i = 0; i < (n);  \
       i++)
static void kernel(int n, const double a[n], double *out) {
  double s = 0;
#pragma scop
#ifdef NEVER_DEFINED
  while (1)
    ;
#else
  UPTO(i, n)       // loop: reduction
#endif
    s += a[i];     // reduction: +
#pragma endscop
  *out = s;
}

int main(void) {
  static double a[N], out;
  FILL_F64(a);
  kernel(N, a, &out);
  SHOW_F64(out);
  return 0;
}
