// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Loops that end early: whose counter is used behind them, which are inside others, and which leave the function. Each function is
// called where nothing is found, and where something is at each place.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

enum { ALL = 400 };
static int a[ALL], leads[ALL];
static float f[ALL];

struct table {
  int rows, cols;
  const int *cell;
  ptrdiff_t stride;
};

static void leading(const struct table *t, int *lead) {
  for (int r = 0; r < t->rows; r++) {
    const int *row = t->cell + r * t->stride;
    int c;
    for (c = 0; c < t->cols; c++)
      if (row[c] != 0)
        break;
    lead[r] = c;
  }
}

static int behind(const int *v, int n, int key) {
  int i;
  for (i = 0; i < n; i++)
    if (v[i] == key)
      break;
  return i;
}

static int computed(const int *v, int n, int key) {
  int i;
  for (i = 0; i < n; i++) {
    int d = v[i] - key;
    d *= d;
    if (d < 2)
      break;
  }
  return i;
}

static int counted(const int *v, int n, int key) {
  int i = 0;
  while (i < n && v[i] != key)
    i++;
  return i;
}

static int onwards(const int *v, int n, int key, int k) {
  while (k < n && v[k] != key)
    k++;
  return k;
}

static int backwards(const int *v, int key, int k) {
  while (k > 0 && v[k - 1] != key)
    k--;
  return k;
}

static int stopped(const int *v, int key, int k) {
  while (k > 0) {
    if (v[k - 1] == key)
      break;
    k--;
  }
  return k;
}

static int between(const int *v, int n, int key, int k) {
  for (; k < n; k++) {
    int d = v[k] - key;
    if (d > 0 && d < 3)
      break;
  }
  return k;
}

static long last(const int *v, long n, int key) {
  long i;
  for (i = n - 1; i >= 0; i--) {
    if (v[i] == key)
      break;
  }
  return i;
}

static int noted(const int *v, int n, int key, int *count) {
  int i;
  for (i = 0; i < n; i++) {
    if (v[i] == key) {
      *count = v[i] + 3;
      break;
    }
  }
  return i;
}

static int either(const int *v, int n, int key) {
  int i;
  for (i = 0; i < n; i += 2) {
    if (v[i] == key)
      break;
    if (v[i] > 1000)
      return -1;
  }
  return i;
}

static int pairs(const int *v, int n) {
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++)
      if (v[i] == v[j])
        return i;
  return -1;
}

static int last_row(const int *v, int h, int w) {
  for (int r = h - 1; r >= 0; r--) {
    const int *row = v + r * w;
    for (int c = 0; c < w; c++)
      if (row[c])
        return r;
  }
  return -1;
}

static int rows(const int (*row)[3], int n, int most) {
  for (int t = 0; t < n; t++) {
    for (int k = 0; k < 3; k++)
      if (row[t][k] >= most)
        return 1;
    if (row[t][0] == row[t][1] && row[t][0])
      return 2;
  }
  return 0;
}

static size_t differs(const int *v, const int *w, size_t n) {
  size_t at = n;
  for (size_t i = 0; i < n; ++i) {
    if (v[i] == w[i])
      continue;
    at = i;
    break;
  }
  return at;
}

static size_t differs_and(const int *v, const int *w, size_t n, int key) {
  for (size_t i = 0; i < n; ++i) {
    if (v[i] == w[i])
      continue;
    if (v[i] >= key)
      return i;
  }
  return n;
}

static int sums(const int *v, int n) {
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++)
      for (int k = j + 1; k < n; k++)
        if (v[i] + v[j] + v[k] == 9)
          return 100 * i + 10 * j + k;
  return -1;
}

static void left(const int *v, int n, int *out) {
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++)
      if (v[i] + v[j] == 5)
        return;
  *out = 3;
}

/* The first that is not less, also one that is not a number. */
static int unordered(const float *v, int n, float key) {
  for (int i = 0; i < n; i++) {
    if (v[i] < key)
      continue;
    return i;
  }
  return -1;
}

/* What it finds is used in the next iteration. */
static int staircase(const int *v, int h, int w) {
  int c = w, below = 0;
  for (int r = 0; r < h; r++) {
    while (c > 0 && v[r * w + c - 1] > 2)
      c--;
    below += c;
  }
  return below;
}

static void all(int n) {
  int few = n < 18 ? n : 18, count = 0, out = 0;
  struct table t = {n / 20, n < 20 ? n : 20, a, 20};
  leading(&t, leads);
  for (int r = 0; r < t.rows; r++)
    printf("%d ", leads[r]);
  printf("%d %d %d", behind(a, n, 7), computed(a, n, 7), counted(a, n, 7));
  for (int k = 0; k <= n; k += 1 + n / 3)
    printf(" %d %d %d %d", onwards(a, n, 7, k), backwards(a, 7, k), stopped(a, 7, k), between(a, n, 5, k));
  printf(" %ld", last(a, n, 7));
  printf(" %d", noted(a, n, 7, &count));
  printf(" %d %d %d", count, either(a, n, 7), pairs(a, few));
  printf(" %d %d", last_row(a, n / 7, 7), rows((const int (*)[3]) a, n / 3, 7));
  printf(" %zu %zu", differs(a, leads + 200, n < 200 ? n : 200), differs_and(a, leads + 200, n < 200 ? n : 200, 6));
  printf(" %d", sums(a, few));
  left(a, few, &out);
  printf(" %d %d %d\n", out, unordered(f, n, 1), staircase(a, n / 20, 20));
}

int main(int count, char **arguments) {
  int n = count > 1 ? atoi(arguments[1]) : 7;
  all(n);
  for (int at = 0; at < n; at += 1 + n / 9) {
    a[at] = 7;
    f[at] = at % 2 ? 2 : __builtin_nanf("");
    all(n);
    a[at] = 0;
    f[at] = 0;
  }
  for (int i = 0; i < ALL; i++)
    a[i] = i * 7 % 11;
  all(n);
  a[n / 2] = 2000;
  all(n);
  for (int i = 0; i < ALL; i++)
    a[i] = 1;
  all(n);
  return 0;
}
