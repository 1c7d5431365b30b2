// Generic mode: one thread runs the team's code, workers its parallel regions. LLVM may turn such kernels into
// ones whose threads all run the code. Prints how many checks failed.
#include <omp.h>
#include <stdio.h>

static int failures = 0;

static void check(const char *what, long got, long expected) {
  if (got != expected) {
    failures++;
    printf("%s: %ld, not %ld\n", what, got, expected);
  }
}

enum { N = 1000 };

// The state of the team, seen from a function that is not inlined.
#pragma omp begin declare target
__attribute__((noinline)) static int size(void) { return omp_get_num_threads(); }
__attribute__((noinline)) static int number(void) { return omp_get_thread_num(); }
__attribute__((noinline)) static void add(int *into, int value) {
#pragma omp atomic
  *into += value;
}
#pragma omp end declare target

static void regions(void) {
  int a[N], outside = -1, sizes[8] = {0}, sum = 0, count = 0, limit = 0;
#pragma omp target map(from : a) map(tofrom : outside, sizes, sum, count, limit)
  {
    int base = 7; // shared with the workers
    outside = 10 * size() + number();
    limit = omp_get_max_threads();
    for (int i = 0; i < N; i++)
      a[i] = base;
#pragma omp parallel for
    for (int i = 0; i < N; i++)
      a[i] += i;
    base = 100;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < N; i++)
      sum += a[i] + base;
#pragma omp parallel
    {
      add(&count, 1);
      if (number() == 0)
        sizes[0] = size();
    }
#pragma omp parallel num_threads(40)
    if (number() == 0)
      sizes[1] = size();
#pragma omp parallel num_threads(5)
    {
      add(&sizes[2], 1);
#pragma omp barrier
      if (number() == 4)
        sizes[3] = sizes[2];
    }
#pragma omp parallel if (0)
    sizes[4] = 100 * omp_get_level() + 10 * size() + number();
#pragma omp parallel num_threads(1)
    sizes[5] = 100 * omp_get_level() + 10 * size() + number();
  }
  check("outside", outside, 10);
  for (int i = 0; i < N; i++)
    check("element", a[i], 7 + i);
  check("sum", sum, 107 * N + N * (N - 1) / 2);
  check("96 workers or all 128 threads", limit == 96 || limit == 128, 1);
  check("threads", sizes[0], limit);
  check("count", count, limit);
  check("40 asked for", sizes[1], 32);
  check("5 asked for", sizes[2], 5);
  check("seen after a barrier", sizes[3], 5);
  check("if", sizes[4], 110);
  check("one thread", sizes[5], 110);
}

static void inner_regions(void) {
  int levels[4] = {0}, inner = 0, after = 0;
#pragma omp target map(tofrom : levels, inner, after)
  {
    levels[0] = omp_get_level();
#pragma omp parallel num_threads(64)
    {
#pragma omp parallel num_threads(4)
      {
        add(&inner, 10 * size() + number());
#pragma omp parallel
        if (omp_get_ancestor_thread_num(1) == 3)
          levels[2] = 100 * omp_get_level() + omp_get_team_size(1);
      }
#pragma omp barrier
      if (number() == 5)
        levels[1] = 100 * omp_get_level() + omp_get_ancestor_thread_num(1);
      add(&after, size());
    }
    levels[3] = omp_get_level();
  }
  check("level outside", levels[0], 0);
  check("inner", inner, 640);
  check("level inside", levels[1], 105);
  check("level in the innermost", levels[2], 364);
  check("after inner regions", after, 64 * 64);
  check("level after", levels[3], 0);
}

static void teams(void) {
  enum { TEAMS = 20 };
  int a[TEAMS][64], s = 5, who[TEAMS];
#pragma omp target teams num_teams(TEAMS) thread_limit(96) map(from : a, who) reduction(+ : s)
  {
    int team = omp_get_team_num();
    int local[64];
    for (int i = 0; i < 64; i++)
      local[i] = team;
#pragma omp parallel for shared(local)
    for (int i = 0; i < 64; i++)
      local[i] += i;
    for (int i = 0; i < 64; i++)
      a[team][i] = local[i];
    who[team] = omp_get_num_teams();
    s += local[63];
  }
  for (int t = 0; t < TEAMS; t++) {
    check("teams", who[t], TEAMS);
    for (int i = 0; i < 64; i++)
      check("of a team", a[t][i], t + i);
  }
  check("over teams", s, 5 + TEAMS * 63 + TEAMS * (TEAMS - 1) / 2);
}

// A loop over teams whose body has sequential and parallel parts.
static void distributed(void) {
  enum { ROWS = 50, COLUMNS = 33 };
  static double m[ROWS][COLUMNS], sums[ROWS];
  double total = 1;
#pragma omp target teams distribute map(from : m, sums) reduction(+ : total)
  for (int r = 0; r < ROWS; r++) {
    double s = 0;
#pragma omp parallel for
    for (int c = 0; c < COLUMNS; c++)
      m[r][c] = r * c;
#pragma omp parallel for reduction(+ : s)
    for (int c = 0; c < COLUMNS; c++)
      s += m[r][c];
    sums[r] = s;
    total += s;
  }
  long all = 1;
  for (int r = 0; r < ROWS; r++) {
    check("row", sums[r], r * (COLUMNS * (COLUMNS - 1) / 2));
    all += r * (COLUMNS * (COLUMNS - 1) / 2);
  }
  check("total", total, all);
}

// More teams than the reduction buffer has records, each with one thread that reduces.
static void many_teams(int teams) {
  long s = 3, m = -1;
  int runs = 0;
#pragma omp target teams num_teams(teams) thread_limit(64) reduction(+ : s) reduction(max : m) map(tofrom : runs)
  {
    int mine = 0;
#pragma omp parallel num_threads(32)
    add(&mine, 1);
    s += mine;
    m = omp_get_team_num();
    add(&runs, 1);
  }
  check("many teams", s, 3 + 32L * teams);
  check("the last team", m, teams - 1);
  check("runs", runs, teams);
}

// Blocks of all kinds: the last warp is the main thread's.
static void blocks(void) {
  int limits[] = {1, 31, 32, 33, 63, 64, 65, 96, 128, 1000, 1024};
  for (unsigned k = 0; k < sizeof limits / sizeof *limits; k++) {
    int got[2] = {0}, limit = limits[k];
#pragma omp target thread_limit(limit) map(tofrom : got)
    {
      got[0] = omp_get_thread_limit();
#pragma omp parallel
      add(&got[1], 1);
    }
    check("threads of a limited team", got[1], got[0]);
    check("some", got[0] >= 1 && got[0] <= 1024, 1);
  }
}

// Many and large variables, which exceed the runtime's shared memory for them.
static void large_variables(void) {
  int bad = 0;
#pragma omp target map(tofrom : bad)
  {
    double v[200];
    int a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8;
    for (int i = 0; i < 200; i++)
      v[i] = i;
#pragma omp parallel for shared(v, a, b, c, d, e, f, g, h)
    for (int i = 0; i < 200; i++) {
      v[i] += a + b + c + d + e + f + g + h;
      if (i == 0)
        a += 0;
    }
    for (int i = 0; i < 200; i++)
      bad += v[i] != i + 36;
  }
  check("large variables", bad, 0);
}

int main(void) {
  regions();
  inner_regions();
  teams();
  distributed();
  many_teams(1);
  many_teams(33);
  many_teams(1025);
  many_teams(2500);
  blocks();
  large_variables();
  printf("%d failures\n", failures);
  return failures != 0;
}
