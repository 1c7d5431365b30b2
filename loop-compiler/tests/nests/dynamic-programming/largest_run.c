// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The largest sum of a run: the sum that ends here is a recurrence over maximum and plus.
#include "nest.h"

static void kernel(int n, int x[n], int *out) {
  int here = 0;
  int best = 0;
#pragma scop
  for (int i = 0; i < n; i++) {                       // loop: sequential
    here = here + x[i] > 0 ? here + x[i] : 0;         // no reduction: recurrence
    best = here > best ? here : best;                 // reduction: max
  }
#pragma endscop
  *out = best;
}

int main(void) {
  static int x[N], out;
  FILL_INT(x);
  kernel(N, x, &out);
  SHOW_INT(out);
  return 0;
}
