// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Two products of one matrix that read it once: q[i] belongs to an iteration, s is summed over all.
#include <stdio.h>
#include <stdlib.h>

static void bicg(int n, int m, const double a[restrict n][m], const double *restrict p, const double *restrict r,
                 double *restrict q, double *restrict s) {
  int i, j;
#pragma scop
  for (i = 0; i < n; i++) {
    q[i] = 0;
    for (j = 0; j < m; j++) {
      s[j] = s[j] + r[i] * a[i][j];
      q[i] = q[i] + a[i][j] * p[j];
    }
  }
#pragma endscop
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1300, m = argc > 2 ? atoi(argv[2]) : 900;
  double (*a)[m] = malloc(n * sizeof *a);
  double *p = malloc(m * sizeof *p), *r = malloc(n * sizeof *r), *q = malloc(n * sizeof *q),
         *s = calloc(m, sizeof *s);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = (i * 13 + j * 5) % 32 / 4.0;
  for (int j = 0; j < m; j++)
    p[j] = j % 8;
  for (int i = 0; i < n; i++)
    r[i] = i % 16;
  bicg(n, m, a, p, r, q, s);
  for (int i = 0; i < n; i += 211)
    printf("q %d %a\n", i, q[i]);
  for (int j = 0; j < m; j += 211)
    printf("s %d %a\n", j, s[j]);
  free(a), free(p), free(r), free(q), free(s);
  return 0;
}
