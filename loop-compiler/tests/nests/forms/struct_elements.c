// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// An array of structures, members of which are read and updated.
#include "nest.h"

struct particle {
  double x, v, force;
};
static void kernel(int n, struct particle p[n]) {
#pragma scop
  for (int i = 0; i < n; i++)           // loop: parallel
    for (int j = 0; j < n; j++)         // loop: reduction
      if (i != j)
        p[i].force += p[j].x - p[i].x;  // reduction: +
  for (int i = 0; i < n; i++) {         // loop: parallel
    p[i].v += 0.125 * p[i].force;
    p[i].x += 0.125 * p[i].v;
  }
#pragma endscop
}

int main(void) {
  static struct particle p[N];
  FILL_F64(p);
  kernel(N, p);
  SHOW_F64(p);
  return 0;
}
