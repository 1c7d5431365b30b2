// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Two products of one matrix: plain loops, and as one writes them for a GPU, with -DBY_HAND a thread for each result, with
// -DBY_TEAMS a team for each row, with -DBY_BLOCKS a team for 8 rows, which reads the matrix once.
#include <stdio.h>
#include <stdlib.h>

static void bicg(int n, int m, const double *restrict a, const double *restrict p, const double *restrict r,
                 double *restrict q, double *restrict s) {
#ifdef BY_BLOCKS
#pragma omp target teams distribute map(to : a[0 : n * m], p[0 : m], r[0 : n]) map(tofrom : q[0 : n], s[0 : m])
  for (int block = 0; block < n; block += 8) {
    double sum[8];
    for (int i = 0; i < 8; i++)
      sum[i] = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int j = 0; j < m; j++) {
      double own = 0;
      for (int i = 0; i < 8; i++) {
        double element = block + i < n ? a[(block + i) * m + j] : 0;
        own += (block + i < n ? r[block + i] : 0) * element;
        sum[i] += element * p[j];
      }
#pragma omp atomic
      s[j] += own;
    }
    for (int i = 0; i < 8 && block + i < n; i++)
      q[block + i] = sum[i];
  }
#elif defined BY_HAND || defined BY_TEAMS
#pragma omp target data map(to : a[0 : n * m], p[0 : m], r[0 : n]) map(tofrom : q[0 : n], s[0 : m])
  {
#pragma omp target teams distribute parallel for
    for (int j = 0; j < m; j++) {
      double own = s[j];
      for (int i = 0; i < n; i++)
        own += r[i] * a[i * m + j];
      s[j] = own;
    }
#ifdef BY_TEAMS
#pragma omp target teams distribute
    for (int i = 0; i < n; i++) {
      double own = 0;
#pragma omp parallel for reduction(+ : own)
      for (int j = 0; j < m; j++)
        own += a[i * m + j] * p[j];
      q[i] = own;
    }
#else
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) {
      double own = 0;
      for (int j = 0; j < m; j++)
        own += a[i * m + j] * p[j];
      q[i] = own;
    }
#endif
  }
#else
#pragma scop
  for (int i = 0; i < n; i++) {
    q[i] = 0;
    for (int j = 0; j < m; j++) {
      s[j] += r[i] * a[i * m + j];
      q[i] += a[i * m + j] * p[j];
    }
  }
#pragma endscop
#endif
}

int main(int count, char **arguments) {
  int scale = count > 1 ? atoi(arguments[1]) : 1;
  int n = 600 * scale, m = 500 * scale;
  double *a = malloc(n * m * sizeof *a), *p = malloc(m * sizeof *p), *r = malloc(n * sizeof *r),
         *q = malloc(n * sizeof *q), *s = calloc(m, sizeof *s), check = 0;
  for (int i = 0; i < n * m; i++)
    a[i] = i % 32 / 4.0;
  for (int j = 0; j < m; j++)
    p[j] = j % 8;
  for (int i = 0; i < n; i++)
    r[i] = i % 16;
  bicg(n, m, a, p, r, q, s);
  for (int i = 0; i < n; i++)
    check += q[i] * (i + 1);
  for (int j = 0; j < m; j++)
    check += s[j] * (j + 1);
  printf("%a\n", check);
  return 0;
}
