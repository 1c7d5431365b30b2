// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Functions that a header has for each file.
typedef double vec[3];

static void zero(vec a) {
  a[0] = 0.0;
  a[1] = 0.0;
  a[2] = 0.0;
}

static inline double dot3(const double *a, const double *b) {
  int i;
  double s = 0;
  for (i = 0; i < 3; i++)
    s += a[i] * b[i];
  return s;
}

static inline double series(double x, int n) {
  double r = 0;
  for (int i = 0; i < n; i++) {
    int t = 2;
    t++;
    t += i;
    r += t * x;
  }
  return r;
}

static inline int walked(const unsigned char *p, int n) {
  int sum = 0;
  while (n--)
    sum += *p++;
  return sum;
}

static int noted;

static inline double note(double x) {
  noted++;
  return x + 1;
}

static inline void kept(double *x) {
  static double before;
  double now = *x;
  *x += before;
  before = now;
}
