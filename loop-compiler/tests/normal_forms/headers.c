// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Functions of a header and functions that are defined later in place of calls, and `NULL`: each function is called with each size,
// and the program prints what they made.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include "headers.h"

static double later(const double *t, double r, double *f);

static void zeros(vec *restrict f, int n) {
  for (int i = 0; i < n; i++)
    zero(f[i]);
}
static void squares(vec *restrict f, double *restrict o, int n) {
  for (int i = 0; i < n; i++)
    o[i] = dot3(f[i], f[i]);
}
static void all_series(double *restrict o, int n) {
  for (int i = 0; i < n; i++)
    o[i] = series(o[i], i % 7);
}
static void walks(const unsigned char *restrict p, int *restrict o, int n) {
  for (int i = 0; i < n; i++)
    o[i] = walked(p + i, 4);
}
static void notes(double *restrict o, int n) {
  for (int i = 0; i < n; i++)
    o[i] = note(o[i]);
}
static void keeps(double *restrict o, int n) {
  for (int i = 0; i < n; i++)
    kept(&o[i]);
}
static void by_later(double *restrict o, const double *restrict t, int n) {
  for (int i = 0; i < n; i++) {
    double f;
    double r = later(t, o[i], &f);
    o[i] = f + r;
  }
}
static void into_element(double *restrict o, const double *restrict t, int n) {
  for (int i = 0; i < n; i++) {
    double r = later(t, o[i], o + i);
    o[i] += r;
  }
}
static void perhaps(const double *bias, double *restrict o, int n) {
  for (int i = 0; i < n; i++)
    o[i] += (bias != NULL) ? bias[i] : 0.5;
}
static void nothing(double *d, double *restrict o, int n) {
  for (int i = 0; i < n; i++) {
    if (d == NULL)
      o[i] -= 1;
    else
      d[i] += o[i];
  }
}
static double later(const double *t, double r, double *f) {
  const double *tt = t + 1;
  int k = (int)r;
  double x;
  x = tt[k & 3] * r;
  *f = x;
  return x * 2;
}

static vec f[1000];
static double o[1000], d[1000], t[8] = {1, 2, 3, 4, 5, 6, 7, 8};
static unsigned char p[1100];
static int k[1000];

int main(int count, char **arguments) {
  int n = count > 1 ? atoi(arguments[1]) : 5;
  for (int i = 0; i < 1000; i++)
    f[i][0] = i, f[i][1] = 2 * i, f[i][2] = 3, o[i] = i * 0.25, p[i] = i * 7;
  squares(f, o, n);
  zeros(f, n / 2);
  all_series(o, n);
  walks(p, k, n);
  notes(o, n);
  keeps(o, n);
  by_later(o, t, n);
  into_element(o, t, n);
  perhaps(NULL, o, n);
  perhaps(d, o, n);
  nothing(NULL, o, n);
  nothing(d, o, n);
  unsigned long sum = noted;
  for (int i = 0; i < 1000; i++) {
    double all = o[i] + 3 * d[i] + 5 * k[i] + f[i][0] + f[i][1] * 2 + f[i][2];
    sum = sum * 31 + (unsigned long)(long)(64 * all);
  }
  printf("%lu\n", sum);
}
