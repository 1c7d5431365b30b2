// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The forms of scans, of elements of the type T, with what they leave behind: for each form and size a hash of all results.
// Where T is a float, the values are such that no operation rounds, unless ROUNDED is defined. With INTEGER, T is an integer,
// with UNSIGNED it wraps around.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORM(name) \
  static void name(int n, const T *restrict a, const T *restrict f, const int *restrict k, T *restrict b, T *restrict c, T *last)

FORM(inclusive) {
  T s = *last;
#pragma scop
  for (int i = 0; i < n; i++) {
    s += a[i];
    b[i] = s;
  }
#pragma endscop
  *last = s;
}

FORM(exclusive) {
  T s = *last;
#pragma scop
  for (int i = 0; i < n; i++) {
    b[i] = s;
    s = a[i] + s;
  }
#pragma endscop
  *last = s;
}

FORM(both_uses) {
  T s = *last;
#pragma scop
  for (int i = 0; i < n; i++) {
    T x = a[i] * 2;
    b[i] = s + x;
    s -= x;
    c[i] = s - a[i];
  }
#pragma endscop
  *last = s;
}

FORM(in_place) {
  T s = *last;
#pragma scop
  for (int i = 0; i < n; i++) {
    s += b[i];
    b[i] = s;
  }
#pragma endscop
  *last = s;
}

FORM(elements) {
#pragma scop
  for (int i = 1; i < n; i++)
    b[i] = b[i - 1] + a[i];
#pragma endscop
}

FORM(updates) {
#pragma scop
  for (int i = 1; i < n; i++)
    b[i] += b[i - 1];
#pragma endscop
}

FORM(backwards) {
#pragma scop
  for (int i = n - 2; i >= 0; i--)
    b[i] = a[i] + b[i + 1];
#pragma endscop
}

FORM(downwards) {
  T s = *last;
#pragma scop
  for (long i = n - 1; i >= 0; i -= 3) {
    s += a[i];
    b[i] = s;
  }
#pragma endscop
  *last = s;
}

FORM(guarded) {
  T s = *last;
#pragma scop
  for (int i = 0; i < n; i++) {
    if (k[i] > 1)
      s += a[i];
    b[i] = s;
  }
#pragma endscop
  *last = s;
}

FORM(counted) {
  int m = 7;
#pragma scop
  for (int i = 0; i < n; i++) {
    b[i] = m;
    if (k[i] > 1)
      m++;
  }
#pragma endscop
  *last = m;
}

FORM(two) {
  T s = *last, t = 1;
#pragma scop
  for (int i = 0; i < n; i++) {
    s += a[i];
    t += a[i] * k[i];
    b[i] = s - t;
  }
#pragma endscop
  *last = s + t;
}

FORM(with_a_reduction) {
  T s = *last, t = 1;
#pragma scop
  for (int i = 0; i < n; i++) {
    s += a[i];
    t += a[i] * k[i];
    b[i] = s;
  }
#pragma endscop
  *last = s + t;
}

FORM(inner_loop) {
  T s = *last;
#pragma scop
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < k[i]; j++)
      s += a[i] + j;
    b[i] = s;
  }
#pragma endscop
  *last = s;
}

FORM(one_element) {
#pragma scop
  for (int i = 0; i < n; i++) {
    c[0] += a[i];
    b[i] = c[0];
  }
#pragma endscop
}

FORM(products) {
  T s = 1;
#pragma scop
  for (int i = 0; i < n; i++) {
    s *= f[i];
    b[i] = s;
  }
#pragma endscop
  *last = s;
}

FORM(least) {
  T s = *last;
#pragma scop
  for (int i = 0; i < n; i++) {
    if (a[i] < s)
      s = a[i];
    b[i] = s;
  }
#pragma endscop
  *last = s;
}

FORM(greatest) {
  T s = *last;
#pragma scop
  for (int i = 0; i < n; i++) {
    b[i] = s;
    s = a[i] * k[i] > s ? a[i] * k[i] : s;
  }
#pragma endscop
  *last = s;
}

#ifdef INTEGER
FORM(bits) {
  T s = *last, t = -1, u = 0;
#pragma scop
  for (int i = 0; i < n; i++) {
    s ^= a[i];
    t &= a[i] | (-2 - i % 8);
    u |= a[i] & 1 << i % 20;
    b[i] = s;
    c[i] = t + u;
  }
#pragma endscop
  *last = s + t + u;
}

