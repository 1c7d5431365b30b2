// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Only the index is kept, and the value is read through it: not in the form that is found.
#include "nest.h"

static void kernel(int n, const double a[n], int *out) {
  int at = 0;
#pragma scop
  for (int i = 1; i < n; i++) // loop: sequential
    if (a[i] > a[at])
      at = i;                 // no reduction: read
#pragma endscop
  *out = at;
}

int main(void) {
  static double a[N];
  static int out;
  FILL_F64(a);
  kernel(N, a, &out);
  SHOW_INT(out);
  return 0;
}
