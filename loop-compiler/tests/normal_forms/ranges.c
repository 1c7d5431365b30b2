// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Two pointers of the caller's into one array, from the first element to behind the last one.
#include <stdio.h>
#include <stdlib.h>
static int total(const int *p, const int *end) {
  int s = 0;
  while (p != end)
    s += *p++;
  return s;
}
static int total2(const int *first, const int *last) {
  int s = 0;
  for (const int *p = first; p < last; ++p)
    s += *p * 2;
  return s;
}
static void reverse(int *lo, int *hi) {
  while (lo < hi) {
    int t = *lo;
    *lo++ = *hi;
    *hi-- = t;
  }
}
static void fill(int *it, int *end, int first) {
  while (it != end) {
    *it = first++;
    it++;
  }
}
static int back(const int *start, const int *end) {
  int s = 0;
  while (end > start && s < 1000) {
    --end;
    s += *end;
  }
  return s;
}
static int backs(const int *start, const int *end) {
  int s = 0;
  while (end > start) {
    --end;
    s += *end;
  }
  return s;
}
static void shift(int *p, int *end) {
  for (; p + 1 < end; p++)
    p[0] = p[1] + 1;
}
static void rows(int *p, int *end, int w) {
  while (p < end) {
    for (int i = 0; i < w; i++)
      p[i] = i + 1;
    p += w;
  }
}
static int both(int *p, int *end) {
  int s = 0;
  end[-1] = 3;
  for (; p < end; p++)
    s += *p;
  return s;
}
struct item {
  int key;
  double value;
};
static int keys(struct item *it, struct item *end) {
  int s = 0;
  for (; it != end; ++it) {
    s += it->key;
    it->key = 0;
  }
  return s;
}
static const char *skip(const char *p, const char *end) {
  while (p < end && *p == ' ')
    p++;
  return p;
}
static int a[2000];
static struct item t[400];
static char text[500];
int main(int count, char **arguments) {
  int n = count > 1 ? atoi(arguments[1]) : 5;
  unsigned long s = 0;
  for (int i = 0; i < 2000; i++)
    a[i] = i * 37 % 101;
  for (int i = 0; i < 400; i++)
    t[i].key = i * 7 % 13;
  for (int i = 0; i < 500; i++)
    text[i] = i < n / 2 ? ' ' : 'x';
  s = s * 31 + total(a, a + n) + total2(a + 1, a + n) * 7;
  if (n)
    reverse(a, a + n - 1);
  fill(a + 500, a + 500 + n, 3);
  s = s * 31 + back(a, a + n);
  s = s * 31 + backs(a, a + n);
  shift(a + 900, a + 900 + n);
  rows(a + 1300, a + 1300 + n, 2);
  if (n)
    s = s * 31 + both(a, a + n);
  s = s * 31 + total(NULL, NULL) + (skip(text, text + n) - text);
  s = s * 31 + keys(t, t + n);
  for (int i = 0; i < 2000; i++)
    s = s * 31 + a[i];
  for (int i = 0; i < 400; i++)
    s = s * 31 + t[i].key;
  printf("%lu\n", s);
}
