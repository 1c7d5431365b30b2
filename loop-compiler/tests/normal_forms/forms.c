// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Loops in other forms than `for (i = a; i < b; i += c)`: each function is called with each size, and prints what it made.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 300 };
static int a[4 * MOST + 40], b[4 * MOST + 40], c[4 * MOST + 40];
static unsigned char in[4 * MOST + 40], out[4 * MOST + 40];
static long results[8];

static void copy(int *restrict d, const int *restrict s, int n) {
  while (n--)
    *d++ = 2 * *s++;
}
static void copy_size(int *restrict d, const int *restrict s, size_t n) {
  while (n-- > 0) {
    *d++ = 3 * *s++;
  }
}
static int *copied(int *restrict d, const int *restrict s, int n) {
  const int *end = s + n;
  while (s < end)
    *d++ = *s++ + 1;
  return d;
}
static void ends(int *x, int n) {
  int *p;
  for (p = x; p < x + n; p++)
    *p = (int) (p - x) * 0 + n;
}
static void ends_apart(int *x, int n) {
  for (int *p = x, *e = x + n; p != e; ++p)
    *p *= 2;
}
static void backwards(int *x, int n) {
  for (int *p = x + n; p-- > x;)
    *p += 5;
}
static void behind_end(int *x, int n) {
  int *p = x + n - 1;
  while (p >= x) {
    *p = *p * 3 + 1;
    p--;
  }
}
static int steps_of_two(int *restrict x, const int *restrict y, int n) {
  int k = 1;
  for (int i = 0; i < n; i++) {
    x[i] = y[k];
    k += 2;
  }
  return k;
}
static int nested_count(int *restrict x, const int *restrict y, int n, int m) {
  int k = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      x[k++] = y[i] * j;
  return k;
}
static int triangle_count(int *restrict x, int n) {
  int k = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      x[k++] = i - j;
  return k;
}
static void opposite(int *x, int n) {
  int i, j;
  for (i = 0, j = n - 1; i < n; i++, j--)
    x[i] = j;
}
static void mirrored(int *x, int n) {
  for (int i = 0, j = n - 1; i < j; i++, j--) {
    int t = x[i];
    x[i] = x[j];
    x[j] = t;
  }
}
static void rows(unsigned char *restrict d, const unsigned char *restrict s, int w, int h, int dp, int sp) {
  for (int y = 0; y < h; y++) {
    const unsigned char *p = s;
    unsigned char *q = d;
    for (int x = 0; x < w; x++)
      *q++ = *p++ / 2;
    d += dp;
    s += sp;
  }
}
static void rows_on(unsigned char *restrict d, const unsigned char *restrict s, int w, int h, int pad) {
  for (int y = 0; y < h; y++) {
    for (int x = 0; x < w; x++)
      *d++ = *s++ ^ 1;
    d += pad;
  }
}
static int at_the_end(int *x, int n) {
  int i = 0;
  if (n > 0)
    do {
      x[i] = i;
      i++;
    } while (i < n);
  return i;
}
static int once_at_least(int *x, int from, int n) {
  do {
    x[from] = n;
    from += 3;
  } while (from < n);
  return from;
}
static unsigned counted_down(int *x, unsigned n) {
  if (!n)
    return 7;
  do {
    x[n] = (int) n;
  } while (--n);
  return n;
}
static int below(int *x, int n) {
  while (--n >= 0)
    x[n] = n;
  return n;
}
static int above(int *x, int n) {
  int i = -1;
  while (++i < n)
    x[i] = 2 * i;
  return i;
}
static int stepped_in_test(int *x, int n) {
  int i = 0;
  while (i++ < n)
    x[i] = i;
  return i;
}
static long sum(const int *p, int n) {
  long s = 0;
  for (; n > 0; n--)
    s += *p++;
  return s;
}
static int endless(int *x, int n) {
  int i = 0;
  for (;;) {
    if (i >= n)
      break;
    x[i] = i;
    i++;
  }
  return i;
}
static int length(const unsigned char *s, int n) {
  int i = 0;
  while (i < n && s[i] != 77)
    i++;
  return i;
}
static void pixels(unsigned char *restrict o, const unsigned char *restrict i, int n) {
  for (int k = 0; k < n; k++, i += 3, o += 4) {
    o[0] = i[2];
    o[1] = i[1];
    o[2] = i[0];
    o[3] = 255;
  }
}
static int compaction(int *restrict o, const int *restrict x, int n) {
  int k = 0;
  for (int i = 0; i < n; i++)
    if (x[i] % 3)
      o[k++] = x[i];
  return k;
}
static void strided(int *restrict y, int incy, const int *restrict x, int incx, int n) {
  int iy = 0, ix = 0;
  for (int i = 0; i < n; i++) {
    y[iy] += x[ix];
    iy += incy;
    ix += incx;
  }
}
// What is added is another value in each iteration.
static long added_value(int *restrict y, const int *restrict x, int n) {
  long s = 0;
  for (int i = 0; i < n; i++) {
    int t = x[i] * 2;
    y[i] = (int) s + t;
    s -= t;
  }
  return s;
}
static int changed_step(int *x, int n) {
  int k = 0, step = 1;
  for (int i = 0; i < n; i++) {
    x[i] = k;
    k += step;
    step = 3 - step;
  }
  return k;
}
static int changed_first(int *x, int n) {
  int m = 3, k = 0;
  for (int i = m; i < n; i++) {
    x[i] = k;
    k += 2;
    m = 5;
  }
  return k + m;
}
static int skipped(int *x, int n) {
  int k = 0;
  for (int i = 0; i < n; i++) {
    if (x[i] % 2)
      continue;
    x[i] = k;
    k++;
  }
  return k;
}
static int left(int *x, int n) {
  int k = 0;
  for (int i = 0; i < n; i++) {
    if (x[i] == 1000000)
      break;
    x[i] += k;
    k += 2;
  }
  return k;
}
static void swapped(int *x, int *y, int n, int times) {
  for (int t = 0; t < times; t++) {
    for (int i = 1; i < n - 1; i++)
      y[i] = x[i - 1] + x[i + 1];
    int *z = x;
    x = y;
    y = z;
  }
}
static int chosen(int *x, int *y, int n) {
  int *p = x, s = 0;
  for (int i = 0; i < n; i++) {
    if (i % 3 == 1)
      p = y;
    s += p[i];
    p = x;
  }
  return s;
}
static unsigned wrapped(int *x, int n) {
  unsigned k = 4294967290u;
  for (int i = 0; i < n; i++) {
    x[i] = (int) (k >> 4);
    k += 3;
  }
  return k;
}
static int wide(int *x, int n) {
  int k = -2147483647 - 1;
  for (int i = 0; i < n; i++) {
    x[i] = k / 2;
    k += 7;
  }
  return k / 4;
}
static int in_expression(int *restrict x, int *restrict y, int n) {
  int t, s = 0;
  for (int i = 0; i < n; i++) {
    x[i] = (y[i] = i) + 1;
    if ((t = x[i] - y[i]) > 0)
      s += t;
  }
  return s;
}
static int two_ends(const int *x, int n) {
  int s = 0;
  const int *p = x, *q = x + n;
  while (p < q) {
    s += *p++;
    s += *--q * 3;
  }
  return s;
}
static int reset(int *restrict x, const int *restrict y, int n, int m) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    const int *p = y;
    int k = i;
    for (int j = 0; j < m; j++, k += 2)
      s += *p++ * k;
    x[i] = k;
  }
  return s;
}
static int alias_of_step(int *x, int n) {
  static int step = 2;
  int *p = &step, k = 0;
  for (int i = 0; i < n; i++) {
    x[i] = k;
    k += step;
    *p = 3;
  }
  step = 2;
  return k;
}

