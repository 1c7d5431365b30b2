// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Pointers that are tested, compared, and used behind loops that move them: each function is called with each size, and prints what
// it made.
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 300, ALL = 4 * MOST + 40 };
static int a[ALL], b[ALL], c[ALL];
static unsigned char in[ALL];
static long results[2];

static int masked(const int *x, const unsigned char *mask, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    if (mask && !mask[i])
      continue;
    s += x[i];
  }
  return s;
}
static void two_outputs(int *restrict d, int *restrict e, const int *restrict x, int n) {
  for (int i = 0; e && i < n; i++)
    e[i] = -1;
  for (int i = 0; i < n; i++) {
    if (d)
      d[i] = x[i] + 1;
    if (e != NULL)
      e[i] = x[i] - 1;
    if (NULL == d)
      e[i] += 100;
  }
}
static int chosen(const int *x, const int *y, int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    s += y ? y[i] : x ? x[i] : 1;
  return s;
}
struct option {
  const int *weights;
  int scale, stride;
};
static int in_structure(const int *x, struct option o, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    int v = o.scale * x[i];
    if (o.weights)
      v *= o.weights[i];
    s += v;
  }
  return s;
}
static int columns(const int *x, struct option o, int n) {
  int s = 0;
  for (int j = 0; j < 3; j++) {
    const int *p = x + j;
    for (int i = 0; i < n; i++, p += o.stride)
      s += (j + 1) * *p;
  }
  return s;
}
static int changed_member(const int *x, struct option o, int n) {
  int s = 0;
  const int *p = x;
  for (int i = 0; i < n; i++, p += o.stride) {
    if (i % 10 == 3)
      o.stride ^= 1;
    s += *p;
  }
  return s;
}
static int null_inside(const int *x, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    const int *p = x + i;
    const int *q = 0;
    if (p)
      s += *p;
    if (q)
      s += 1000;
  }
  return s;
}
static int rank(const int *x, int n) {
  int r = 0;
  for (const int *p = x; p < x + n; p++)
    for (const int *q = x; q < x + n; q++)
      r += *q < *p || (*q == *p && q < p);
  return r;
}
static long places(const int *x, int n) {
  long s = 0;
  for (const int *p = x; p != x + n; p++)
    if (*p & 1)
      s += (p - x) * 3;
  return s;
}
static int behind(int *r, const int *a, int n) {
  for (int i = 0; i < n; i++)
    *r++ = 2 * *a++;
  *r = 7;
  return *a;
}
static int behind_in_loop(int *restrict r, const int *restrict a, int n, int m) {
  for (int j = 0; j < m; j++) {
    int *line = r;
    for (int i = 0; i < n; i++)
      *r++ = *a++ + j;
    if (line[0] > 80)
      r -= n;
    a++;
  }
  *r = -5;
  return *a;
}
static int both_behind(const int *p, int n) {
  const int *q = p + 2;
  int s = 0;
  for (int i = 0; i < n; i++)
    s += *p++ * *q++;
  return s + *p - *q;
}
static int tail(const unsigned char *p, int n) {
  int s = 0;
  const unsigned char *even = p + (n & ~1);
  for (; p < even; p += 2)
    s += p[0] << 8 | p[1];
  if (n & 1)
    s += *p << 8;
  return s;
}
static int stepped(const int *p, int n, int step) {
  int s = 0;
  for (int i = n; i > 0; i--) {
    s += *p;
    p += step;
  }
  return s + *p;
}
static int returns_between(int *p, int n) {
  for (int i = 0; i < n; i++) {
    if (*p == 3)
      return i;
    p++;
  }
  *p = 1;
  return -*p;
}
static int shift = 5;
static int shifted(int v) { return v + shift; }
static void with_global(int *x, int n) {
  int shift = 1000;
  for (int i = 0; i < n; i++) {
    x[i] = shifted(x[i]);
    x[i] += shift;
  }
}
static int doubled(int v) { return v + v; }
static int through(int v) { return doubled(v) + abs(v - 40); }
static void with_function(int *x, int n) {
  int doubled = 3, abs = 4;
  for (int i = 0; i < n; i++) {
    x[i] = through(x[i]) + doubled;
    x[i] -= abs;
  }
}
static int set_later(int *to, int v);
static void with_later(int *x, int n) {
  for (int i = 0; i < n; i++)
    if (set_later(&x[i], i))
      x[i]++;
}
static int later[3] = {4, 5, 6};
static int set_later(int *to, int v) {
  *to = later[v % 3];
  return v & 1;
}

static void fill(void) {
  for (int i = 0; i < ALL; i++) {
    a[i] = (int) ((unsigned) i * 2654435761u >> 20) % 97;
    b[i] = (int) ((unsigned) i * 40503u >> 3) % 89;
    c[i] = i;
    in[i] = (unsigned char) (a[i] % 3);
  }
}
static void print(const char *name) {
  unsigned long hash = 1469598103934665603ul;
  const int *const all[3] = {a, b, c};
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < ALL; i++)
      hash = (hash ^ (unsigned) all[k][i]) * 1099511628211ul;
  printf("%s %lx %ld\n", name, hash, results[0]);
  fill();
}

int main(int count, char **arguments) {
  int n = count > 1 ? atoi(arguments[1]) : MOST;
  fill();
  results[0] = masked(a, in, n);
  print("masked");
  results[0] = masked(a, 0, n);
  print("masked none");
  two_outputs(c, b, a, n);
  print("two_outputs");
  two_outputs(c, 0, a, n);
  print("two_outputs one");
  two_outputs(0, c, a, n);
  print("two_outputs other");
  results[0] = chosen(a, b, n);
  print("chosen");
  results[0] = chosen(a, 0, n);
  print("chosen first");
  results[0] = chosen(0, 0, n);
  print("chosen none");
  results[0] = in_structure(a, (struct option) {b, 3, 1}, n);
  print("in_structure");
  results[0] = in_structure(a, (struct option) {0, 3, 1}, n);
  print("in_structure none");
  results[0] = columns(a, (struct option) {0, 1, 3}, n);
  print("columns");
  results[0] = columns(a + n, (struct option) {0, 1, -1}, n);
  print("columns back");
  results[0] = changed_member(a, (struct option) {0, 1, 2}, n);
  print("changed_member");
  results[0] = null_inside(a, n);
  print("null_inside");
  results[0] = rank(a, n);
  print("rank");
  results[0] = places(a, n);
  print("places");
  results[0] = behind(c, a, n);
  print("behind");
  results[0] = behind(a, a, n);
  print("behind same");
  results[0] = behind_in_loop(c, a, n / 8, 7);
  print("behind_in_loop");
  results[0] = both_behind(a, n);
  print("both_behind");
  results[0] = tail(in, n);
  print("tail");
  results[0] = stepped(a, n, 2);
  print("stepped");
  results[0] = stepped(a + n, n, -1);
  print("stepped back");
  results[0] = returns_between(a, n);
  print("returns_between");
  with_global(a, n);
  print("with_global");
  with_function(a, n);
  print("with_function");
  with_later(a, n);
  print("with_later");
  return 0;
}
