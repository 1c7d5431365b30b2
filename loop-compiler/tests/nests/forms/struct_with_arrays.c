// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Arrays that are members of a structure.
#include "nest.h"

struct grid {
  double cell[N][M];
  double row[N];
};
static void kernel(struct grid *g) {
#pragma scop
  for (int i = 0; i < N; i++) {       // loop: parallel
    g->row[i] = 0;
    for (int j = 0; j < M; j++)       // loop: reduction
      g->row[i] += g->cell[i][j];     // reduction: +
  }
#pragma endscop
}

int main(void) {
  static struct grid g;
  FILL_F64(g);
  kernel(&g);
  SHOW_F64(g.row);
  return 0;
}
