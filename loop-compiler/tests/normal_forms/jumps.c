// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// `return`, `continue`, `switch` and forward `goto` in loops: each function is called with each size, and prints what it made.
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 300, ALL = 4 * MOST + 40 };
static int a[ALL], b[ALL], c[ALL];
static unsigned char in[ALL], out[ALL];
static long results[2];

static int find(const int *x, int n, int v) {
  for (int i = 0; i < n; i++)
    if (x[i] == v)
      return i;
  return -1;
}
static int find_under(const int *x, int n, int v, int on) {
  if (on)
    for (int i = 0; i < n; i++)
      if (x[i] > v)
        return x[i] * 2;
  return -1;
}
static int codes(const int *x, const int *y, int n) {
  for (int i = 0; i < n; i++) {
    if (x[i] > 95)
      return -i;
    if (y[i] > x[i] + 70)
      return x[i];
  }
  return 1000;
}
static double wide(const int *x, int n) {
  int i;
  for (i = 0; i < n; i++)
    if (x[i] * 2 == 190)
      return x[i];
  return i + 0.5;
}
static int two(const int *x, int n, int m, int v) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      if (x[i * n + j] == v)
        return i * 1000 + j;
  return -1;
}
static int in_while(const int *x, int n, int v) {
  int i = 0;
  while (i < n) {
    if (x[i] == v)
      return i + 7;
    i++;
  }
  return n;
}
static void until(int *restrict x, const int *restrict y, int n) {
  for (int i = 0; i < n; i++) {
    if (y[i] > 80)
      return;
    x[i] = y[i] + 1;
  }
  x[0]++;
}
static int stores_first(int *restrict x, const int *restrict y, int n) {
  for (int i = 0; i < n; i++) {
    x[i] = 2 * y[i];
    if (y[i] == 13)
      return x[i]++;
  }
  return x[0];
}
static int narrow(const int *x, int n) {
  unsigned char last = 0;
  for (int i = 0; i < n; i++) {
    last = (unsigned char) (x[i] * 3);
    if (last == 33)
      return last + 1;
  }
  return last;
}
static int equal(const int *x, const int *y, int n) {
  for (int i = 0; i < n; i++)
    if (x[i] != y[i])
      return 0;
  return 1;
}
static int compared(const unsigned char *x, const unsigned char *y, int n) {
  for (int i = 0; i < n; i++) {
    int d = x[i] - y[i];
    if (d)
      return d;
  }
  return 0;
}
static int has(const int *x, int n, int v) {
  for (int i = 0; i < n; i++)
    if (x[i] == v)
      return 1;
  return 0;
}
static void members(int *restrict d, const int *restrict x, int n, int m) {
  for (int i = 0; i < n; i++)
    d[i] = has(x + i, m, 13) + 2 * has(x, i, d[i]);
}
static int sign(int v, int limit) {
  if (v > limit) {
    if (v > 2 * limit)
      return 3;
    v -= 10;
    if (v & 1)
      return 2;
  } else if (v == 7) {
    return 1;
  }
  v = v * 5 + 1;
  return v % 11;
}
static void signs(int *restrict d, const int *restrict x, int n) {
  for (int i = 0; i < n; i++)
    d[i] = sign(x[i], 40);
}
static int first_above(const int *x, int n, int v) {
  int k;
  for (k = 0; k < n; k++) {
    if (x[k] == 3)
      return -1;
    if (x[k] > v)
      break;
  }
  if (k == n)
    return -2;
  return k;
}
static void firsts(int *restrict d, const int *restrict x, int n) {
  for (int i = 0; i < n; i++)
    d[i] = first_above(x + i, n, 90);
}
static int in_square(const int *x, int n, int v) {
  for (int i = 0; i < n; i++) {
    if (x[i] == 5)
      continue;
    for (int j = i; j < n; j++) {
      if (x[j] == x[i] + v)
        return i * 300 + j;
      if (x[j] == 2)
        break;
    }
  }
  return -1;
}
static void squares(int *restrict d, const int *restrict x, int n) {
  for (int i = 0; i < n; i++)
    d[i] = in_square(x + i, 6, i % 5);
}
static int continues(const int *x, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    if (x[i] & 1) {
      if (x[i] & 2)
        continue;
      s += 3;
      if (x[i] & 4) {
        s++;
        continue;
      } else if (x[i] & 8) {
        s += 2;
      } else {
        continue;
      }
      s += 5;
    }
    s += x[i];
  }
  return s;
}
static void cases(int *restrict d, const int *restrict x, int n) {
  for (int i = 0; i < n; i++) {
    int v = x[i];
    switch (v & 7) {
    case 0:
      v += 1;
      break;
    case 1:
    case 2:
      v += 10;
      /* falls through */
    case 3:
      v += 100;
      break;
    default:
      v = -v;
      /* falls through */
    case 5:
      v *= 2;
      if (v > 50)
        break;
      v += 7;
      break;
    case 6:;
    }
    d[i] = v;
  }
}
static int cases_and_loop(const int *x, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    switch (x[i] % 5) {
    case 0:
      continue;
    case 1: {
      int k;
      for (k = 0; k < 4; k++) {
        if (k == i % 4)
          break;
        s += k;
      }
      break;
    }
    case 2:
      s += 2;
      break;
    case 4:
      if (i > 200)
        return s;
      s -= 1;
    }
    s += 100;
  }
  return -s;
}
static void inner_switch(int *restrict d, const int *restrict x, int n) {
  for (int i = 0; i < n; i++) {
    switch (x[i] & 3) {
    case 1:
      switch (x[i] & 12) {
      case 4:
        d[i] = 1;
        break;
      case 8:
        d[i] = 2;
      }
      d[i] += 5;
      break;
    case 2:
      do {
        if (x[i] & 16)
          break;
        d[i] = 4;
        if (x[i] & 32)
          continue;
        d[i] = 6;
      } while (0);
      d[i] *= 3;
    }
    d[i]++;
  }
}
static void gotos(int *restrict d, const int *restrict x, int n) {
  for (int i = 0; i < n; i++) {
    int v = x[i];
    if (v > 60)
      goto large;
    if (v & 1) {
      v += 3;
      if (v & 4)
        goto end;
      v += 11;
    }
    v *= 2;
    goto end;
  large:
    v -= 60;
  end:
    d[i] = v;
  }
}
static int cleanup(int *d, int n) {
  int code = -1;
  for (int i = 0; i < n; i++) {
    if (d[i] < 0)
      goto out;
    d[i] += 1;
  }
  code = 0;
out:
  return code;
}
static int checks(int *d, int n) {
  int bad = 0;
  for (int i = 0; i < n; i++) {
    do {
      if (d[i] > 50)
        break;
      if (d[i] & 1) {
        bad++;
        break;
      }
      d[i] += 2;
    } while (0);
    d[i] -= 1;
  }
  return bad;
}
static int walks(const int *p, const int *end, int v) {
  while (p < end) {
    if (*p == v)
      return *p + 1;
    p++;
  }
  return 0;
}
static int either(const int *x, const int *y, int n) {
  for (int i = 0; i < n; i++) {
    const int *p = x;
    if (y[i] & 1) {
      p = y;
      if (y[i] & 2)
        continue;
    }
    if (p[i] == 40)
      return p[i] - i;
  }
  return 9;
}
static int last_state(const int *x, int n) {
  int state = 0;
  for (int i = 0; i < n; i++) {
    state = state * 3 + x[i];
    state &= 1023;
    if (state == 77)
      return i;
  }
  return state;
}
static int many(const int *x, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    if (x[i] == 1) { s += 1; if (x[i + 1] == 4) continue; s += 2; }
    if (x[i] == 2) { s += 1; if (x[i + 1] == 5) continue; s += 3; }
    if (x[i] == 3) { s += 1; if (x[i + 1] == 6) continue; s += 4; }
    if (x[i] == 4) { s += 1; if (x[i + 1] == 7) continue; s += 5; }
    s += x[i];
  }
  return s;
}

