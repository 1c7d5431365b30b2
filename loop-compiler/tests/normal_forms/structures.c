// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Structures that regions declare, take and return by value, and addresses of variables: each function is called with each size,
// and prints what it made.
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 300 };
typedef struct { int x, y; } pair;
typedef struct { pair low, high; int tags[3]; } box;
struct view { const int *data; int stride, n; };
struct out { int *data; int n; };
typedef struct { double re, im; } cplx;

static int a[4 * MOST + 40], b[4 * MOST + 40], c[4 * MOST + 40];
static pair p[MOST + 4], q[MOST + 4];
static box boxes[MOST + 4];
static cplx z[MOST + 4], w[MOST + 4];
static long results[8];
static pair shared = {3, 4};

static pair made(int x, int y) {
  pair r = {x, y};
  return r;
}
static pair sum(pair l, pair r) { return (pair) {l.x + r.x, l.y + r.y}; }
static pair turned(pair v) {
  v = (pair) {-v.y, v.x};
  return v;
}
static pair chosen(pair l, pair r) { return l.x < r.x ? l : r; }
static cplx product(cplx l, cplx r) {
  cplx s;
  s.re = l.re * r.re - l.im * r.im;
  s.im = l.re * r.im + l.im * r.re;
  return s;
}
static int at(struct view v, int i) { return v.data[i * v.stride]; }
static int at_pointer(const struct view *v, int i) { return i < v->n ? v->data[i * v->stride] : -1; }
static void split(int value, int *high, int *low) {
  *high = value >> 4;
  *low = value & 15;
}
static void exchange(int *l, int *r) {
  int t = *l;
  *l = *r;
  *r = t;
}
static void exchange_pairs(pair *l, pair *r) {
  pair t = *l;
  *l = *r;
  *r = t;
}
static void grow(box *v, pair by) {
  v->high = sum(v->high, by);
  v->tags[1] += by.x;
}
static int later(pair v) {
  shared.x = 100;
  return v.x;
}

