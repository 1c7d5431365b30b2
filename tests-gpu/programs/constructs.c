// Every reduction operator in every construct that reduces. Prints how many checks failed. With -DALL every
// operator over every type that it has; else one type for each.
#include <stdio.h>

static int failures = 0, checks = 0;

#define TEXT(x) #x
#define OMP(x) _Pragma(TEXT(omp x))

enum { TEAMS = 7 };

// Small values, of which few change a product: neither overflows.
#pragma omp begin declare target
static inline int value(int i) { return i % 61 == 7 ? 2 : i % 97 == 3 ? -1 : 1; }
static inline int smaller(int i) { return (i * 37) % 101 - 40; }
static inline int bits(int i) { return (i * 29) & 63; }
static inline int truth(int i) { return i % 50 != 49; }
static inline int untruth(int i) { return i % 50 == 49; }
#pragma omp end declare target

// One operator over one type: the initial value counts once, in each construct.
#define OPERATOR(T, NAME, OP, COMBINE, VALUE, INIT)                                                            \
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
  }                                                                                                            \
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
    OMP(target teams loop reduction(OP : r) map(tofrom : r))                                                   \
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

#pragma omp begin declare target
int omp_get_team_num(void);
static inline int omp_team(void) { return omp_get_team_num(); }
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

#ifndef ALL
OPERATOR(double, add_f64, +, ADD, smaller, 3)
OPERATOR(long, multiply_i64, *, MULTIPLY, value, 5)
OPERATOR(float, min_f32, min, LESSER, smaller, 90)
OPERATOR(short, max_i16, max, GREATER, smaller, -90)
OPERATOR(unsigned, and_u32, &, AND, bits, 63)
OPERATOR(unsigned char, or_u8, |, OR, bits, 64)
OPERATOR(unsigned long, xor_u64, ^, XOR, bits, 128)
OPERATOR(signed char, both_i8, &&, BOTH, truth, 1)
OPERATOR(int, either_i32, ||, EITHER, untruth, 0)
static void (*const cases[])(int) = {add_f64, multiply_i64, min_f32, max_i16, and_u32,
                                     or_u8,   xor_u64,      both_i8, either_i32};
#else
#define INTEGERS(X)                                                                                            \
  X(signed char, i8) X(unsigned char, u8) X(short, i16) X(unsigned short, u16) X(int, i32) X(unsigned, u32)    \
  X(long, i64) X(unsigned long, u64)
#define NUMBERS(X) INTEGERS(X) X(float, f32) X(double, f64)
#define OF_NUMBERS(T, N)                                                                                       \
  OPERATOR(T, add_##N, +, ADD, value, 3)                                                                       \
  OPERATOR(T, multiply_##N, *, MULTIPLY, value, 5)                                                             \
  OPERATOR(T, min_##N, min, LESSER, bits, 99)                                                                  \
  OPERATOR(T, max_##N, max, GREATER, bits, 1)                                                                  \
  OPERATOR(T, both_##N, &&, BOTH, truth, 1)                                                                    \
  OPERATOR(T, either_##N, ||, EITHER, untruth, 0)
#define OF_INTEGERS(T, N)                                                                                      \
  OPERATOR(T, and_##N, &, AND, bits, 63)                                                                       \
  OPERATOR(T, or_##N, |, OR, bits, 64)                                                                         \
  OPERATOR(T, xor_##N, ^, XOR, bits, 64)
NUMBERS(OF_NUMBERS)
INTEGERS(OF_INTEGERS)
#define NAMES_OF_NUMBERS(T, N) add_##N, multiply_##N, min_##N, max_##N, both_##N, either_##N,
#define NAMES_OF_INTEGERS(T, N) and_##N, or_##N, xor_##N,
static void (*const cases[])(int) = {NUMBERS(NAMES_OF_NUMBERS) INTEGERS(NAMES_OF_INTEGERS)};
#endif

int main(void) {
  for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++)
    for (int size = 0; size < 3; size++)
      cases[k]((int[]){0, 1, 333}[size]);
  printf("%d failures\n", failures);
  return failures != 0 || checks == 0;
}
