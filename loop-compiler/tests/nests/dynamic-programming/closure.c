// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The transitive closure of a relation; like the shortest paths, it reads its own target.
#include "nest.h"

static void kernel(int n, int reach[n][n]) {
#pragma scop
  for (int k = 0; k < n; k++)         // loop: sequential
    for (int i = 0; i < n; i++)       // loop: sequential
      for (int j = 0; j < n; j++)     // loop: sequential
        reach[i][j] = reach[i][j] || (reach[i][k] && reach[k][j]); // no reduction: subscripts
#pragma endscop
}

int main(void) {
  static int reach[N][N];
  FILL_INDEX(reach, 2);
  kernel(N, reach);
  SHOW_INT(reach);
  return 0;
}
