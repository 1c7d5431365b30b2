// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The words of the pragmas in comments and in a string do not begin or end a region.
#include "nest.h"
#include <stdio.h>

/*
#pragma scop
*/
static const char *text = "\
#pragma endscop\n";
static void kernel(int n, const double a[n], double *out) {
  double s = 0;
  // #pragma scop
#pragma scop
  /* #pragma endscop */
  for (int i = 0; i < n; i++) // loop: reduction
    s += a[i];                // reduction: +
#pragma endscop
  *out = s;
}

int main(void) {
  static double a[N], out;
  FILL_F64(a);
  kernel(N, a, &out);
  SHOW_F64(out);
  fputs(text, stdout);
  return 0;
}
