// Reduction operators in every construct that reduces; see constructs.c and constructs_type.h.
#include <omp.h>
#include <stdio.h>

static int failures = 0, checks = 0;

#define TEXT(x) #x
#define OMP(x) _Pragma(TEXT(omp x))

// clang 23 executes one iteration of a loop of teams that reduces and calls a function: docs/pitfalls.md.
#if __clang_major__ >= 23
#define TEAMS_LOOP target teams distribute
#else
#define TEAMS_LOOP target teams loop
#endif

enum { TEAMS = 7 };

// Small values, few of which change a product, so that nothing overflows.
#pragma omp begin declare target
static inline int value(int i) { return i % 61 == 7 ? 2 : i % 97 == 3 ? -1 : 1; }
static inline int smaller(int i) { return (i * 37) % 101 - 40; }
static inline int bits(int i) { return (i * 29) & 63; }
static inline int truth(int i) { return i % 50 != 49; }
static inline int untruth(int i) { return i % 50 == 49; }
#pragma omp end declare target

// The expected result of one operator over one type: the initial value counts once.
#define CHECK(T, NAME, OP, COMBINE, VALUE, INIT)                                                               \
  static T NAME##_expected(int n) {                                                                            \
    T r = INIT;                                                                                                \
    for (int i = 0; i < n; i++) {                                                                              \
      T v = (T)VALUE(i);                                                                                       \
      r = COMBINE(r, v);                                                                                       \
    }                                                                                                          \
    return r;                                                                                                  \
  }                                                                                                            \
  static void NAME##_check(const char *construct, int n, T got) {                                              \
    checks++;                                                                                                  \
    if (got != NAME##_expected(n)) {                                                                           \
      failures++;                                                                                              \
      printf("%s over %s, %s, %d: %g, not %g\n", TEXT(OP), TEXT(T), construct, n, (double)got,                 \
             (double)NAME##_expected(n));                                                                      \
    }                                                                                                          \
  }

