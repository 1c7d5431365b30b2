// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Scalars that keep a value for the next iteration: the program prints for each size what the functions made.
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
struct pt {
  double x, y;
};
static double area(const struct pt *p, int n) {
  double twice = 0;
  for (int i = 0, j = n - 1; i < n; j = i++)
    twice += p[j].x * p[i].y - p[i].x * p[j].y;
  return twice;
}
static void delta(const int *in, int *out, unsigned long n) {
  int prev = 0;
  for (unsigned long i = 0; i < n; i++) {
    int cur = in[i];
    out[i] = cur - prev;
    prev = cur;
  }
}
static void median(const float *in, float *out, int n) {
  if (n < 3)
    return;
  float a = in[0], b = in[1];
  for (int i = 2; i < n; i++) {
    float c = in[i];
    out[i - 1] = a < b ? b < c ? b : a < c ? c : a : a < c ? a : b < c ? c : b;
    a = b;
    b = c;
  }
}
static void midpoints(const struct pt *restrict p, int n, struct pt *restrict out) {
  struct pt last = p[n - 1];
  for (int i = 0; i < n; i++) {
    struct pt cur = p[i];
    out[i].x = 0.5 * (last.x + cur.x);
    out[i].y = 0.5 * (last.y + cur.y);
    last = cur;
  }
}
static int counter(const int *in, int *out, int n) {
  static int last = 3;
  for (int i = 0; i < n; i++) {
    out[i] = in[i] + last;
    last = in[i];
  }
  return n;
}
static int kept(const int *in, int *out, int n) {
  int last = 3;
  for (int i = 0; i < n; i++) {
    out[i] = in[i] + last;
    last = in[i];
  }
  return last;
}
static void rows(const int *restrict in, int *restrict out, int n) {
  int last = 1;
  for (int k = 0; k < 3; k++) for (int i = 0; i < n; i++) {
    out[k * n + i] = in[i] + last + k;
    last = in[i];
  }
}
static void rows_again(const int *restrict in, int *restrict out, int n) {
  for (int k = 0; k < 3; k++) {
    int last = k;
    for (int i = 0; i < n; i++) {
      out[k * n + i] = in[i] + last + k;
      last = in[i];
    }
  }
}
static void down(const int *restrict in, int *restrict out, int n) {
  int last = 1;
  for (int i = n - 1; i >= 0; i -= 2) {
    out[i] = in[i] * 3 + last;
    last = in[i] * 2;
  }
}
static void narrow(const int *restrict in, int *restrict out, int n) {
  unsigned char last = 1;
  for (int i = 0; i < n; i++) {
    out[i] = in[i] * 3 + last;
    last = in[i] * 77;
  }
}
static void in_place(int *v, int n) {
  int prev = 0;
  for (int i = 0; i < n; i++) {
    int cur = v[i];
    v[i] = cur - prev;
    prev = cur;
  }
}
static void conditional(const int *restrict in, int *restrict out, int n) {
  int prev = 0;
  for (int i = 0; i < n; i++) {
    out[i] = in[i] - prev;
    if (in[i] % 3)
      prev = in[i];
  }
}
static int in[1000], out[2000];
static float f[1000], g[1000];
static struct pt p[1000], q[1000];
int main(int count, char **arguments) {
  int n = count > 1 ? atoi(arguments[1]) : 5;
  unsigned long s = 0;
  for (int i = 0; i < 1000; i++)
    in[i] = i * 37 % 101, f[i] = i * 31 % 17, p[i].x = i * 3 % 11, p[i].y = i * 7 % 13;
#define ADD s = s * 31
  ADD + (long) area(p, n);
  delta(in, out, n);
  median(f, g, n);
  if (n)
    midpoints(p, n, q);
  for (int i = 0; i < 1000; i++)
    s = s * 31 + out[i] + (long) g[i] + (long) (2 * q[i].x) + (long) (2 * q[i].y);
  delta(out, out + 1, n);
  delta(out + 1, out, n);
  delta(out, out, n);
  for (int i = 0; i < 1000; i++)
    s = s * 31 + out[i];
  counter(in, out, n);
  counter(in + 3, out + 300, n);
  s = s * 31 + kept(in, out + 600, n);
  for (int i = 0; i < 1000; i++)
    s = s * 31 + out[i];
  rows(in, out, n);
  for (int i = 0; i < 1000; i++)
    s = s * 31 + out[i];
  rows_again(in, out + 7, n);
  for (int i = 0; i < 1000; i++)
    s = s * 31 + out[i];
  down(in, out, n);
  for (int i = 0; i < 1000; i++)
    s = s * 31 + out[i];
  narrow(in, out, n);
  for (int i = 0; i < 1000; i++)
    s = s * 31 + out[i];
  in_place(out, n);
  for (int i = 0; i < 1000; i++)
    s = s * 31 + out[i];
  conditional(in, out, n);
  for (int i = 0; i < 1000; i++)
    s = s * 31 + out[i];
  printf("%lu\n", s);
}
