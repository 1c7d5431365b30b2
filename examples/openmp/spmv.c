/* A sparse matrix (compressed rows) times a vector, and the norms of the product: a row for each team, whose
 * threads share its elements. The lengths of the rows differ widely.
 * warpfold cc -O2 spmv.c -o spmv -lm && warpfold run ./spmv */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int rows, elements, *start, *column;
  double *value;
} Matrix;

static Matrix make(int rows) {
  Matrix m = {rows, 0, malloc((rows + 1) * sizeof(int)), 0, 0};
  /* Every 16th row is long, every 7th empty. */
  for (int i = 0; i < rows; i++) m.start[i] = m.elements, m.elements += i % 7 == 3 ? 0 : i % 16 ? 1 + i % 5 : rows / 2;
  m.start[rows] = m.elements;
  m.column = malloc(m.elements * sizeof(int)), m.value = malloc(m.elements * sizeof(double));
  for (int i = 0; i < rows; i++)
    for (int j = m.start[i]; j < m.start[i + 1]; j++) {
      m.column[j] = (i * 31 + (j - m.start[i]) * 17) % rows;
      m.value[j] = (i + 3 * j) % 9 - 4;
    }
  return m;
}

int main(void) {
  Matrix m = make(500);
  int n = m.rows, wrong = 0;
  int *start = m.start, *column = m.column;
  double *value = m.value, *x = malloc(n * sizeof(double)), *y = malloc(n * sizeof(double));
  double largest = 0, squares = 0, largest_on_host = 0, squares_on_host = 0;
  for (int i = 0; i < n; i++) x[i] = i % 11 - 5;

#pragma omp target data map(to : start[0 : n + 1], column[0 : m.elements], value[0 : m.elements], x[0 : n]) \
    map(from : y[0 : n])
  {
#pragma omp target teams distribute num_teams(n / 4) thread_limit(64)
    for (int i = 0; i < n; i++) {
      double sum = 0;
#pragma omp parallel for reduction(+ : sum)
      for (int j = start[i]; j < start[i + 1]; j++) sum += value[j] * x[column[j]];
      y[i] = sum;
    }
#pragma omp target teams distribute parallel for reduction(max : largest) reduction(+ : squares)
    for (int i = 0; i < n; i++) {
      largest = fmax(largest, fabs(y[i]));
      squares += y[i] * y[i];
    }
  }

  /* All numbers are small integers: sums are exact in any order. */
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = start[i]; j < start[i + 1]; j++) sum += value[j] * x[column[j]];
    wrong += y[i] != sum;
    largest_on_host = fmax(largest_on_host, fabs(sum)), squares_on_host += sum * sum;
  }
  wrong += largest != largest_on_host || squares != squares_on_host;
  printf("%d elements; norms %.0f and %.6f\n", m.elements, largest, sqrt(squares));
  printf("%d values differ from the host's\n", wrong);
  return wrong != 0;
}
