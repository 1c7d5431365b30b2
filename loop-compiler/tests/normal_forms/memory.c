// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// `memcpy` and `memset` of rows: each function is called with each size, and the program prints what they made.
#include <string.h>
#include <stdio.h>
#include <stdlib.h>
typedef float real;
struct m {
  int n, pitch;
  real *v;
};
static void rows(real *restrict d, const real *restrict s, int n, int ld) {
  for (int i = 0; i < n; i++)
    memcpy(d + i * ld, s + i * n, n * sizeof(real));
}
static void zero(struct m *m) {
  for (int i = 0; i < m->n; i++) {
    memset(m->v + i * m->pitch, 0, sizeof(float) * m->n);
    m->v[i * m->pitch + i] = 1;
  }
}
static void bytes(unsigned char *restrict d, const unsigned char *restrict s, int n, int w, int c) {
  for (int i = 0; i < n; i++) {
    memcpy(&d[i * w], s, w);
    memset(d + i * w, 7, w / 2);
  }
}
static void ones(int *restrict d, int n, int w) {
  for (int i = 0; i < n; i++) {
    memset(d + i * w, -1, w * sizeof *d);
    memset(&d[i * w], 0xff, sizeof *d * w);
  }
}
static void two(double (*restrict d)[4], const double *restrict s, int n) {
  for (int i = 0; i < n; i++)
    memcpy(d[i], s + 4 * i, sizeof d[i]);
}
struct image {
  int width, height, channels, stride;
  unsigned char *data;
};
static void gray(const struct image *src, struct image *dst) {
  for (int y = 0; y < src->height; y++) {
    const unsigned char *s = src->data + y * src->stride;
    unsigned char *d = dst->data + y * dst->stride;
    for (int x = 0; x < src->width; x++) {
      d[x] = (s[0] + s[1] + s[2]) / 3;
      s += src->channels;
    }
  }
}
static int step = 2;
static int every(unsigned char *d, const unsigned char *s, int n) {
  int found = 0;
  for (int i = 0; i < n; i++) {
    *d = *s + 1;
    /* a comment */
    s += step;
    found += *d++ > 9;
  }
  return found;
}
static int moved(const struct image *m, unsigned char *d) {
  unsigned char *p = d;
  for (int x = 0; x < m->width; x++) {
    *p = x;
    p += m->channels;
  }
  return p - d;
}
static void changes_stride(struct image *m) {
  unsigned char *p = m->data;
  for (int x = 0; x < m->width; x++) {
    *p = x;
    p += m->channels;
    m->channels ^= 1;
  }
}
static float a[100000], b[100000];
static unsigned char c[100000], e[100000];
static int k[100000];
static double dd[400][4], ee[1600];
/* The number is read before the bytes change. */
static void counted(struct m *m, unsigned char *bytes) {
  for (int i = 0; i < 3; i++)
    memset(bytes + i, 0, m->n);
}
static void bools(int *restrict d, int n) {
  for (int i = 0; i < n; i++)
    memset(d + i, 1, sizeof *d);
}
int main(int count, char **arguments) {
  int n = count > 1 ? atoi(arguments[1]) : 5;
  for (int i = 0; i < 100000; i++)
    b[i] = i % 1000, e[i] = i % 100, a[i] = 3, k[i] = 5;
  for (int i = 0; i < 1600; i++)
    ee[i] = i;
  rows(a, b, n, n + 3);
  struct m m = {n, n + 5, a + 5};
  if (n % 2)
    zero(&m);
  bytes(c, e, n, n, 3);
  ones(k, n, 5);
  two(dd, ee, n);
  struct m small = {3, 0, 0};
  counted(&small, (unsigned char *) &small);
  bools(k + 9000, n);
  struct image in = {n, 7, 3, 3 * n + 1, e}, out = {n, 7, 1, n, c + 20000};
  gray(&in, &out);
  unsigned long s = small.n + every(c + 30000, e, n);
  /* What is stored changes how far the pointers move. */
  struct image one = {2, 1, 3, 40, e + 100}, other = {2, 1, 1, 12, (unsigned char *) &one.channels};
  e[100] = e[101] = e[102] = 2, e[103] = 1, e[104] = 9, e[105] = 50;
  gray(&one, &other);
  s = s * 31 + one.channels;
  struct image self = {n % 40, 1, 3, 0, c};
  s = s * 31 + moved(&self, c + 40000);
  struct image narrow = {2, 1, 1, 0, c};
  s = s * 31 + moved(&narrow, (unsigned char *) &narrow.channels);
  s = s * 31 + every((unsigned char *) &step, e, 1) + step;
  step = 2;
  struct image both = {n % 40, 1, 2, 0, c + 50000};
  changes_stride(&both);
  for (int i = 0; i < 100000; i++)
    s = s * 31 + (long) a[i] + c[i] + k[i];
  for (int i = 0; i < 400; i++)
    for (int j = 0; j < 4; j++)
      s = s * 31 + (long) dd[i][j];
  printf("%lu\n", s);
}
