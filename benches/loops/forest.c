// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Votes of trees for the classes of rows: plain loops, and with -DBY_HAND as one writes them for a GPU, with a thread for
// each row.
#include <stdio.h>
#include <stdlib.h>

enum { CLASSES = 5 };

static void vote(int rows, int trees, const int vote_of[restrict trees][rows], int votes[restrict rows][CLASSES]) {
#ifdef BY_HAND
#pragma omp target teams distribute parallel for map(to : vote_of[0 : trees]) map(tofrom : votes[0 : rows])
  for (int r = 0; r < rows; r++)
    for (int t = 0; t < trees; t++)
      votes[r][vote_of[t][r]] += 1;
#else
#pragma scop
  for (int r = 0; r < rows; r++)
    for (int t = 0; t < trees; t++)
      votes[r][vote_of[t][r]] += 1;
#pragma endscop
#endif
}

int main(int count, char **arguments) {
  int scale = count > 1 ? atoi(arguments[1]) : 1;
  int rows = 3000 * scale, trees = 100, sum = 0;
  int (*vote_of)[rows] = malloc(trees * sizeof *vote_of), (*votes)[CLASSES] = calloc(rows, sizeof *votes);
  for (int t = 0; t < trees; t++)
    for (int r = 0; r < rows; r++)
      vote_of[t][r] = (r * 13 + t * r % 7 + t) % CLASSES;
  vote(rows, trees, vote_of, votes);
  for (int r = 0; r < rows; r++)
    for (int k = 0; k < CLASSES; k++)
      sum += votes[r][k] * (r % 9 + k);
  printf("%d\n", sum);
  return 0;
}
