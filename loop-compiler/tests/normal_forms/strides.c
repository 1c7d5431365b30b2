// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Subscripts with several strides that are parameters, which may also be negative, zero or too small: each function is called with
// many of them, and prints what it made.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

enum { ALL = 1 << 14, MIDDLE = 6000 };
static float a[ALL], s[ALL];
static unsigned char bytes[2000];

struct planes {
  int n, h, w, pitch;
  long plane;
  float *v;
};

static void planes(struct planes *out, const float *restrict from) {
  for (int p = 0; p < out->n; p++) {
    float *d = out->v + p * out->plane;
    for (int y = 0; y < out->h; y++)
      for (int x = 0; x < out->w; x++)
        d[y * out->pitch + x] = d[y * out->pitch + x] / 2 + from[x] + p + 3 * y;
  }
}

struct tensor {
  ptrdiff_t dim[3], stride[3];
  float *data;
};

static void tensor(struct tensor *t, const float *restrict from) {
  for (int c = 0; c < t->dim[0]; c++)
    for (int h = 0; h < t->dim[1]; h++) {
      float *row = t->data + c * t->stride[0] + h * t->stride[1];
      for (int w = 0; w < t->dim[2]; w++)
        row[w * t->stride[2]] += from[w] * (c + 1) + h;
    }
}

static void images(int n, int outputs, int channels, int h, int w, float *restrict to) {
  for (int b = 0; b < n; b++)
    for (int c = 0; c < channels; c++)
      for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
          to[b * outputs + (c * h + y) * w + x] += b + 2 * c + 3 * y + 5 * x;
}

static void wide(ptrdiff_t n, ptrdiff_t m, ptrdiff_t row, ptrdiff_t plane, float *restrict to) {
  for (ptrdiff_t i = 0; i < n; i++)
    for (ptrdiff_t j = 1; j <= n; j++)
      for (ptrdiff_t k = 0; k < m; k++)
        to[i * plane + (j - 1) * row + k] += i + 2 * j + 3 * k;
}

static void increments(int n, float *y, int by) {
  int at = 3;
  for (int i = 0; i < n; i++) {
    y[at] = y[at] / 2 + i;
    at += by;
  }
}

static void diagonal(int n, float *m) {
  int at = 0;
  for (int i = 0; i < n; i++) {
    m[at] = i;
    at += n + 1;
  }
}

static void halves(float *restrict to, const float *restrict from, int w, int h) {
  for (int y = 0; y < h / 2; y++)
    for (int x = 0; x < w / 2; x++)
      to[y * (w / 2) + x] = from[2 * y * w + 2 * x] + 1;
}

static void tiles(float *restrict to, const float *restrict from, long rows, long columns, long apart) {
  for (long first = 0; first < rows; first += 8) {
    const long end = first + 8 < rows ? first + 8 : rows;
    for (long c = 0; c < columns; c++)
      for (long r = first; r < end; r++)
        to[c * apart + r] += from[r * columns + c];
  }
}

static void named(struct planes *out) {
  for (int y = 0; y < out->h; y++) {
    const int row = y * out->pitch, next = row + out->w;
    for (int x = 0; x < out->w; x++)
      out->v[row + x] += y + x + next;
  }
}

/* The elements move to the front: other distances than those from which they come. */
static void tightened(int n, int m, float *t) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      t[i * m + j] = t[i * (m + 1) + j] + 1;
}

static void hashed(unsigned n, unsigned factor, float *restrict to) {
  for (unsigned i = 0; i < n; i++)
    to[(i * 2654435761u) >> 24] = i;
  for (unsigned i = 0; i < n; i++)
    to[(i * factor) >> 20] += i;
}

static void behind(unsigned n, float *restrict to) {
  for (unsigned i = 6; i < n; i++)
    to[i + 4294967290u] = to[i] + i;
}

static void shifted(unsigned n, unsigned by, float *restrict to, const float *restrict from) {
  for (unsigned i = 1; i < n; i++)
    to[i + by] = from[i] + 1;
}

static void turned(unsigned n, float *restrict to) {
  for (unsigned i = 0; i < n; i++) {
    int distance = i - 3;
    to[distance + 3] += distance;
  }
}

static void square(unsigned n, unsigned m, float *restrict to) {
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < m; j++)
      to[i * m + j] += i;
}

static void large(size_t n, size_t by, float *restrict to) {
  for (size_t i = 1; i < n; i++)
    to[i + by] = to[i + by] / 2 + i;
}

static void narrowed(long n, long first, float *restrict to) {
  for (long i = 0; i < n; i++) {
    int at = (int) (first + i);
    to[at] += i;
  }
}

static void apply(unsigned char *px, int w, int h, ptrdiff_t stride) {
  for (int y = 0; y < h; ++y, px += stride) {
    unsigned char *p = px, *end = px + w;
    while (p < end) {
      *p = *p + y + 1;
      ++p;
    }
  }
}

static void colors(unsigned char *restrict to, int w, int h) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      for (int c = 0; c < 3; c++)
        to[(y * w + x) * 3 + c] += y + x + c;
}

static void print(const char *name) {
  unsigned long sum = 0;
  for (int i = 0; i < ALL; i++)
    sum = sum * 31 + (unsigned long)(long) a[i];
  printf("%s %lu\n", name, sum);
  for (int i = 0; i < ALL; i++)
    a[i] = i % 7;
}

int main(int count, char **arguments) {
  int n = count > 1 ? atoi(arguments[1]) : 7;
  int few = n % 5, some = n % 9;
  float *middle = a + MIDDLE;
  for (int i = 0; i < ALL; i++)
    s[i] = i % 11;
  print("begin");
  for (int pitch = -8; pitch < 12; pitch += 4) {
    increments(n, middle, pitch);
    print("increments");
    tiles(middle, s, n, few, 3 * pitch);
    print("tiles");
    struct planes rows = {1, some, 6, pitch, 0, middle};
    named(&rows);
    print("named");
    for (int plane = -40; plane < 100; plane += 20) {
      struct planes p = {some, few, 6, pitch, plane, middle};
      planes(&p, s);
      print("planes");
      struct tensor t = {{some, few, 6}, {plane, pitch, n % 3}, middle};
      tensor(&t, s);
      print("tensor");
      struct tensor u = {{some, 6, few}, {plane, 1, pitch}, middle};
      tensor(&u, s);
      print("tensor, columns first");
      images(some, plane, few, 3, pitch, middle);
      print("images");
      wide(n % 6, 6, pitch, plane, middle);
      print("wide");
    }
  }
  for (int w = -3; w < 9; w++) {
    halves(middle, s, w, some);
    print("halves");
  }
  hashed(n * 40, 123456789, a);
  print("hashed");
  behind(n, a);
  print("behind");
  shifted(n, 0, middle, s);
  shifted(n, -1, middle + 900, s);
  print("shifted");
  turned(n, a);
  print("turned");
  square(some, few, a);
  print("square");
  large(n, 5, a);
  large(n, (size_t)-1, a);
  print("large");
  narrowed(n, 3, middle);
  narrowed(n, (1l << 32) + 1, middle);
  print("narrowed");
  apply(bytes, few, some, 7);
  apply(bytes, 7, some, few);
  colors(bytes, some, few);
  for (int i = 0; i < 2000; i++)
    a[i] = bytes[i];
  print("bytes");
  diagonal(n % 100, a);
  print("diagonal");
  tightened(some, 5, middle);
  print("tightened");
  return 0;
}
