// Loops distributed over teams and threads: every kind of dist_schedule with every schedule, over teams and
// blocks of all sizes, collapsed, with every kind of private variable. Each iteration runs once.
#include "check.h"
#include <omp.h>
#include <string.h>

enum { MOST = 7000 };
static int times[MOST];

#define TEXT(x) #x
#define OMP(x) _Pragma(TEXT(omp x))

static void once(const char *what, int teams, int threads, int n) {
  int wrong = 0;
  for (int i = 0; i < MOST; i++) wrong += times[i] != (i < n);
  char text[120];
  snprintf(text, sizeof text, "%s, %d teams of %d, %d iterations", what, teams, threads, n);
  check(text, wrong, 0);
  memset(times, 0, sizeof times);
}

#define LOOP(NAME, CLAUSES)                                                                        \
  static void NAME(int teams, int threads, int n) {                                                \
    OMP(target teams distribute parallel for num_teams(teams) thread_limit(threads)                \
            map(tofrom : times) CLAUSES)                                                           \
    for (int i = 0; i < n; i++) {                                                                  \
      OMP(atomic)                                                                                  \
      times[i]++;                                                                                  \
    }                                                                                              \
    once(#CLAUSES, teams, threads, n);                                                             \
  }

LOOP(plain, )
LOOP(dist_static, dist_schedule(static))
LOOP(dist_1, dist_schedule(static, 1))
LOOP(dist_33, dist_schedule(static, 33))
LOOP(dist_static_static, dist_schedule(static) schedule(static))
LOOP(dist_static_1, dist_schedule(static) schedule(static, 1))
LOOP(dist_17_static_3, dist_schedule(static, 17) schedule(static, 3))
LOOP(dist_100_dynamic, dist_schedule(static, 100) schedule(dynamic))
LOOP(dist_64_dynamic_7, dist_schedule(static, 64) schedule(dynamic, 7))
LOOP(dist_static_guided, dist_schedule(static) schedule(guided))
LOOP(dist_50_guided_2, dist_schedule(static, 50) schedule(guided, 2))
LOOP(dist_static_runtime, dist_schedule(static) schedule(runtime))
LOOP(dist_9_auto, dist_schedule(static, 9) schedule(auto))

// `distribute` only; then a loop of the threads inside it.
static void in_two(int teams, int threads, int n) {
#pragma omp target teams num_teams(teams) thread_limit(threads) map(tofrom : times)
#pragma omp distribute dist_schedule(static, 40)
  for (int from = 0; from < n; from += 40) {
    int to = from + 40 < n ? from + 40 : n;
#pragma omp parallel for schedule(static, 4)
    for (int i = from; i < to; i++) {
#pragma omp atomic
      times[i]++;
    }
  }
  once("distribute, parallel for", teams, threads, n);
}

static void with_simd(int teams, int threads, int n) {
#pragma omp target teams distribute parallel for simd num_teams(teams) thread_limit(threads) simdlen(4) safelen(8) \
    map(tofrom : times)
  for (int i = 0; i < n; i++) times[i]++;
  once("simd", teams, threads, n);
#pragma omp target teams distribute simd num_teams(teams) thread_limit(threads) map(tofrom : times)
  for (int i = 0; i < n; i++) times[i]++;
  once("distribute simd", teams, threads, n);
#pragma omp target teams loop num_teams(teams) thread_limit(threads) order(concurrent) map(tofrom : times)
  for (int i = 0; i < n; i++) times[i]++;
  once("teams loop", teams, threads, n);
#pragma omp target teams num_teams(teams) thread_limit(threads) map(tofrom : times)
#pragma omp distribute parallel for order(concurrent)
  for (int i = 0; i < n; i++) times[i]++;
  once("distribute parallel for in teams", teams, threads, n);
}

// Indices of several loops from one, with steps and bounds of many kinds.
static void collapsed(int a, int b, int c) {
  static int cells[20][21][22];
  memset(cells, 0, sizeof cells);
#pragma omp target teams distribute parallel for collapse(3) num_teams(3) thread_limit(64) map(tofrom : cells)
  for (int i = 0; i < a; i++)
    for (long j = b - 1; j >= 0; j--)
      for (unsigned k = 0; k < (unsigned)c; k += 2) cells[i][j][k]++;
  int wrong = 0;
  for (int i = 0; i < 20; i++)
    for (int j = 0; j < 21; j++)
      for (int k = 0; k < 22; k++) wrong += cells[i][j][k] != (i < a && j < b && k < c && k % 2 == 0);
  check("collapse(3)", wrong, 0);
  memset(cells, 0, sizeof cells);
#pragma omp target teams distribute collapse(2) num_teams(4) map(tofrom : cells)
  for (int i = 0; i < a; i++)
    for (int j = 0; j < b; j++) {
#pragma omp parallel for
      for (int k = 0; k < c; k++) cells[i][j][k]++;
    }
  wrong = 0;
  for (int i = 0; i < 20; i++)
    for (int j = 0; j < 21; j++)
      for (int k = 0; k < 22; k++) wrong += cells[i][j][k] != (i < a && j < b && k < c);
  check("collapse(2)", wrong, 0);
  memset(cells, 0, sizeof cells);
  // A triangle: the inner loop's bounds depend on the outer's index.
#pragma omp target parallel for collapse(2) num_threads(64) map(tofrom : cells)
  for (int i = 0; i < a; i++)
    for (int j = 0; j <= i; j++) cells[i][j][0]++;
  wrong = 0;
  for (int i = 0; i < 20; i++)
    for (int j = 0; j < 21; j++) wrong += cells[i][j][0] != (i < a && j <= i);
  check("triangle", wrong, 0);
  memset(cells, 0, sizeof cells);
#pragma omp target parallel for collapse(2) schedule(dynamic, 3) num_threads(64) map(tofrom : cells)
  for (int i = 0; i < a; i++)
    for (int j = 0; j < b; j++) {
#pragma omp atomic
      cells[i][j][1]++;
    }
  wrong = 0;
  for (int i = 0; i < 20; i++)
    for (int j = 0; j < 21; j++) wrong += cells[i][j][1] != (i < a && j < b);
  check("collapse(2) dynamic", wrong, 0);
}

// firstprivate and lastprivate variables.
static void privates(int n) {
  int first = 7, last = -1, last_of_teams = -1, linear = 3, both = 10, unchanged = 5, bad = 0;
  // Not `distribute parallel for lastprivate`: see lastprivate.c.
#pragma omp target teams distribute parallel for num_teams(3) thread_limit(64) firstprivate(first) private(unchanged) \
    map(tofrom : bad)
  for (int i = 0; i < n; i++) {
    unchanged = i;
    if (first != 7 || unchanged != i) {
#pragma omp atomic
      bad++;
    }
    first += unchanged - i;
  }
  check("private", unchanged, 5);
#pragma omp target parallel for num_threads(64) firstprivate(first) lastprivate(last) map(tofrom : last)
  for (int i = 0; i < n; i++) last = i + first;
  check("lastprivate", last, n ? n - 1 + 7 : -1);
#pragma omp target teams distribute num_teams(3) lastprivate(last_of_teams) map(tofrom : last_of_teams)
  for (int i = 0; i < n; i++) last_of_teams = 2 * i;
  check("lastprivate of teams", last_of_teams, n ? 2 * (n - 1) : -1);
#pragma omp target parallel for num_threads(64) linear(linear : 2) firstprivate(both) lastprivate(both) map(tofrom : bad, both, linear)
  for (int i = 0; i < n; i++) {
    if (linear != 3 + 2 * i) {
#pragma omp atomic
      bad++;
    }
    both = i;
  }
  check("linear", linear, n ? 3 + 2 * (n - 1) : 3);
  check("first and last", both, n ? n - 1 : 10);
  check("bad", bad, 0);
}

int main(void) {
  static const int shapes[][3] = {{1, 1, 5},    {1, 32, 0},     {2, 33, 1},       {31, 96, 3000}, {33, 128, 33},
                                  {3, 1000, 7000}, {2, 1024, 2049}, {1023, 32, 1023}, {1025, 1, 2000}, {3200, 32, 6500}};
  for (unsigned k = 0; k < sizeof shapes / sizeof *shapes; k++) {
    int teams = shapes[k][0], threads = shapes[k][1], n = shapes[k][2];
    plain(teams, threads, n), dist_static(teams, threads, n), dist_33(teams, threads, n);
    // A large number of teams takes long.
    if (teams > 1000) continue;
    dist_1(teams, threads, n);
    dist_static_static(teams, threads, n), dist_static_1(teams, threads, n), dist_17_static_3(teams, threads, n);
    dist_100_dynamic(teams, threads, n), dist_64_dynamic_7(teams, threads, n), dist_static_guided(teams, threads, n);
    dist_50_guided_2(teams, threads, n), dist_static_runtime(teams, threads, n), dist_9_auto(teams, threads, n);
    in_two(teams, threads, n), with_simd(teams, threads, n);
  }
  collapsed(20, 21, 22);
  collapsed(1, 1, 1);
  collapsed(7, 0, 5);
  privates(0);
  privates(1);
  privates(500);
  return report();
}