static int clamped(int x, int low, int high) {
  if (x < low)
    return low;
  if (x > high)
    return high;
  return x;
}
static int row_sum(const int *row, int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    s += row[i];
  return s;
}
static void set_row(int *row, int n, int value) {
  while (n-- > 0)
    *row++ = value;
}
static int found_in(const int *row, int n, int what) {
  int i;
  for (i = 0; i < n; i++)
    if (row[i] == what)
      break;
  return i;
}
static void pair_up(int *x, int *y, int at) {
  int t = x[at];
  if (t % 2) {
    y[at] = t;
    return;
  }
  x[at] = clamped(t, 3, 400) + y[at];
}
static int counted_calls;
static int with_counter(int x) {
  counted_calls++;
  return x + counted_calls;
}
static int own_parameter(int x, int n) {
  n += 2;
  x *= n;
  return x - n;
}
static int power(int x, int n) {
  return n <= 0 ? 1 : x * power(x, n - 1);
}

static void clamped_all(int *x, int n) {
  for (int i = 0; i < n; i++)
    x[i] = clamped(x[i], 10, 500) + clamped(i, 3, n);
}
static void row_sums(int *restrict o, const int *restrict x, int n, int m) {
  for (int i = 0; i < n; i++)
    o[i] = row_sum(x + i * m, m);
}
static void rows_set(int *x, int n, int m) {
  for (int i = 0; i < n; i++)
    set_row(x + i * m, m, 3 * i);
}
static void rows_searched(int *restrict o, const int *restrict x, int n, int m) {
  for (int i = 0; i < n; i++)
    o[i] = found_in(x + i * m, m, x[i]);
}
/* Temporaries of the function that not all iterations set, and whose last values nobody reads. */
static void guarded_copy(int *restrict x, const int *restrict y, int n) {
  int t, u;
  for (int i = 0; i < n; i++) {
    if (y[i] % 3 != 1) {
      t = 2 * y[i];
      if (t > 7) {
        u = t - 7;
        x[i] = u + t;
      } else
        x[i] = t;
    }
  }
}
static void skipped_copy(int *restrict x, const int *restrict y, int n) {
  int i, t;
  for (i = 0; i < n; i++) {
    if (y[i] % 3 == 1)
      continue;
    t = 2 * y[i];
    x[i] = t + i;
  }
}
static void kept_copy(int *restrict x, const int *restrict y, int n) {
  int i, t = 5;
  for (i = 0; i < n; i++) {
    if (y[i] % 3 == 1)
      t = y[i];
    x[i] = t + i;
  }
}
static void pairs(int *restrict x, int *restrict y, int n) {
  for (int i = 0; i < n; i++)
    pair_up(x, y, i);
}
static void neighbours(int *x, int n) {
  for (int i = 0; i + 1 < n; i++)
    pair_up(x + 1, x, i);
}
static int with_state(int *x, int n) {
  counted_calls = 0;
  for (int i = 0; i < n; i++)
    x[i] = with_counter(x[i]);
  return counted_calls;
}
static int in_condition(int *x, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    if (own_parameter(x[i], i) > 50)
      s += own_parameter(x[i], s & 3);
    else if (row_sum(x, clamped(i, 0, 2)) > 0)
      s++;
  }
  return s;
}
static int limit_calls;
static int limit(const int *x, int n) {
  limit_calls++;
  return x[0] > 0 ? n : n / 2;
}
static int called_in_test(int *x, int n) {
  int i = 0;
  limit_calls = 0;
  while (i < limit(x, n)) {
    x[i] = -x[i] - 1;
    i++;
  }
  return i * 1000 + limit_calls;
}
static int assigned_in_test(int *x, int n) {
  int i = 0, m;
  while (i < (m = n - x[i] % 3)) {
    x[i] = m;
    i++;
  }
  return i;
}
static int after_first(int *restrict x, const int *restrict y, int n) {
  int k = 0, s = 0;
  for (int i = 0; i < n; i++) {
    if (y[i] & 1)
      k = y[i] & 7;
    int t = k++, u = k, v = clamped(u, t, 3);
    x[i] = (k++, k + t) + u * v;
    s += k;
  }
  return s;
}
static int head_changes(int *x, int n) {
  int k = 2, s = 0;
  for (int t = 0; t < 3; t++)
    for (int i = k++; i < n; i++)
      s += x[i] * k;
  return s;
}
static int again(int *x, int n) {
  int i = 0, s = 0;
  while (i < n / 2) {
    x[i] = 1;
    i++;
  }
  while (i < n) {
    x[i] += 2;
    i++;
  }
  n = n / 2 + i;
  for (; i < n; i += 3)
    s += i;
  return s + i;
}
static int twice_down(int *x, int n) {
  int m = n, s = 0;
  while (m-- > 3)
    s += x[m];
  while (m > 0) {
    x[m] = s;
    m--;
  }
  return m;
}
static int moved_first(int *x, int n) {
  int k = n / 2;
  int *p = x + k;
  k = 0;
  while (k < n) {
    *p++ = k;
    k += 2;
  }
  return k;
}
static int narrowed(int *x, long n) {
  int i = 0, *p = x;
  while (i < (int) n) {
    *p++ = i;
    i++;
  }
  return (int) (p - x) + i;
}
static int down_without_sign(int *x, unsigned n) {
  int s = 0;
  for (unsigned i = n; i-- > 0;) {
    x[i] += 3;
    s ^= x[i];
  }
  return s;
}
static int local_state(int *x, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    int k = x[i] & 3, m = 4;
    while (k < m) {
      s += k * i;
      k++;
    }
    m = k;
    for (k = 0; k < m; k++)
      s ^= k;
  }
  return s;
}
struct holder {
  int *data;
};
static void reloaded(struct holder *h, int *other, int n) {
  int *p = h->data;
  h->data = other;
  while (n-- > 0)
    *p++ = n;
}
static void reloaded_row(int **rows, int *other, int n) {
  int *p = rows[0], *end = p + n;
  rows[0] = other;
  while (p < end)
    *p++ += 2;
}
static void hidden(int *restrict x, const int *restrict y, int n, int m) {
  for (int i = 0; i < n; i++) {
    int *p = x + i * m;
    const int *q = y + i;
    for (int i = 0; i < m; i++)
      p[i] = q[i] + i;
  }
}
static void recursive(int *x, int n) {
  for (int i = 0; i < n; i++)
    x[i] = power(x[i] & 1, i & 3);
}

