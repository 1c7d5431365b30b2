// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Searches within each row of a table; the rows are independent.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct {
  const int16_t *cell;
  int rows, cols;
  ptrdiff_t stride;
} table;

/* First column that is not zero, or the number of columns. */
void leading_zeros(const table *t, int *lead) {
  for (int r = 0; r < t->rows; r++) { // truth: parallel
    const int16_t *row = t->cell + r * t->stride;
    int c;
    for (c = 0; c < t->cols; c++) // truth: parallel
      if (row[c] != 0)
        break;
    lead[r] = c;
  }
}

/* Rows without zeros: the rest of the row is skipped at the first one. */
int full_rows(const table *t) {
  int full = 0;
  for (int r = 0; r < t->rows; r++) { // truth: parallel
    const int16_t *row = t->cell + r * t->stride;
    int hole = 0;
    for (int c = 0; c < t->cols; c++) { // truth: parallel
      if (row[c] == 0) {
        hole = 1;
        break;
      }
    }
    if (hole)
      continue;
    full++;
  }
  return full;
}

/* Crops: index of the last row that holds anything. */
int last_used_row(const table *t) {
  for (int r = t->rows - 1; r >= 0; r--) { // truth: parallel
    const int16_t *row = t->cell + r * t->stride;
    for (int c = 0; c < t->cols; c++) // truth: parallel
      if (row[c])
        return r;
  }
  return -1;
}

/* Staircase: each row starts where the row above ended. */
long staircase(const table *t, int16_t limit) {
  int c = t->cols;
  long below = 0;
  for (int r = 0; r < t->rows; r++) { // truth: sequential
    while (c > 0 && t->cell[r * t->stride + c - 1] > limit) // truth: parallel
      c--;
    below += c;
  }
  return below;
}