static void fill(void) {
  for (int i = 0; i < ALL; i++) {
    a[i] = (int) ((unsigned) i * 2654435761u >> 20) % 97;
    b[i] = (int) ((unsigned) i * 40503u >> 3) % 89;
    c[i] = i;
    in[i] = (unsigned char) a[i];
    out[i] = (unsigned char) (i < 100 ? a[i] : b[i]);
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

static int first_big(const int *x, int n) {
  int i;
  for (i = 0; i < n; i++)
    if (x[i] > 90)
      break;
  return i;
}
static unsigned first_from(const unsigned char *x, unsigned n) {
  unsigned k = 2;
  for (; k < n; k++) {
    if (x[k] == 7)
      break;
    if (x[k] == 9)
      break;
  }
  return k;
}
static void first_in_rows(int *restrict d, const int *x, int n) {
  for (int r = 0; r < n / 8; r++) {
    int k;
    for (k = 7; k >= 0; k -= 2) {
      if (x[r * 8 + k] % 5 == 0)
        break;
    }
    d[r] = k;
  }
}
static int last_kept(int *restrict d, const int *x, int n) {
  int i;
  for (i = 0; i < n; i++) {
    if (x[i] > 90)
      break;
    d[i] = x[i];
  }
  return i;
}
struct pair {
  int key;
  double value;
};
static const struct pair pairs[] = {{3, 1.5}, {1, 2.5}, {7, 0.5}};
static int of_pairs(int *restrict d, int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < (int) (sizeof pairs / sizeof pairs[0]); k++)
      s += pairs[k].key * d[i] + (int) (sizeof(pairs) / sizeof(*pairs));
  return s;
}
static void when(int *restrict d, const int *x, int n, int on, const int *other) {
  for (int i = 0; on > 2 && i < n; i++)
    d[i] = x[i] + 1;
  for (int i = 0; i < n && other; i++)
    d[i] += 3;
  for (int i = n; i; i--)
    d[n - i] *= 2;
  for (unsigned i = 0; n > 3 && i < (unsigned) n && on != 7; ++i)
    d[i] ^= x[i];
}
static int until_off(const int *x, int n, int on) {
  int s = 0;
  for (int i = 0; on && i < n; i++) {
    s += x[i];
    on -= x[i] > 40;
  }
  return s;
}
static const int *moved_when(const int *x, int n, int on) {
  for (int i = 0; on && i < n; i++)
    x++;
  return x;
}
int main(int count, char **arguments) {
  int n = count > 1 ? atoi(arguments[1]) : MOST;
  fill();
  results[0] = find(a, n, 13);
  print("find");
  results[0] = find(a, n, -1);
  print("find none");
  results[0] = find_under(a, n, 90, n & 1);
  print("find_under");
  results[0] = find_under(b, n, 80, 1);
  print("find_under on");
  results[0] = codes(a, b, n);
  print("codes");
  results[0] = (long) (4 * wide(a, n));
  print("wide");
  results[0] = two(a, 7, n / 7, 13);
  print("two");
  results[0] = two(a, 7, n / 7, 99);
  print("two none");
  results[0] = in_while(a, n, 5);
  print("in_while");
  until(c, a, n);
  print("until");
  results[0] = stores_first(c, a, n);
  print("stores_first");
  results[0] = narrow(b, n);
  print("narrow");
  results[0] = equal(a, b, n);
  print("equal");
  results[0] = equal(a, a, n);
  print("equal same");
  results[0] = compared(in, out, n);
  print("compared");
  results[0] = compared(in, in + 0, n);
  print("compared same");
  members(c, a, n, n / 3);
  print("members");
  signs(c, a, n);
  print("signs");
  firsts(c, a, n);
  print("firsts");
  results[0] = in_square(a, n / 4, 1);
  print("in_square");
  squares(c, a, n);
  print("squares");
  results[0] = continues(a, n);
  print("continues");
  cases(c, a, n);
  print("cases");
  results[0] = cases_and_loop(a, n);
  print("cases_and_loop");
  inner_switch(c, a, n);
  print("inner_switch");
  gotos(c, a, n);
  print("gotos");
  results[0] = cleanup(a, n);
  print("cleanup");
  a[n / 2] = -1;
  results[0] = cleanup(a, n);
  print("cleanup early");
  results[0] = checks(a, n);
  print("checks");
  results[0] = walks(a, a + n, 19);
  print("walks");
  results[0] = either(a, b, n);
  print("either");
  results[0] = last_state(a, n);
  print("last_state");
  results[0] = many(a, n);
  print("many");
  results[0] = first_big(a, n);
  results[1] = first_from(in, n);
  print("first");
  first_in_rows(c, a, n);
  print("first_in_rows");
  results[0] = last_kept(c, a, n);
  print("last_kept");
  results[0] = of_pairs(a, n);
  print("of_pairs");
  for (int on = 2; on < 9; on += 1) {
    when(c, a, n, on, on % 2 ? a : NULL);
    print("when");
  }
  results[0] = until_off(a, n, 3);
  print("until_off");
  results[0] = moved_when(a, n, 1) - a + 1000 * (moved_when(a, n, 0) - a);
  print("moved_when");
  return 0;
}
