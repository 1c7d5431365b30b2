// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The class of each row by the votes of a tree ensemble. Rows and trees are in tiles, both of which are parallel: only the
// loop over tiles of trees carries the sums of votes, and has copies of them.
#include <stdio.h>
#include <stdlib.h>

enum { CLASSES = 5, DEPTH = 6, NODES = 1 << DEPTH };

// The class that a complete tree gives to a row: an inner node compares one feature with a threshold.
static int walk(const int *feature, const float *threshold, const int *leaf, const float *row) {
  int node = 1;
  for (int level = 0; level < DEPTH; level++)
    node = 2 * node + (row[feature[node]] > threshold[node]);
  return leaf[node - NODES];
}

static void vote(int rows, int trees, const int vote_of[restrict rows][trees], int votes[restrict rows][CLASSES]) {
#pragma scop
#pragma warpfold schedule(tile(r, 64, r_tile), tile(t, 32, t_tile), reorder(r_tile, t_tile, t, r), parallel(r_tile), parallel(t_tile))
  for (int r = 0; r < rows; r++)
    for (int t = 0; t < trees; t++)
      votes[r][vote_of[r][t]] += 1;
#pragma endscop
}

int main(int argc, char **argv) {
  int rows = argc > 1 ? atoi(argv[1]) : 1000, trees = argc > 2 ? atoi(argv[2]) : 100, features = 8;
  int *feature = malloc(trees * NODES * sizeof *feature), *leaf = malloc(trees * NODES * sizeof *leaf);
  float *threshold = malloc(trees * NODES * sizeof *threshold), *row = malloc(features * sizeof *row);
  int (*vote_of)[trees] = malloc(rows * sizeof *vote_of);
  int (*votes)[CLASSES] = calloc(rows, sizeof *votes);
  for (int k = 0; k < trees * NODES; k++) {
    feature[k] = k * 7 % features;
    threshold[k] = k * 31 % 101 / 101.0f;
    leaf[k] = k * 13 % 37 % CLASSES;
  }
  for (int r = 0; r < rows; r++) {
    for (int k = 0; k < features; k++)
      row[k] = (r * 17 + k * 29) % 97 / 97.0f;
    for (int t = 0; t < trees; t++)
      vote_of[r][t] = walk(feature + t * NODES, threshold + t * NODES, leaf + t * NODES, row);
  }
  vote(rows, trees, vote_of, votes);
  for (int r = 0; r < rows; r += 53) {
    int best = 0;
    for (int k = 1; k < CLASSES; k++)
      if (votes[r][k] > votes[r][best])
        best = k;
    printf("row %d: class %d with %d votes\n", r, best, votes[r][best]);
  }
  free(feature), free(leaf), free(threshold), free(row), free(vote_of), free(votes);
  return 0;
}
