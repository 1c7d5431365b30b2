/* Functions whose parallel code is moved in front of them, or has to stay. Each prints its line. */
#include <stdio.h>
#include <stdlib.h>
#define KERNEL static
#define LINE printf("%s %d\n", __func__, __LINE__)
#define DECLARE(name) void name(int n, double *restrict a)

typedef double real;
typedef struct { double scale; const double *x; } Weights;
struct grid { double cells[8]; };

/* A sum. */
__attribute__((noinline)) double sum(int n, const double a[n], double b[n]) {
  double s = 0;
#pragma scop
  for (int i = 0; i < n; i++) { b[i] = a[i] * 2; s += a[i]; }
#pragma endscop
  LINE;
  return s;
}

void rows(int n, int m, double (*a)[m], const double (*b)[m + 1]) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = b[i][j] + b[i][j + 1];
#pragma endscop
  LINE;
}

void lengthened(int n, int m, double *p, const double *q) {
  double (*a)[m] = (double (*)[m])p;
  m = m / 2;
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = q[i * m + j];
#pragma endscop
  LINE;
}

double local_array(int n, const double *a) {
  real t[300][400];
#pragma scop
  for (int i = 0; i < 300; i++)
    for (int j = 0; j < 400; j++)
      t[i][j] = a[i * 400 + j] * n;
#pragma endscop
  LINE;
  double s = 0;
  for (int i = 0; i < 300; i++)
    for (int j = 0; j < 400; j++)
      s += t[i][j] * (i + 1);
  return s;
}

int two_regions(int n, int *restrict a, int *restrict b) {
  int i, last = 0; real most;
#pragma scop
  for (i = 0; i < n; i++)
    a[i] = b[i] + 1;
#pragma endscop
  LINE;
  last = i;
  most = a[0];
#pragma scop
  for (i = 1; i < n; i++)
    if (a[i] > most) most = a[i];
  for (i = 0; i < n; i++)
    b[i] = a[i] + last;
#pragma endscop
  LINE;
  return last + i + most;
} KERNEL void weighted(int n, Weights w, double *y) {
#pragma scop
  for (int i = 0; i < n; i++)
    y[i] = w.scale * w.x[i];
#pragma endscop
  LINE;
}

void of_grid(int n, struct grid g, double *y, const double *z) {
#pragma scop
  for (int i = 0; i < n; i++)
    y[i] = g.cells[3] * z[i];
#pragma endscop
  LINE;
}

double kept(int n, const double *a) {
  static double total[8000000];
  static double sum;
#pragma scop
  for (int i = 0; i < n; i++)
    total[i] += a[i];
#pragma endscop
  LINE;
#pragma scop
  for (int i = 0; i < n; i++)
    sum += total[i];
#pragma endscop
  LINE;
  return sum;
}

double own_type(int n, const double *a, double *b) {
  struct pair { double x, y; } p = { 2, 3 };
  typedef double number;
  number s = 0;
#pragma scop
  for (int i = 0; i < n; i++) {
    number t = a[i] * p.x + p.y;
    b[i] = t;
    s += t;
  }
#pragma endscop
  LINE;
  return s;
}

#pragma omp declare simd
DECLARE(scaled) {
#pragma scop
  for (int i = 0; i < n; i++)
    a[i] *= 3;
#pragma endscop
  LINE;
}