static void constructed(pair *restrict d, const int *restrict s, int n) {
  for (int i = 0; i < n; i++)
    d[i] = made(s[i], i);
}
static void sums(pair *restrict d, const pair *restrict s, int n) {
  for (int i = 0; i < n; i++)
    d[i] = sum(sum(d[i], s[i]), made(i, 1));
}
static void in_place(pair *d, int n) {
  for (int i = 0; i < n; i++) {
    pair v = d[i];
    v = (pair) {v.y, v.x};
    d[i] = v;
  }
}
static void turns(pair *d, int n) {
  for (int i = 0; i < n; i++) {
    d[i] = turned(turned(d[i]));
    d[i] = (pair) {d[i].y, d[i].x};
  }
}
static int overlapping(pair *d, const pair *s, int n) {
  for (int i = 0; i < n; i++)
    d[i] = (pair) {s[i].y, s[i].x};
  return d[0].x;
}
static int smallest(const pair *s, int n) {
  pair best = {1 << 20, 0};
  for (int i = 0; i < n; i++)
    best = chosen(s[i], best);
  return best.x * 1000 + best.y;
}
static int total(const pair *s, int n) {
  pair all = {0};
  for (int i = 0; i < n; i++)
    all = sum(all, s[i]);
  return all.x - all.y;
}
static void products(cplx *restrict d, const cplx *restrict s, int n) {
  for (int i = 0; i < n; i++) {
    cplx f = {0.5, -0.5};
    d[i] = product(product(d[i], s[i]), f);
  }
}
static void views(int *restrict d, const int *restrict s, int n, int stride) {
  for (int i = 0; i < n; i++) {
    struct view v = {s + i, stride, n};
    d[i] = at(v, 1) - at_pointer(&v, i % 3);
  }
}
static void outer_view(int *restrict d, struct view v, int n) {
  for (int i = 0; i < n; i++)
    d[i] = at(v, i) + at_pointer(&v, i);
}
static void written(struct out o, const int *s) {
  for (int i = 0; i < o.n; i++) {
    struct out rest = {o.data + i, 1};
    rest.data[0] = s[i] + rest.n;
  }
}
static void walking_view(int *restrict d, const int *restrict s, int n) {
  for (int i = 0; i < n; i++) {
    struct view v = {s, 1, n};
    int sum = 0;
    for (int k = 0; k < 3; k++) {
      sum += v.data[i];
      v.data += 2;
    }
    d[i] = sum;
  }
}
static void either_view(int *restrict d, const int *restrict s, const int *restrict t, int n) {
  for (int i = 0; i < n; i++) {
    struct view v = {s, 1, n};
    if (i % 3 == 1)
      v.data = t;
    d[i] = v.data[i];
  }
}
static void parts(int *restrict d, int *restrict e, const int *restrict s, int n) {
  for (int i = 0; i < n; i++) {
    int high, low;
    split(s[i], &high, &low);
    d[i] = high - low;
    split(s[i] + high, &d[i + n], &e[i]);
  }
}
static void reversed(int *x, int n) {
  for (int i = 0; i < n / 2; i++)
    exchange(&x[i], &x[n - 1 - i]);
}
static void exchanged(pair *restrict d, pair *restrict e, int n) {
  for (int i = 0; i < n; i++)
    exchange_pairs(&d[i], e + i);
}
static void same_twice(pair *d, int n) {
  for (int i = 0; i < n; i++)
    exchange_pairs(&d[i], &d[i]);
}
static void grown(box *v, int n) {
  for (int i = 0; i < n; i++) {
    grow(&v[i], made(i, 2));
    grow(v + i, v[i].low);
  }
}
static void local_box(int *d, int n) {
  for (int i = 0; i < n; i++) {
    box v = {.high = {i, 1}, .tags = {[2] = 7}};
    box u = v;
    u.tags[i % 3] += 5;
    grow(&u, v.high);
    d[i] = u.high.x + u.tags[0] + 10 * u.tags[1] + 100 * u.tags[2] + v.tags[2];
  }
}
static void weights(int *restrict d, const int *restrict s, int n) {
  for (int i = 0; i < n; i++) {
    int w[4] = {1, 2, i};
    int t[3] = {0};
    for (int k = 0; k < 4; k++)
      t[k % 3] += w[k] * s[i + k];
    d[i] = t[0] + 3 * t[1] - t[2];
  }
}
static void copied_before(int *d, int n) {
  for (int i = 0; i < n; i++) {
    shared.x = i;
    d[i] = later(shared) + shared.x;
  }
}
static int counted(const int *s, int n) {
  int count = 0;
  for (int i = 0; i < n; i++) {
    int *to = &count;
    if (s[i] & 1)
      ++*to;
  }
  return count;
}
static int last_out(const int *s, int n) {
  int high = 0, low = 0;
  for (int i = 0; i < n; i++)
    split(s[i], &high, &low);
  return high * 16 + low;
}
static void carried(pair *d, int n) {
  pair before = {1, 1};
  for (int i = 0; i < n; i++) {
    pair next = d[i];
    d[i] = sum(before, next);
    before = next;
  }
}
static void conditional(pair *restrict d, const pair *restrict s, int n) {
  for (int i = 0; i < n; i++) {
    pair v = s[i];
    if (v.x & 1)
      v = turned(v);
    else if (v.y & 1)
      v.x = 0;
    d[i] = v;
  }
}
static void arrays_of(int *restrict d, const int *restrict s, int n) {
  for (int i = 0; i < n; i++) {
    pair t[2] = {{1, s[i]}, {s[i + 1]}};
    exchange_pairs(&t[0], &t[1]);
    t[i & 1].x += t[1].y;
    d[i] = t[0].x * 4 + t[1].x;
  }
}
static void member_of_result(int *d, const pair *s, int n) {
  for (int i = 0; i < n; i++)
    d[i] = sum(s[i], made(1, 2)).y - turned(s[i]).x;
}
static void into_own_subscript(pair *d, const int *at, int n) {
  for (int i = 0; i < n; i++)
    d[at[i & 1]] = (pair) {i % 3, 5};
}
static void rows_by_pointers(int *d, int n) {
  int *rows[4] = {d, d + n};
  for (int i = 0; i < n; i++)
    rows[1][i] = rows[0][i] + 1;
  for (int i = 0; i + 1 < n; i++)
    rows[0][i + 1] += d[i];
}