static int stride_up(int *x, int n, int s) {
  int i;
  for (i = 3; i < n; i += s)
    x[i] += 7;
  return i;
}
static long stride_to(int *x, long n, int s) {
  long sum = 0;
  for (long i = -2; i <= n; i += s)
    sum += i * x[i + 2];
  return sum;
}
static void strides_between(int *x, int n, int s) {
  for (int first = 0; first < s; first++)
    for (int i = first + s; i < n; i += s)
      x[i] += x[i - s];
}
static int stride_left(const int *x, int n, int s) {
  int i;
  for (i = 0; i < n; i += s)
    if (x[i] > 95)
      break;
  return i;
}
static int stride_changed(int *x, int n, int s) {
  int sum = 0;
  for (int i = 0; i < n; i += s) {
    sum += x[i];
    if (x[i] & 1)
      s++;
  }
  return sum;
}
static int stride_in_memory(int *x, int n, int *s) {
  int sum = 0;
  for (int i = 0; i < n; i += *s) {
    sum++;
    x[i] = 2;
  }
  return sum;
}
static int packed(int *restrict y, const int *restrict x, int n, int by) {
  int k = 0;
  for (int i = 0; i < n; i += by)
    y[k++] = x[i];
  return k;
}
static int found_one_of(const int *x, const int *y, int n) {
  int where = -1;
  for (int i = 0; i < n; i++) {
    if (x[i] == 96) {
      where = i;
      break;
    }
    if (y[i] == 88) {
      where = 1000 + i;
      break;
    }
  }
  return where;
}