#if defined(FLOATS)
static void old(float *x,
#else
static void old(double *x,
#endif
    const double *y, int n) {
#pragma scop
  for (int i = 0; i < n; i++)
    x[i] = y[i] * 0.5;
#pragma endscop
  LINE;
}

static double written(int n, const double *a, double *b) {
  Weights w = { 0, a };
#pragma scop
  for (int i = 0; i < n; i++) {
    w.scale += w.x[i];
    b[i] = a[i];
  }
#pragma endscop
  LINE;
  return w.scale;
}

inline int shared(int n, int *a, const int *b) {
#pragma scop
  for (int i = 0; i < n; i++)
    a[i] += b[i];
#pragma endscop
  return a[0];
}
extern inline int shared(int n, int *a, const int *b);

static int repeated(int n, int *a, const int *b) {
  int found = 0;
  for (int k = 0; k < 3; k++) {
    int most;
    if (k == 0) most = -1;
#pragma scop
    for (int i = 0; i < n; i++) {
      a[i] += b[i];
      most = a[i] + k;
    }
#pragma endscop
  LINE;
    found += most;
  }
  return found;
}

static void inner(int n, int rows_parallel, double *y, double *z) {
  double x = 1;
  {
    float x = n;
#pragma scop
    for (int i = 0; i < n; i++)
      y[i] = z[i] + x + rows_parallel;
#pragma endscop
  LINE;
  }
  y[0] += x;
}

static int last_of(int n, int *a, const int *b, int c) {
  int i = 5;
#pragma scop
  if (c > 0)
    for (i = 0; i < n; i++)
      a[i] = b[i] * c;
#pragma endscop
  LINE;
  return i;
}

static double of_rows(int n, int m, const double *a) {
  double sums[n], (*t)[m] = malloc(n * sizeof *t);
#pragma scop
  for (int i = 0; i < n; i++) {
    sums[i] = 0;
    for (int j = 0; j < m; j++) {
      t[i][j] = a[i * m + j] * 2;
      sums[i] += t[i][j];
    }
  }
#pragma endscop
  LINE;
  double s = 0;
  for (int i = 0; i < n; i++)
    s += sums[i] * (i % 5) + t[i][1];
  free(t);
  return s;
}

static void old_style(a, b, n) double *a; const double *b; int n; {
#pragma scop
  for (int i = 0; i < n; i++)
    a[i] = a[i] * 0.5 + b[i];
#pragma endscop
  LINE;
}

static void unrolled(int n, double *a, const double *b) {
#pragma scop
#pragma clang loop unroll_count(4)
  for (int i = 0; i < n; i++)
    a[i] += b[i] * 2;
#pragma endscop
  LINE;
}

__attribute__((target("avx2"))) static void targeted(int n, double *a, const double *b) {
#pragma scop
  for (int i = 0; i < n; i++)
    a[i] -= b[i];
#pragma endscop
  LINE;
}

static double temporary(int n, const double *a, double *b) {
  double s = 0, t, u;
#pragma scop
  for (int i = 0; i < n; i++) {
    t = a[i] * 2;
    b[i] = t * t;
    s += t;
  }
  u = s + n;
#pragma endscop
  LINE;
  return s + u;
}

static double parts(int n, const _Complex double *a, int *restrict b) {
  _Complex double last = 0;
#pragma scop
  for (int i = 0; i < n; i++) {
    b[i] += i;
    last = a[i] * 2;
  }
#pragma endscop
  LINE;
  return __real__ last - __imag__ last;
}

static int contracted(int n, double *restrict a, double *b) {
#pragma STDC FP_CONTRACT OFF
#pragma scop
  for (int i = 0; i < n; i++)
    a[i] = a[i] * 3 + b[i];
#pragma endscop
  LINE;
  return 0;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 900, m = 60;
  double *a = malloc(800000 * sizeof *a), *b = malloc(800000 * sizeof *b);
  int *c = malloc(800000 * sizeof *c), *d = malloc(800000 * sizeof *d);
  for (int i = 0; i < 800000; i++) { a[i] = i % 13; b[i] = i % 7; c[i] = i % 11; d[i] = i % 5; }
  double s = sum(n, a, b);
  rows(n < 2000 ? n : 2000, m, (double (*)[m])a, (const double (*)[m + 1])b);
  lengthened(n < 2000 ? n : 2000, m, b, a);
  s += local_array(n, a);
  s += two_regions(n, c, d);
  weighted(n, (Weights) { 0.5, a }, b);
  of_grid(n, (struct grid) { { 1, 2, 3, 4 } }, b, a);
  s += kept(n, a);
  s += own_type(n, a, b);
  scaled(n, a);
  old((void *)a, b, n);
  s += written(n, a, b) + shared(n, c, d) + repeated(n, d, c);
  inner(n, 3, b, a);
  s += contracted(n, a, b) + last_of(n, c, d, 2) + last_of(n, c, d, 0);
  s += of_rows(n < 2000 ? n : 2000, m, a);
  old_style(a, b, n);
  unrolled(n, a, b);
  targeted(n, a, b);
  s += temporary(n, a, b);
  s += parts(n, (_Complex double *)a, c);
  for (int i = 0; i < n; i++) s += a[i] * i + b[i] + c[i] - d[i];
  printf("%.17g\n", s);
}