static int blocks(const int *x, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    do {
      for (int k = 0; k < 3; k++) {
        if (x[i + k] == 4)
          break;
        s += x[i + k];
      }
    } while (0);
  }
  return s;
}
static void fill(void) {
  for (int i = 0; i < 4 * MOST + 40; i++) {
    a[i] = (int) ((unsigned) i * 2654435761u >> 20) % 97;
    b[i] = (int) ((unsigned) i * 40503u >> 3) % 89;
    c[i] = 0;
  }
  for (int i = 0; i < MOST + 4; i++) {
    p[i] = (pair) {a[i], b[i]};
    q[i] = (pair) {b[i + 7], a[i + 3]};
    boxes[i] = (box) {{a[i], 1}, {b[i], 2}, {1, 2, 3}};
    z[i] = (cplx) {a[i] * 0.25, b[i] * 0.5};
    w[i] = (cplx) {0.125 * b[i], -1.0};
  }
}
static void print(const char *name) {
  unsigned long hash = 1469598103934665603ul;
  const int *const all[3] = {a, b, c};
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 4 * MOST + 40; i++)
      hash = (hash ^ (unsigned) all[k][i]) * 1099511628211ul;
  for (int i = 0; i < MOST + 4; i++) {
    const int numbers[] = {p[i].x, p[i].y, q[i].x, q[i].y, boxes[i].high.x, boxes[i].high.y, boxes[i].tags[1],
                           (int) (z[i].re * 16), (int) (z[i].im * 16)};
    for (unsigned k = 0; k < sizeof numbers / sizeof *numbers; k++)
      hash = (hash ^ (unsigned) numbers[k]) * 1099511628211ul;
  }
  printf("%s %lx", name, hash);
  for (int k = 0; k < 8; k++) {
    printf(" %ld", results[k]);
    results[k] = 0;
  }
  puts("");
  fill();
}

int main(int count, char **arguments) {
  int n = count > 1 ? atoi(arguments[1]) : MOST;
  fill();
  constructed(p, a, n), print("constructed");
  sums(p, q, n), print("sums");
  in_place(p, n), print("in_place");
  turns(p, n), print("turns");
  results[0] = overlapping(p, q, n), print("overlapping");
  results[0] = overlapping(p, p, n), print("overlapping same");
  results[0] = overlapping(p + 1, p, n), print("overlapping one");
  results[0] = smallest(p, n), print("smallest");
  results[0] = total(p, n), print("total");
  products(z, w, n), print("products");
  views(c, a, n, 2), print("views");
  outer_view(c, (struct view) {a, 2, n - 1}, n), print("outer_view");
  written((struct out) {c, n}, a), print("written");
  written((struct out) {a + 1, n}, a), print("written over");
  walking_view(c, a, n), print("walking_view");
  either_view(c, a, b, n), print("either_view");
  parts(c, b, a, n), print("parts");
  reversed(a, n), print("reversed");
  exchanged(p, q, n), print("exchanged");
  same_twice(p, n), print("same_twice");
  grown(boxes, n), print("grown");
  local_box(c, n), print("local_box");
  weights(c, a, n), print("weights");
  copied_before(c, n), print("copied_before");
  results[0] = counted(a, n), print("counted");
  results[0] = last_out(a, n), print("last_out");
  carried(p, n), print("carried");
  conditional(p, q, n), print("conditional");
  arrays_of(c, a, n), print("arrays_of");
  member_of_result(c, p, n), print("member_of_result");
  results[0] = blocks(a, n), print("blocks");
  into_own_subscript(p, &p[0].x, n), print("into_own_subscript");
  rows_by_pointers(a, n), print("rows_by_pointers");
  return 0;
}
