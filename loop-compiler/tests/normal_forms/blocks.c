// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Blocks of flat arrays: strides that are variables, and loops that begin at the product of two. Each function is called with many
// sizes, also with steps that turn a number without a sign back, and prints what it made.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

enum { ALL = 1 << 14, MIDDLE = 6000 };
static float a[ALL], s[400];

static void spaced(float *x, size_t n, size_t by) {
  for (size_t i = 0; i < n; i += by)
    x[i] = x[i] / 2 + i;
}

static void spaced_int(float *x, int n, int by) {
  for (int i = 0; i <= n; i += by)
    x[i] = x[i] / 2 + i;
}

static void spaced_short(float *x, unsigned n, unsigned first, unsigned by) {
  for (unsigned i = first; i < n; i += by)
    x[i] += i;
}

/* With a step of (size_t) -1 from the end to the begin. */
static long downwards(float *x, size_t n, size_t by) {
  long count = 0;
  for (size_t i = n - 1; i < n; i += by) {
    x[i] += 2 * i;
    count++;
  }
  return count;
}

/* The counter itself is in no subscript. */
static void taken(const float *restrict x, float *restrict y, size_t n, size_t by) {
  size_t k = 0;
  for (size_t i = 1; i < n; i += by) {
    y[k] = x[k] + 1;
    k++;
  }
}

static void chunks(float *x, size_t size, size_t align) {
  for (size_t at = 0; at + align <= size; at += align)
    x[at] = x[at] / 2 + at;
}

static void halves(float *x, ptrdiff_t n, ptrdiff_t d) {
  for (ptrdiff_t i = 0; i + d < n; i += 2 * d) {
    float left = x[i], right = x[i + d];
    x[i] = left + right;
    x[i + d] = left - right;
  }
}

static void butterflies(float *x, size_t n, size_t len) {
  for (size_t base = 0; base < n; base += 2 * len)
    for (size_t i = base; i < base + len; i++) {
      float left = x[i], right = x[i + len];
      x[i] = (left + right) / 2;
      x[i + len] = (left - right) / 2;
    }
}

static void butterflies_int(float *x, int n, int len) {
  for (int base = 0; base < n; base += 2 * len)
    for (int k = 0; k < len; k++) {
      float left = x[base + k], right = x[base + k + len];
      x[base + k] = (left + right) / 2;
      x[base + k + len] = (left - right) / 2;
    }
}

static void rows(float *x, int h, int w) {
  for (int r = 0; r < h; r++)
    for (int i = r * w; i < (r + 1) * w; i++)
      x[i] = x[i] / 2 + r;
}

static void rows_size(float *x, size_t h, size_t w) {
  for (size_t r = 0; r < h; r++)
    for (size_t i = r * w; i < r * w + w; i++)
      x[i] = x[i] / 2 + r;
}

static void rows_back(float *x, long h, long w) {
  for (long r = 0; r < h; r++)
    for (long i = r * w + w - 1; i >= r * w; i--)
      x[i] = x[i] / 2 + r - i;
}

static void every_third(float *x, long h, long w) {
  for (long r = 0; r < h; r++) {
    const long begin = r * w, end = begin + w;
    for (long i = begin; i < end; i += 3)
      x[i] = x[i] / 2 + r;
  }
}

static void until(float *x, long h, long w) {
  for (long r = 0; r < h; r++)
    for (long i = r * w; i != r * w + w; i++)
      x[i] = x[i] / 2 + r;
}

/* Pointers that walk along rows with a gap behind each. */
static void gaps(const float *in, float *out, int w, int h, int gap) {
  for (int y = 0; y < h; y++) {
    for (int x = 0; x < w; x++)
      *out++ = *in++ + y;
    out += gap;
  }
}

static void gaps_size(const float *in, float *out, size_t w, size_t h, size_t gap) {
  while (h--) {
    for (size_t x = w; x; x--)
      *out++ = *in++ + h;
    out += gap;
  }
}

static void gaps_down(const float *in, float *out, int w, int h, int gap) {
  for (int y = 0; y < h; y++) {
    for (int x = w; x > 0; x--)
      *out++ = *in++ + x;
    out += gap;
  }
}

static void padded(float *x, int h, int w, int pad) {
  for (int r = 0; r < h; r++)
    for (int i = 0; i < w; i++)
      x[r * (w + 2 * pad) + i + pad] = x[r * (w + 2 * pad) + i + pad] / 2 + r;
}

struct picture {
  float *plane[3];
  int w, h, pitch[3];
};

static void planes(const struct picture *in, struct picture *out) {
  for (int y = 0; y < in->h; y++) {
    const float *first = in->plane[0] + y * in->pitch[0], *second = in->plane[1] + y * in->pitch[1];
    float *sum = out->plane[0] + y * out->pitch[0], *twice = out->plane[2] + y * out->pitch[2];
    for (int x = 0; x < in->w; x++) {
      sum[x] = first[x] + second[x];
      twice[x] = 2 * second[x];
    }
  }
}

/* One sample of a row for two of the other, and three elements for each. */
static void colors(const float *in, float *out, int w, int h, int pitch, int half) {
  for (int y = 0; y < h; y++) {
    const float *row = in + (y / 2) * half;
    float *to = out + y * pitch;
    for (int x = 0; x < w; x++) {
      *to++ = row[x >> 1];
      *to++ = row[x / 2] + y;
      *to++ = x;
    }
  }
}

