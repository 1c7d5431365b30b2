// Dynamically scheduled loops: every iteration once, in each schedule. Prints how many checks failed.
#include <limits.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

static int failures = 0;

static void check(const char *what, long got, long expected) {
  if (got != expected) {
    failures++;
    printf("%s: %ld, not %ld\n", what, got, expected);
  }
}

enum { N = 1237 };
static int hits[N];
static int last;

static void every_once(const char *what, int n) {
  for (int i = 0; i < N; i++)
    if (hits[i] != (i < n))
      check(what, hits[i], i < n);
  check("lastprivate", last, n > 0 ? n - 1 : -1);
  memset(hits, 0, sizeof hits);
  last = -1;
}

#define LOOP(NAME, SCHEDULE, TYPE)                                                                             \
  static void NAME(TYPE n) {                                                                                   \
    _Pragma("omp target parallel map(tofrom : hits, last)") {                                                  \
      TYPE l = (TYPE)-1;                                                                                       \
      _Pragma(SCHEDULE) for (TYPE i = 0; i < n; i++) {                                                         \
        _Pragma("omp atomic") hits[i]++;                                                                       \
        if (i == n - 1)                                                                                        \
          last = (int)i;                                                                                       \
        l = i;                                                                                                 \
      }                                                                                                        \
      (void)l;                                                                                                 \
    }                                                                                                          \
    every_once(#NAME " " SCHEDULE, (int)n);                                                                    \
  }

LOOP(dynamic_int, "omp for schedule(dynamic)", int)
LOOP(dynamic_7_int, "omp for schedule(dynamic, 7)", int)
LOOP(dynamic_unsigned, "omp for schedule(dynamic, 3)", unsigned)
LOOP(dynamic_long, "omp for schedule(dynamic, 5)", long)
LOOP(dynamic_unsigned_long, "omp for schedule(dynamic, 100)", unsigned long)
LOOP(guided_int, "omp for schedule(guided)", int)
LOOP(guided_4_long, "omp for schedule(guided, 4)", long)
LOOP(auto_int, "omp for schedule(auto)", int)
LOOP(runtime_int, "omp for schedule(runtime)", int)
LOOP(monotonic_int, "omp for schedule(monotonic : dynamic, 2)", int)
LOOP(static_5_int, "omp for schedule(static, 5)", int)
LOOP(nowait_int, "omp for schedule(dynamic) nowait", int)

// Consecutive loops without a barrier: no thread may take chunks of the next loop too early.
static void one_after_the_other(void) {
  int sums[20] = {0};
#pragma omp target parallel map(tofrom : sums)
  for (int k = 0; k < 20; k++) {
#pragma omp for schedule(dynamic, 3) nowait
    for (int i = 0; i < 100 + k; i++) {
#pragma omp atomic
      sums[k] += i;
    }
  }
  for (int k = 0; k < 20; k++)
    check("one after the other", sums[k], (100 + k) * (99 + k) / 2);
}

// Bounds that are not 0, negative steps, and loops at the ends of their types.
static void bounds(void) {
  long s = 0, t = 0, u = 0, v = 0;
  int from = -50, to = 70;
  unsigned big = UINT_MAX - 100;
#pragma omp target parallel map(tofrom : s, t, u, v) firstprivate(from, to, big)
  {
#pragma omp for schedule(dynamic, 4)
    for (int i = from; i < to; i += 3) {
#pragma omp atomic
      s += i;
    }
#pragma omp for schedule(guided)
    for (int i = to; i > from; i -= 2) {
#pragma omp atomic
      t += i;
    }
#pragma omp for schedule(dynamic, 1000)
    for (unsigned i = big; i < UINT_MAX; i++) {
#pragma omp atomic
      u += i - big;
    }
#pragma omp for schedule(dynamic)
    for (long i = LONG_MAX - 10; i < LONG_MAX; i++) {
#pragma omp atomic
      v += LONG_MAX - i;
    }
  }
  long es = 0, et = 0;
  for (int i = from; i < to; i += 3)
    es += i;
  for (int i = to; i > from; i -= 2)
    et += i;
  check("step 3", s, es);
  check("step -2", t, et);
  check("unsigned end", u, 99 * 100 / 2);
  check("long end", v, 55);
}

// In a region of one thread, in a nested region, and outside of regions.
static void one_thread(void) {
  int inner = 0, alone = 0, zero = 0;
#pragma omp target map(tofrom : inner, alone, zero)
  {
#pragma omp for schedule(dynamic, 3)
    for (int i = 0; i < 10; i++)
      alone += i;
#pragma omp parallel num_threads(64)
    {
#pragma omp parallel
      {
        int mine = 0;
#pragma omp for schedule(dynamic, 2)
        for (int i = 0; i < 10; i++)
          mine += i;
#pragma omp for schedule(guided)
        for (int i = 0; i < 0; i++)
          mine += 1000;
#pragma omp atomic
        inner += mine;
      }
#pragma omp for schedule(dynamic)
      for (int i = 5; i < 5; i++)
        zero = 1;
    }
  }
  check("inner", inner, 64 * 45);
  check("alone", alone, 45);
  check("zero iterations", zero, 0);
}

// schedule(runtime) follows omp_set_schedule: static ones give each thread the same iterations again.
static void at_run_time(void) {
  int owners[2][N], kinds[6];
#pragma omp target map(from : owners, kinds)
  {
    omp_sched_t kind;
    int chunk;
    omp_get_schedule(&kind, &chunk);
    kinds[0] = kind, kinds[1] = chunk;
    omp_set_schedule(omp_sched_static, 3);
    omp_get_schedule(&kind, &chunk);
    kinds[2] = kind, kinds[3] = chunk;
    for (int k = 0; k < 2; k++) {
#pragma omp parallel for schedule(runtime)
      for (int i = 0; i < N; i++)
        owners[k][i] = omp_get_thread_num();
    }
    omp_set_schedule(omp_sched_dynamic, 2);
    omp_get_schedule(&kind, &chunk);
    kinds[4] = kind, kinds[5] = chunk;
  }
  for (int i = 0; i < N; i++) {
    check("static chunks of 3", owners[0][i], i / 3 % 96);
    check("the same again", owners[1][i], owners[0][i]);
  }
  check("default kind", kinds[0], omp_sched_static);
  check("kind", kinds[2], omp_sched_static);
  check("chunk", kinds[3], 3);
  check("dynamic", kinds[4], omp_sched_dynamic);
  check("its chunk", kinds[5], 2);
}

static void ordered(void) {
  int order[200], at = 0, sum = 0;
#pragma omp target parallel map(from : order) map(tofrom : at, sum)
  {
#pragma omp for ordered schedule(dynamic)
    for (int i = 0; i < 200; i++) {
#pragma omp atomic
      sum += i;
#pragma omp ordered
      order[at++] = i;
    }
  }
  check("ordered", at, 200);
  check("all of them", sum, 199 * 100);
  for (int i = 0; i < 200; i++)
    check("in order", order[i], i);
}

static void doacross(void) {
  enum { R = 20, C = 30 };
  static int m[R][C];
#pragma omp target map(from : m)
  {
    for (int r = 0; r < R; r++)
      for (int c = 0; c < C; c++)
        m[r][c] = 1;
#pragma omp parallel num_threads(64)
    {
#pragma omp for ordered(2)
      for (int r = 1; r < R; r++)
        for (int c = 1; c < C; c++) {
#pragma omp ordered depend(sink : r - 1, c) depend(sink : r, c - 1)
          m[r][c] = (m[r - 1][c] + m[r][c - 1]) % 1009;
#pragma omp ordered depend(source)
        }
    }
  }
  static int e[R][C];
  for (int r = 0; r < R; r++)
    for (int c = 0; c < C; c++)
      e[r][c] = r && c ? (e[r - 1][c] + e[r][c - 1]) % 1009 : 1;
  for (int r = 0; r < R; r++)
    for (int c = 0; c < C; c++)
      check("doacross", m[r][c], e[r][c]);
}

static void in_teams(void) {
  long s = 0;
#pragma omp target teams distribute parallel for schedule(dynamic, 4) num_teams(7) thread_limit(64) reduction(+ : s)
  for (int i = 0; i < 10000; i++)
    s += i;
  check("in teams", s, 9999L * 5000);
}

int main(void) {
  last = -1;
  for (int k = 0; k < 5; k++) {
    int n = (int[]){0, 1, 31, 200, N}[k];
    dynamic_int(n);
    dynamic_7_int(n);
    dynamic_unsigned(n);
    dynamic_long(n);
    dynamic_unsigned_long(n);
    guided_int(n);
    guided_4_long(n);
    auto_int(n);
    runtime_int(n);
    monotonic_int(n);
    static_5_int(n);
    nowait_int(n);
  }
  one_after_the_other();
  bounds();
  one_thread();
  at_run_time();
  ordered();
  doacross();
  in_teams();
  printf("%d failures\n", failures);
  return failures != 0;
}
