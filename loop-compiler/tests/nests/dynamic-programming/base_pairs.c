// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Folding of a chain: intervals by their lower end downwards; the best cut is a maximum.
#include "nest.h"

#define MAX(a, b) ((a) >= (b) ? (a) : (b))
static void kernel(int n, int POLYBENCH_1D(seq, N, n), int POLYBENCH_2D(table, N, N, n, n)) {
  int i, j, k;
#pragma scop
  for (i = _PB_N - 1; i >= 0; i--)            // loop: sequential
    for (j = i + 1; j < _PB_N; j++) {         // loop: sequential
      table[i][j] = MAX(table[i][j], table[i][j - 1]);
      table[i][j] = MAX(table[i][j], table[i + 1][j]);
      if (i < j - 1)
        table[i][j] = MAX(table[i][j], table[i + 1][j - 1] + (seq[i] + seq[j] == 3 ? 1 : 0));
      for (k = i + 1; k < j; k++)             // loop: reduction
        table[i][j] = MAX(table[i][j], table[i][k] + table[k + 1][j]); // reduction: max
    }
#pragma endscop
}

int main(void) {
  static int seq[N], table[N][N];
  FILL_INDEX(seq, 4);
  kernel(N, seq, table);
  SHOW_INT(table);
  return 0;
}