static const int block = 16;

static void blocked(float *x, int n) {
  for (int i = 0; i < n; i += block) {
    int end = n < i + block ? n : i + block;
    for (int k = i; k < end; k++)
      x[k] = x[k] / 2 + i;
  }
}

static void windows(float *restrict y, const float *restrict x, int h, int w) {
  for (int r = 0; r < h; r++)
    for (int i = r * w; i < r * w + w; i++)
      for (int k = 0; k < 8; k++)
        y[i] += x[i + k];
}

static void own_terms(float *restrict y, const float *restrict x, long h, long w) {
  for (long r = 0; r < h; r++)
    for (long i = r * w; i < r * w + w; i++) {
      float t[16];
      for (long k = 0; k < 16; k++)
        t[k] = x[i] + k;
      for (long k = 0; k < i - r * w; k++)
        y[i] += t[k % 16];
    }
}

static void within(float *restrict y, const float *restrict x, long h, long w) {
  for (long r = 0; r < h; r++)
    for (long i = r * w + 1; i < r * w + w; i++)
      y[i] = y[i - 1] / 2 + x[i];
}

static void last_of_row(float *restrict y, const float *restrict x, long h, long w) {
  for (long r = 0; r < h; r++) {
    float last = 0;
    for (long i = r * w; i < r * w + w; i++)
      if (x[i] > 3)
        last = x[i];
    y[r] = last;
  }
}

/* The rows overlap. */
static void overlapping(float *x, long h, long w) {
  for (long r = 0; r < h; r++)
    for (long i = r * w; i < r * w + w + 1; i++)
      x[i] = x[i] / 2 + r;
}

/* An element of the row before. */
static void chained(float *x, long h, long w) {
  for (long r = 1; r < h; r++)
    for (long i = r * w; i < r * w + w; i++)
      x[i] = x[i - w] / 2 + r;
}

/* The product of 32 bits may be beyond its type. */
static void narrow(float *x, unsigned h, unsigned w, unsigned mask) {
  for (unsigned r = 0; r < h; r++)
    for (unsigned i = r * w; i < r * w + 4; i++)
      x[i & mask] = x[i & mask] / 2 + r;
}

static void print(const char *name) {
  unsigned long sum = 0;
  for (int i = 0; i < ALL; i++)
    sum = sum * 31 + (unsigned long)(long) (16 * a[i]);
  printf("%s %lu\n", name, sum);
  for (int i = 0; i < ALL; i++)
    a[i] = i % 7;
}

int main(int count, char **arguments) {
  int n = count > 1 ? atoi(arguments[1]) : 7;
  int few = n % 5, some = n % 9;
  float *middle = a + MIDDLE;
  for (int i = 0; i < 400; i++)
    s[i] = i % 13;
  print("begin");
  for (int by = 1; by < 9; by++) {
    spaced(middle, n, by);
    print("spaced");
    spaced_int(middle, n, by);
    print("spaced_int");
    spaced_short(middle, n, by % 3, by);
    print("spaced_short");
    chunks(middle, n, by);
    print("chunks");
    halves(middle, n, by);
    print("halves");
    butterflies(middle, n, by);
    print("butterflies");
    butterflies_int(middle, n, by);
    print("butterflies_int");
  }
  blocked(middle, n);
  print("blocked");
  spaced(middle, n, (size_t) 1 << 63);
  spaced_short(middle, n, 0, 1u << 31);
  print("once");
  spaced_short(middle, n, 300, -2);
  print("spaced_short, which turns");
  printf("%ld\n", downwards(middle, n, -1));
  printf("%ld\n", downwards(middle, n, -3));
  print("downwards");
  taken(s, middle, n, -1);
  print("taken");
  for (int w = -3; w < 9; w++) {
    rows(middle, some, w);
    print("rows");
    rows_back(middle, some, w);
    print("rows_back");
    windows(middle, s, some, w);
    print("windows");
    own_terms(middle, s, some, w);
    print("own_terms");
    within(middle, s, some, w);
    print("within");
    last_of_row(middle, s, some, w);
    print("last_of_row");
    every_third(middle, some, w);
    print("every_third");
    overlapping(middle, some, w);
    print("overlapping");
    chained(middle, some, w);
    print("chained");
    for (int gap = -4; gap < 6; gap += 3) {
      gaps(s, middle, w, some, gap);
      print("gaps");
      gaps_down(s, middle, w, some, gap);
      print("gaps_down");
      padded(middle, some, w, gap);
      print("padded");
      colors(s, middle, w, some, 8 * gap, 5 * gap > 0 ? 5 * gap : 0);
      print("colors");
      struct picture in = {{s, s + 100, 0}, w, some, {5, 7, 0}};
      struct picture out = {{middle, 0, middle + 500}, w, some, {9 * gap, 0, gap}};
      planes(&in, &out);
      print("planes");
      if (w >= 0) {
        gaps_size(s, middle, w, some, gap);
        print("gaps_size");
      }
    }
    narrow(a, some, 1 << 30, ALL - 1);
    narrow(a, some, -w, ALL - 1);
    print("narrow");
    if (w >= 0) {
      rows_size(middle, some, w);
      print("rows_size");
      until(middle, few, w);
      print("until");
    }
  }
  return 0;
}