static void fill(int n) {
  unsigned state = 12345u + (unsigned) n;
  for (int i = 0; i < 4 * MOST + 40; i++) {
    state = state * 1664525u + 1013904223u;
    a[i] = (int) (state >> 20);
    b[i] = (int) (state >> 22) - 100;
    c[i] = i;
    in[i] = (unsigned char) (state >> 24);
    out[i] = 0;
  }
  memset(results, 0, sizeof results);
}

static void show(const char *name) {
  unsigned long hash = 5381;
  for (int i = 0; i < 4 * MOST + 40; i++)
    hash = hash * 33 + (unsigned) a[i] * 7u + (unsigned) b[i] * 5u + (unsigned) c[i] * 3u + out[i];
  printf("%s %lu", name, hash);
  for (int i = 0; i < 8; i++)
    printf(" %ld", results[i]);
  printf("\n");
}

#define RUN(name, call)   \
  do {                    \
    fill(n);              \
    call;                 \
    show(name);           \
  } while (0)

int main(int count, char **arguments) {
  int n = count > 1 ? atoi(arguments[1]) : 10;
  if (n > MOST)
    n = MOST;
  int side = 1;
  while (side * side * 4 < n)
    side++;
  RUN("copy", copy(a, b, n));
  RUN("copy_size", copy_size(a, b, (size_t) n));
  RUN("copied", results[0] = copied(a, b, n) - a);
  RUN("ends", ends(a, n));
  RUN("ends_apart", ends_apart(a, n));
  RUN("backwards", backwards(a, n));
  RUN("behind_end", behind_end(a + 1, n));
  RUN("steps_of_two", results[0] = steps_of_two(a, b, n));
  RUN("nested_count", results[0] = nested_count(a, b, side, n ? 4 : 0));
  RUN("nested_none", results[0] = nested_count(a, b, side, -3));
  RUN("triangle_count", results[0] = triangle_count(a, side));
  RUN("opposite", opposite(a, n));
  RUN("mirrored", mirrored(a, n));
  RUN("rows", rows(out, in, side, side, side + 3, side + 1));
  RUN("rows_overlap", rows(out, in, side, side, side / 2, side));
  RUN("rows_same", rows(out, in, side, side, 0, side));
  RUN("rows_on", rows_on(out, in, side, side, 2));
  RUN("at_the_end", results[0] = at_the_end(a, n));
  RUN("once_at_least", results[0] = once_at_least(a, 2, n));
  RUN("counted_down", results[0] = counted_down(a, (unsigned) n));
  RUN("guarded_copy", guarded_copy(a, b, n));
  RUN("skipped_copy", skipped_copy(a, b, n));
  RUN("kept_copy", kept_copy(a, b, n));
  RUN("below", results[0] = below(a, n));
  RUN("above", results[0] = above(a, n));
  RUN("stepped_in_test", results[0] = stepped_in_test(a, n));
  RUN("sum", results[0] = sum(a, n));
  RUN("endless", results[0] = endless(a, n));
  RUN("length", results[0] = length(in, n));
  RUN("pixels", pixels(out, in, n));
  RUN("compaction", results[0] = compaction(a, b, n));
  RUN("strided", strided(a, 2, b, 3, n));
  RUN("strided_same", strided(a, 0, b, 1, n));
  RUN("strided_back", strided(a + MOST, -1, b + MOST, -1, n));
  RUN("added_value", results[0] = added_value(a, b, n));
  RUN("changed_step", results[0] = changed_step(a, n));
  RUN("changed_first", results[0] = changed_first(a, n));
  RUN("skipped", results[0] = skipped(a, n));
  RUN("left", results[0] = left(a, n));
  RUN("swapped", swapped(a, c, n, 3));
  RUN("chosen", results[0] = chosen(a, b, n));
  RUN("wrapped", results[0] = wrapped(a, n));
  RUN("wide", results[0] = wide(a, n));
  RUN("in_expression", results[0] = in_expression(a, b, n));
  RUN("two_ends", results[0] = two_ends(a, n));
  RUN("reset", results[0] = reset(a, b, n, side));
  RUN("clamped_all", clamped_all(a, n));
  RUN("row_sums", row_sums(a, b, side, side));
  RUN("rows_set", rows_set(a, side, side));
  RUN("rows_searched", rows_searched(a, b, side, side));
  RUN("pairs", pairs(a, b, n));
  RUN("neighbours", neighbours(a, n));
  RUN("with_state", results[0] = with_state(a, n));
  RUN("in_condition", results[0] = in_condition(a, n));
  RUN("called_in_test", results[0] = called_in_test(a, n));
  RUN("assigned_in_test", results[0] = assigned_in_test(a, n));
  RUN("after_first", results[0] = after_first(a, b, n));
  RUN("head_changes", results[0] = head_changes(a, n));
  RUN("again", results[0] = again(a, n));
  RUN("twice_down", results[0] = twice_down(a, n));
  RUN("moved_first", results[0] = moved_first(a, n));
  RUN("narrowed", results[0] = narrowed(a, (1L << 33) + n));
  RUN("down_without_sign", results[0] = down_without_sign(a, (unsigned) n));
  RUN("local_state", results[0] = local_state(a, n));
  RUN("reloaded", reloaded(&(struct holder){a}, b, n));
  RUN("reloaded_row", reloaded_row((int *[]){a}, b, n));
  RUN("hidden", hidden(a, b, side, side));
  RUN("recursive", recursive(a, n));
  RUN("alias_of_step", results[0] = alias_of_step(a, n));
  RUN("stride_up", results[0] = stride_up(a, n, 2));
  RUN("stride_up one", results[0] = stride_up(a, n, 1));
  RUN("stride_up far", results[0] = stride_up(a, n, 1 << 30));
  RUN("stride_to", results[0] = stride_to(a, n, 3));
  RUN("strides_between", strides_between(a, n, 5));
  RUN("strides_between none", strides_between(a, n, -5));
  RUN("stride_left", results[0] = stride_left(a, n, 3));
  RUN("stride_changed", results[0] = stride_changed(a, n, 1));
  RUN("stride_in_memory", results[0] = stride_in_memory(a, n, &a[0] + (n > 4 ? 4 : 0)));
  RUN("packed", results[0] = packed(a, b, n, 4));
  RUN("found_one_of", results[0] = found_one_of(a, b, n));
  return 0;
}
