// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A confusion matrix and the number of hits.
#include "nest.h"

static void kernel(int n, int truth[n], int guess[n], int matrix[L][L], int *hits) {
  int right = 0;
#pragma scop
  for (int i = 0; i < n; i++) {       // loop: reduction
    matrix[truth[i]][guess[i]]++;     // reduction: +
    if (truth[i] == guess[i])
      right++;                        // reduction: +
  }
#pragma endscop
  *hits = right;
}

int main(void) {
  static int truth[N], guess[N], matrix[L][L], hits;
  FILL_INDEX(truth, L); FILL_INDEX(guess, L);
  kernel(N, truth, guess, matrix, &hits);
  SHOW_INT(matrix); SHOW_INT(hits);
  return 0;
}