// In the most frequent constructs.
#define MOST(T, NAME, OP, COMBINE, VALUE, INIT)                                                                \
  static void NAME(int n) {                                                                                    \
    T r = INIT;                                                                                                \
    OMP(target teams distribute parallel for reduction(OP : r) map(tofrom : r))                                \
    for (int i = 0; i < n; i++) r = COMBINE(r, (T)VALUE(i));                                                   \
    NAME##_check("teams distribute parallel for", n, r);                                                       \
    r = INIT;                                                                                                  \
    OMP(target parallel for reduction(OP : r) map(tofrom : r))                                                 \
    for (int i = 0; i < n; i++) r = COMBINE(r, (T)VALUE(i));                                                   \
    NAME##_check("parallel for", n, r);                                                                        \
    r = INIT;                                                                                                  \
    OMP(target parallel for schedule(dynamic, 3) num_threads(50) reduction(OP : r) map(tofrom : r))            \
    for (int i = 0; i < n; i++) r = COMBINE(r, (T)VALUE(i));                                                   \
    NAME##_check("parallel for schedule(dynamic)", n, r);                                                      \
    r = INIT;                                                                                                  \
    OMP(TEAMS_LOOP reduction(OP : r) map(tofrom : r))                                                          \
    for (int i = 0; i < n; i++) r = COMBINE(r, (T)VALUE(i));                                                   \
    NAME##_check("teams loop", n, r);                                                                          \
    r = INIT;                                                                                                  \
    OMP(target simd reduction(OP : r) map(tofrom : r))                                                         \
    for (int i = 0; i < n; i++) r = COMBINE(r, (T)VALUE(i));                                                   \
    NAME##_check("simd", n, r);                                                                                \
    r = INIT;                                                                                                  \
    OMP(target teams distribute parallel for simd reduction(OP : r) map(tofrom : r) num_teams(3))              \
    for (int i = 0; i < n; i++) r = COMBINE(r, (T)VALUE(i));                                                   \
    NAME##_check("teams distribute parallel for simd", n, r);                                                  \
    r = INIT;                                                                                                  \
    OMP(target teams distribute reduction(OP : r) map(tofrom : r))                                             \
    for (int i = 0; i < n; i++) r = COMBINE(r, (T)VALUE(i));                                                   \
    NAME##_check("teams distribute", n, r);                                                                    \
    r = INIT;                                                                                                  \
    OMP(target map(tofrom : r)) {                                                                              \
      OMP(parallel for reduction(OP : r))                                                                      \
      for (int i = 0; i < n; i++) r = COMBINE(r, (T)VALUE(i));                                                 \
    }                                                                                                          \
    NAME##_check("parallel for in target", n, r);                                                              \
    r = INIT;                                                                                                  \
    OMP(target map(tofrom : r)) {                                                                              \
      OMP(parallel)                                                                                            \
      OMP(for reduction(OP : r))                                                                               \
      for (int i = 0; i < n; i++) r = COMBINE(r, (T)VALUE(i));                                                 \
    }                                                                                                          \
    NAME##_check("for in parallel", n, r);                                                                     \
    r = INIT;                                                                                                  \
    OMP(target teams distribute reduction(OP : r) map(tofrom : r) num_teams(5))                                \
    for (int k = 0; k < 3; k++) {                                                                              \
      OMP(parallel for reduction(OP : r))                                                                      \
      for (int i = k; i < n; i += 3) r = COMBINE(r, (T)VALUE(i));                                              \
    }                                                                                                          \
    NAME##_check("parallel for in teams distribute", n, r);                                                    \
    r = INIT;                                                                                                  \
    OMP(target teams num_teams(TEAMS) thread_limit(64) reduction(OP : r) map(tofrom : r))                      \
    r = COMBINE(r, (T)VALUE(omp_team()));                                                                      \
    NAME##_check("teams", TEAMS, r);                                                                           \
    r = INIT;                                                                                                  \
    OMP(target map(tofrom : r))                                                                                \
    OMP(parallel sections reduction(OP : r)) {                                                                 \
      r = COMBINE(r, (T)VALUE(0));                                                                             \
      OMP(section)                                                                                             \
      r = COMBINE(r, (T)VALUE(1));                                                                             \
      OMP(section)                                                                                             \
      r = COMBINE(r, (T)VALUE(2));                                                                             \
    }                                                                                                          \
    NAME##_check("sections", 3, r);                                                                            \
    r = INIT;                                                                                                  \
    OMP(target map(tofrom : r)) {                                                                              \
      OMP(parallel num_threads(64))                                                                            \
      OMP(single) {                                                                                            \
        OMP(taskgroup task_reduction(OP : r))                                                                  \
        for (int i = 0; i < 20; i++) {                                                                         \
          OMP(task in_reduction(OP : r))                                                                       \
          r = COMBINE(r, (T)VALUE(i));                                                                         \
        }                                                                                                      \
      }                                                                                                        \
    }                                                                                                          \
    NAME##_check("task", 20, r);                                                                               \
    r = INIT;                                                                                                  \
    OMP(target map(tofrom : r)) {                                                                              \
      OMP(parallel num_threads(64))                                                                            \
      OMP(single)                                                                                              \
      OMP(taskloop reduction(OP : r))                                                                          \
      for (int i = 0; i < n; i++) r = COMBINE(r, (T)VALUE(i));                                                 \
    }                                                                                                          \
    NAME##_check("taskloop", n, r);                                                                            \
  }