FORM(conditions) {
  int s = 1, t = 0;
#pragma scop
  for (int i = 0; i < n; i++) {
    s = s && k[i] < 5;
    t = t || k[i] > 4;
    b[i] = s;
    c[i] = t;
  }
#pragma endscop
  *last = s + 2 * t;
}
#endif

FORM(linear) {
  T x = *last;
#pragma scop
  for (int i = 0; i < n; i++) {
    x = f[i] * x + a[i];
    b[i] = x;
  }
#pragma endscop
  *last = x;
}

FORM(linear_update) {
  T x = *last, g;
#pragma scop
  for (int i = 0; i < n; i++) {
    g = f[i] - 1;
    b[i] = x + g;
    x += g * x - a[i];
  }
#pragma endscop
  *last = x;
}

FORM(linear_last) {
  T x = *last;
#pragma scop
  for (int i = 0; i < n; i++)
    x = a[i] - x;
#pragma endscop
  *last = x;
}

FORM(two_last) {
  T x = *last, y = 1;
#pragma scop
  for (int i = 0; i < n; i++) {
    T g = f[i];
    x = g * x + a[i];
    if (k[i] > 0)
      y = k[i] - y * g;
  }
#pragma endscop
  *last = x + y;
}

FORM(linear_elements) {
#pragma scop
  for (int i = 1; i < n; i++)
    b[i] = (b[i - 1] - a[i]) * f[i];
#pragma endscop
}

FORM(linear_backwards) {
#pragma scop
  for (int i = n - 2; i >= 0; i--)
    b[i] = f[i] * b[i + 1] + a[i];
#pragma endscop
}

#ifdef UNSIGNED
FORM(polynomial) {
  T x = *last;
#pragma scop
  for (int i = 0; i < n; i++) {
    x = 31 * x + a[i];
    b[i] = x;
  }
#pragma endscop
  *last = x;
}
#endif

static unsigned long hash(unsigned long seed, const void *bytes, size_t count) {
  for (size_t i = 0; i < count; i++)
    seed = (seed ^ ((const unsigned char *) bytes)[i]) * 1099511628211ul;
  return seed;
}

#define RUN(name) \
  do { \
    for (int i = 0; i < n; i++) \
      b[i] = a[n - 1 - i], c[i] = a[i]; \
    T last = 5; \
    name(n, a, f, k, b, c, &last); \
    printf("%s %d %lx\n", #name, n, hash(hash(hash(1, b, n * sizeof *b), c, n * sizeof *c), &last, sizeof last)); \
  } while (0)

int main(int argc, char **argv) {
  for (int size = 1; size < argc; size++) {
    int n = atoi(argv[size]);
    T *a = malloc((n + 1) * sizeof *a), *b = malloc((n + 1) * sizeof *b), *c = malloc((n + 1) * sizeof *c);
    T *f = malloc((n + 1) * sizeof *f);
    int *k = malloc((n + 1) * sizeof *k);
    for (int i = 0; i < n; i++) {
      k[i] = i * 29 % 31 % 5;
#ifdef ROUNDED
      a[i] = (T) 1 / (i % 1000 + 3);
      f[i] = 1 - (T) 1 / (i % 77 + 3000);
#else
      a[i] = i * 37 % 23 % 7 - 3;
      f[i] = 1 - i * 13 % 17 % 2 * 2;
#endif
    }
    RUN(inclusive);
    RUN(exclusive);
    RUN(both_uses);
    RUN(in_place);
    RUN(elements);
    RUN(updates);
    RUN(backwards);
    RUN(downwards);
    RUN(guarded);
    RUN(counted);
    RUN(two);
    RUN(with_a_reduction);
    RUN(inner_loop);
    RUN(one_element);
    RUN(products);
    RUN(least);
    RUN(greatest);
#ifdef INTEGER
    RUN(bits);
    RUN(conditions);
#endif
    // A factor of 0, too.
    for (int i = 0; i < n; i += 50)
      f[i] = 0;
    RUN(linear);
    RUN(linear_update);
    RUN(linear_last);
    RUN(two_last);
    RUN(linear_elements);
    RUN(linear_backwards);
#ifdef UNSIGNED
    RUN(polynomial);
#endif
    free(a), free(b), free(c), free(f), free(k);
  }
  return 0;
}