// In all other constructs: every schedule, and nested regions.
#define MORE(T, NAME, OP, COMBINE, VALUE, INIT)                                                                \
  static void NAME##_more(int n) {                                                                             \
    T r;                                                                                                       \
    r = INIT;                                                                                                  \
    OMP(target parallel for num_threads(64) map(tofrom : r) reduction(OP : r) schedule(static, 3))             \
    for (int i = 0; i < n; i++) r = COMBINE(r, (T)VALUE(i));                                                   \
    NAME##_check("parallel for schedule(static, 3)", n, r);                                                    \
    r = INIT;                                                                                                  \
    OMP(target parallel for num_threads(64) map(tofrom : r) reduction(OP : r) schedule(guided))                \
    for (int i = 0; i < n; i++) r = COMBINE(r, (T)VALUE(i));                                                   \
    NAME##_check("parallel for schedule(guided)", n, r);                                                       \
    r = INIT;                                                                                                  \
    OMP(target parallel for num_threads(64) map(tofrom : r) reduction(OP : r) schedule(guided, 4))             \
    for (int i = 0; i < n; i++) r = COMBINE(r, (T)VALUE(i));                                                   \
    NAME##_check("parallel for schedule(guided, 4)", n, r);                                                    \
    r = INIT;                                                                                                  \
    OMP(target parallel for num_threads(64) map(tofrom : r) reduction(OP : r) schedule(runtime))               \
    for (int i = 0; i < n; i++) r = COMBINE(r, (T)VALUE(i));                                                   \
    NAME##_check("parallel for schedule(runtime)", n, r);                                                      \
    r = INIT;                                                                                                  \
    OMP(target parallel for num_threads(64) map(tofrom : r) reduction(OP : r) schedule(auto))                  \
    for (int i = 0; i < n; i++) r = COMBINE(r, (T)VALUE(i));                                                   \
    NAME##_check("parallel for schedule(auto)", n, r);                                                         \
    r = INIT;                                                                                                  \
    OMP(target parallel for num_threads(64) map(tofrom : r) reduction(OP : r) schedule(monotonic : dynamic))   \
    for (int i = 0; i < n; i++) r = COMBINE(r, (T)VALUE(i));                                                   \
    NAME##_check("parallel for schedule(monotonic : dynamic)", n, r);                                          \
    r = INIT;                                                                                                  \
    OMP(target parallel for num_threads(64) map(tofrom : r) reduction(OP : r) schedule(nonmonotonic : dynamic, 2))\
    for (int i = 0; i < n; i++) r = COMBINE(r, (T)VALUE(i));                                                   \
    NAME##_check("parallel for schedule(nonmonotonic : dynamic, 2)", n, r);                                    \
    r = INIT;                                                                                                  \
    OMP(target parallel for ordered schedule(dynamic, 2) num_threads(64) map(tofrom : r) reduction(OP : r))    \
    for (int i = 0; i < n; i++) r = COMBINE(r, (T)VALUE(i));                                                   \
    NAME##_check("parallel for ordered", n, r);                                                                \
    r = INIT;                                                                                                  \
    OMP(target parallel for simd num_threads(64) map(tofrom : r) reduction(OP : r))                            \
    for (int i = 0; i < n; i++) r = COMBINE(r, (T)VALUE(i));                                                   \
    NAME##_check("parallel for simd", n, r);                                                                   \
    r = INIT;                                                                                                  \
    OMP(target teams distribute parallel for num_teams(5) thread_limit(64) map(tofrom : r) reduction(OP : r) dist_schedule(static))\
    for (int i = 0; i < n; i++) r = COMBINE(r, (T)VALUE(i));                                                   \
    NAME##_check("teams distribute parallel for dist_schedule(static)", n, r);                                 \
    r = INIT;                                                                                                  \
    OMP(target teams distribute parallel for num_teams(5) thread_limit(64) map(tofrom : r) reduction(OP : r) dist_schedule(static, 7) schedule(static, 3))\
    for (int i = 0; i < n; i++) r = COMBINE(r, (T)VALUE(i));                                                   \
    NAME##_check("teams distribute parallel for dist_schedule(static, 7) schedule(static, 3)", n, r);          \
    r = INIT;                                                                                                  \
    OMP(target teams distribute parallel for num_teams(5) thread_limit(64) map(tofrom : r) reduction(OP : r) dist_schedule(static, 64) schedule(dynamic))\
    for (int i = 0; i < n; i++) r = COMBINE(r, (T)VALUE(i));                                                   \
    NAME##_check("teams distribute parallel for dist_schedule(static, 64) schedule(dynamic)", n, r);           \
    r = INIT;                                                                                                  \
    OMP(target teams distribute parallel for num_teams(5) thread_limit(64) map(tofrom : r) reduction(OP : r) schedule(guided, 2))\
    for (int i = 0; i < n; i++) r = COMBINE(r, (T)VALUE(i));                                                   \
    NAME##_check("teams distribute parallel for schedule(guided, 2)", n, r);                                   \
    r = INIT;                                                                                                  \
    OMP(target teams distribute parallel for num_teams(5) thread_limit(64) map(tofrom : r) reduction(OP : r) dist_schedule(static, 1) schedule(runtime))\
    for (int i = 0; i < n; i++) r = COMBINE(r, (T)VALUE(i));                                                   \
    NAME##_check("teams distribute parallel for dist_schedule(static, 1) schedule(runtime)", n, r);            \
    r = INIT;                                                                                                  \
    OMP(target teams distribute simd num_teams(5) map(tofrom : r) reduction(OP : r))                           \
    for (int i = 0; i < n; i++) r = COMBINE(r, (T)VALUE(i));                                                   \
    NAME##_check("teams distribute simd", n, r);                                                               \
    r = INIT;                                                                                                  \
    OMP(target parallel loop num_threads(64) map(tofrom : r) reduction(OP : r))                                \
    for (int i = 0; i < n; i++) r = COMBINE(r, (T)VALUE(i));                                                   \
    NAME##_check("parallel loop", n, r);                                                                       \
    r = INIT;                                                                                                  \
    OMP(target parallel num_threads(64) map(tofrom : r) reduction(OP : r))                                     \
    r = COMBINE(r, (T)VALUE(omp_thread()));                                                                    \
    NAME##_check("parallel", 64, r);                                                                           \
    r = INIT;                                                                                                  \
    OMP(target map(tofrom : r)) {                                                                              \
      T s = INIT;                                                                                              \
      OMP(parallel num_threads(64) reduction(OP : s))                                                          \
      s = COMBINE(s, (T)VALUE(omp_thread()));                                                                  \
      r = s;                                                                                                   \
    }                                                                                                          \
    NAME##_check("parallel in generic mode", 64, r);                                                           \
    r = INIT;                                                                                                  \
    OMP(target parallel num_threads(64) map(tofrom : r))                                                       \
    OMP(scope reduction(OP : r))                                                                               \
    r = COMBINE(r, (T)VALUE(omp_thread()));                                                                    \
    NAME##_check("scope", 64, r);                                                                              \
    r = INIT;                                                                                                  \
    OMP(target teams num_teams(1) thread_limit(96) map(tofrom : r)) {                                          \
      OMP(parallel)                                                                                            \
      OMP(for schedule(static, 2) reduction(OP : r))                                                           \
      for (int i = 0; i < n; i++) r = COMBINE(r, (T)VALUE(i));                                                 \
    }                                                                                                          \
    NAME##_check("for in teams", n, r);                                                                        \
    r = INIT;                                                                                                  \
    OMP(target parallel num_threads(64) map(tofrom : r)) {                                                     \
      OMP(for reduction(OP : r) nowait)                                                                        \
      for (int i = 0; i < n / 2; i++) r = COMBINE(r, (T)VALUE(i));                                             \
      OMP(barrier)                                                                                             \
      OMP(for reduction(OP : r))                                                                               \
      for (int i = n / 2; i < n; i++) r = COMBINE(r, (T)VALUE(i));                                             \
    }                                                                                                          \
    NAME##_check("two loops and a barrier", n, r);                                                             \
    r = INIT;                                                                                                  \
    OMP(target parallel num_threads(2) map(tofrom : r))                                                        \
    OMP(sections reduction(OP : r)) {                                                                          \
      r = COMBINE(r, (T)VALUE(0));                                                                             \
      OMP(section) { r = COMBINE(r, (T)VALUE(1)); }                                                            \
      OMP(section) { r = COMBINE(r, (T)VALUE(2)); }                                                            \
      OMP(section) { r = COMBINE(r, (T)VALUE(3)); }                                                            \
    }                                                                                                          \
    NAME##_check("sections in parallel", 4, r);                                                                \
    r = INIT;                                                                                                  \
    OMP(target map(tofrom : r)) {                                                                              \
      OMP(parallel for num_threads(4) reduction(OP : r))                                                       \
      for (int k = 0; k < 4; k++) {                                                                            \
        OMP(parallel for reduction(OP : r))                                                                    \
        for (int i = k; i < n; i += 4) r = COMBINE(r, (T)VALUE(i));                                            \
      }                                                                                                        \
    }                                                                                                          \
    NAME##_check("nested", n, r);                                                                              \
    r = INIT;                                                                                                  \
    OMP(target teams distribute parallel for num_teams(2) thread_limit(32) map(tofrom : r) reduction(OP : r))  \
    for (int k = 0; k < 5; k++) {                                                                              \
      OMP(parallel for reduction(OP : r))                                                                      \
      for (int i = k; i < n; i += 5) r = COMBINE(r, (T)VALUE(i));                                              \
    }                                                                                                          \
    NAME##_check("nested in teams", n, r);                                                                     \
    r = INIT;                                                                                                  \
    OMP(target map(tofrom : r)) {                                                                              \
      OMP(parallel for if (n < 0) reduction(OP : r))                                                           \
      for (int i = 0; i < n; i++) r = COMBINE(r, (T)VALUE(i));                                                 \
    }                                                                                                          \
    NAME##_check("serialised", n, r);                                                                          \
    r = INIT;                                                                                                  \
    OMP(target parallel num_threads(64) map(tofrom : r))                                                       \
    OMP(for reduction(task, OP : r))                                                                           \
    for (int i = 0; i < n; i++) {                                                                              \
      OMP(task in_reduction(OP : r))                                                                           \
      r = COMBINE(r, (T)VALUE(i));                                                                             \
    }                                                                                                          \
    NAME##_check("reduction(task) of a loop", n, r);                                                           \
    r = INIT;                                                                                                  \
    OMP(target parallel num_threads(64) map(tofrom : r))                                                       \
    OMP(single)                                                                                                \
    OMP(taskgroup task_reduction(OP : r)) {                                                                    \
      OMP(taskloop in_reduction(OP : r) grainsize(3))                                                          \
      for (int i = 0; i < n; i++) r = COMBINE(r, (T)VALUE(i));                                                 \
    }                                                                                                          \
    NAME##_check("taskloop in_reduction", n, r);                                                               \
    r = INIT;                                                                                                  \
    OMP(target parallel num_threads(64) map(tofrom : r))                                                       \
    OMP(single)                                                                                                \
    OMP(taskloop simd reduction(OP : r))                                                                       \
    for (int i = 0; i < n; i++) r = COMBINE(r, (T)VALUE(i));                                                   \
    NAME##_check("taskloop simd", n, r);                                                                       \
  }

#pragma omp begin declare target
static inline int omp_team(void) { return omp_get_team_num(); }
static inline int omp_thread(void) { return omp_get_thread_num(); }
#pragma omp end declare target

#define ADD(a, b) ((a) + (b))
#define MULTIPLY(a, b) ((a) * (b))
#define LESSER(a, b) ((b) < (a) ? (b) : (a))
#define GREATER(a, b) ((b) > (a) ? (b) : (a))
#define AND(a, b) ((a) & (b))
#define OR(a, b) ((a) | (b))
#define XOR(a, b) ((a) ^ (b))
#define BOTH(a, b) ((a) && (b))
#define EITHER(a, b) ((a) || (b))

// Runs cases of three lengths: no iteration, one, and more than threads.
static int run(void (*const cases[])(int), int count) {
  for (int k = 0; k < count; k++)
    for (int size = 0; size < 3; size++)
      cases[k]((int[]){0, 1, 333}[size]);
  printf("%d checks, %d failures\n", checks, failures);
  return failures != 0;
}

#define RUN(cases) run(cases, (int)(sizeof cases / sizeof *cases))
