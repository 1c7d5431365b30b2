//! reports O0 O2-lto data-race 51,52 because in teams without iterations all threads read omp_orig, and only one of them is waited for
//! reports O0-lto data-race 51,154 because in teams without iterations all threads read omp_orig, and only one of them is waited for
// Reductions of arrays and parts of them, of structs by a program's own operators, of complex numbers, and of
// many variables at once, in every construct. Initial values are not identities.
#include "check.h"
#include <complex.h>
#include <omp.h>
#include <string.h>

enum { N = 500, A = 5, B = 3 };

#define TEXT(x) #x
#define OMP(x) _Pragma(TEXT(omp x))

// No word of it consists of padding only: see padding.c.
typedef struct {
  long sum;
  int low, high;
  long tag;
} Range;

typedef struct {
  long m[2][2];
} Matrix;

#pragma omp begin declare target
static void widen(Range *a, const Range *b) {
  a->sum += b->sum;
  if (b->low < a->low) a->low = b->low;
  if (b->high > a->high) a->high = b->high;
  a->tag |= b->tag;
}
// Upper triangular with ones: such matrices commute, unlike matrices in general.
static void multiply(Matrix *a, const Matrix *b) {
  Matrix r;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) r.m[i][j] = a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j];
  *a = r;
}
static void nothing(Range *r) {
  r->sum = 0, r->low = 1 << 30, r->high = -(1 << 30), r->tag = 0;
}
#pragma omp end declare target

#pragma omp declare reduction(widen : Range : widen(&omp_out, &omp_in)) initializer(nothing(&omp_priv))
#pragma omp declare reduction(shear : Matrix : multiply(&omp_out, &omp_in)) \
    initializer(omp_priv = (Matrix){{{1, 0}, {0, 1}}})
// Subtracts in each thread; the threads' values are combined by addition.
#pragma omp declare reduction(less : int, long : omp_out += omp_in) initializer(omp_priv = 0)
// The last of the values that are not 0 would depend on the order; the largest does not.
#pragma omp declare reduction(larger : double : omp_out = omp_in > omp_out ? omp_in : omp_out) \
    initializer(omp_priv = omp_orig - 1e6)

typedef struct {
  int a[A];
  double b[B];
  long section[10];
  double _Complex z;
  float _Complex f;
  Range range;
  Matrix shear;
  int less;
  double larger;
  unsigned char bits;
} All;

static const All START = {{1, -2, 3, -4, 5}, {.5, 1, -1.5}, {9, 8, 7, 6, 5, 4, 3, 2, 1, 0}, 1 + 2 * I,
                          -3 + .5f * I,      {7, 3, 4, 1},  {{{1, 10}, {0, 1}}},            1000,
                          -1e5,              0x80};

#pragma omp begin declare target
// What iteration i adds; sections 2 to 5 are reduced. Sometimes a factor of i or -i.
#define STEP(i)                                                                     \
  do {                                                                              \
    a[(i) % A] += (i);                                                              \
    b[(i) % B] += (i) * .25;                                                        \
    section[2 + (i) % 4] += 3 * (i);                                                \
    z += (i) - 2 * (i) * I;                                                         \
    f += (i) % 7 + (i) % 3 * (float _Complex)I;                                     \
    Range one_ = {(i), (i) * 37 % 101 - 50, (i) * 41 % 103 - 50, 1 << (i) % 6};     \
    widen(&range, &one_);                                                           \
    Matrix factor_ = {{{1, (i)}, {0, 1}}};                                          \
    multiply(&shear, &factor_);                                                     \
    less -= (i);                                                                    \
    larger = (i) * 13 % 97 > larger ? (i) * 13 % 97 : larger;                       \
    bits |= 1 << (i) % 5;                                                           \
  } while (0)
#pragma omp end declare target

#define OPEN(all)                                                                   \
  int a[A];                                                                         \
  double b[B];                                                                      \
  long section[10];                                                                 \
  double _Complex z = (all).z;                                                      \
  float _Complex f = (all).f;                                                       \
  Range range = (all).range;                                                        \
  Matrix shear = (all).shear;                                                       \
  int less = (all).less;                                                            \
  double larger = (all).larger;                                                     \
  unsigned char bits = (all).bits;                                                  \
  memcpy(a, (all).a, sizeof a);                                                     \
  memcpy(b, (all).b, sizeof b);                                                     \
  memcpy(section, (all).section, sizeof section)

#define CLOSE(all)                                                                  \
  (all) = (All){.z = z, .f = f, .range = range, .shear = shear, .less = less,       \
                .larger = larger, .bits = bits};                                    \
  memcpy((all).a, a, sizeof a);                                                     \
  memcpy((all).b, b, sizeof b);                                                     \
  memcpy((all).section, section, sizeof section)

#define REDUCED                                                                     \
  reduction(+ : a, b, section[2:4], z, f) reduction(widen : range)                  \
      reduction(shear : shear) reduction(less : less) reduction(larger : larger) reduction(| : bits)
#define MAPPED map(tofrom : a, b, section, z, f, range, shear, less, larger, bits)

static All expected(int n) {
  OPEN(START);
  for (int i = 0; i < n; i++) STEP(i);
  All all;
  CLOSE(all);
  return all;
}

static void compare(const char *construct, int n, All got) {
  All want = expected(n);
  char what[100];
#define SAME(part)                                                                  \
  snprintf(what, sizeof what, "%s, %d, " #part, construct, n);                      \
  check(what, got.part, want.part)
  for (int k = 0; k < A; k++) { SAME(a[k]); }
  for (int k = 0; k < B; k++) { SAME(b[k]); }
  for (int k = 0; k < 10; k++) { SAME(section[k]); }
  snprintf(what, sizeof what, "%s, %d, complex", construct, n);
  check(what, creal(got.z), creal(want.z));
  check(what, cimag(got.z), cimag(want.z));
  check(what, crealf(got.f), crealf(want.f));
  check(what, cimagf(got.f), cimagf(want.f));
  SAME(range.sum); SAME(range.low); SAME(range.high); SAME(range.tag);
  SAME(shear.m[0][0]); SAME(shear.m[0][1]); SAME(shear.m[1][0]); SAME(shear.m[1][1]);
  SAME(less); SAME(larger); SAME(bits);
}

#define CASE(NAME, PRAGMA)                                                          \
  static void NAME(int n) {                                                         \
    OPEN(START);                                                                    \
    OMP(PRAGMA MAPPED REDUCED)                                                      \
    for (int i = 0; i < n; i++) STEP(i);                                            \
    All all;                                                                        \
    CLOSE(all);                                                                     \
    compare(#NAME, n, all);                                                         \
  }

CASE(distribute_parallel_for, target teams distribute parallel for num_teams(5) thread_limit(64))
CASE(distribute, target teams distribute num_teams(3))
CASE(parallel_for, target parallel for num_threads(96))
CASE(parallel_for_dynamic, target parallel for num_threads(64) schedule(dynamic, 3))
CASE(parallel_loop, target parallel loop num_threads(64))
CASE(simd, target simd)
// Not `teams loop` in a `target` of its own: clang 22 runs the first iteration of each chunk only.
// clang 23 executes one iteration of a loop of teams that reduces and calls a function: docs/pitfalls.md.
#if __clang_major__ < 23
CASE(teams_loop, target teams loop num_teams(3))
#endif

static void teams(int n) {
  OPEN(START);
#pragma omp target MAPPED
#pragma omp teams num_teams(7) thread_limit(64) REDUCED
  for (int i = omp_get_team_num(); i < n; i += omp_get_num_teams()) STEP(i);
  All all;
  CLOSE(all);
  compare("teams", n, all);
}

static void for_in_parallel(int n) {
  OPEN(START);
#pragma omp target parallel num_threads(33) MAPPED
#pragma omp for schedule(static, 2) REDUCED
  for (int i = 0; i < n; i++) STEP(i);
  All all;
  CLOSE(all);
  compare("for in parallel", n, all);
}

static void parallel(int n) {
  OPEN(START);
#pragma omp target MAPPED
#pragma omp parallel num_threads(64) REDUCED
  for (int i = omp_get_thread_num(); i < n; i += omp_get_num_threads()) STEP(i);
  All all;
  CLOSE(all);
  compare("parallel", n, all);
}

static void sections(void) {
  OPEN(START);
#pragma omp target parallel num_threads(32) MAPPED
#pragma omp sections REDUCED
  {
    STEP(0);
#pragma omp section
    STEP(1);
#pragma omp section
    STEP(2);
  }
  All all;
  CLOSE(all);
  compare("sections", 3, all);
}

int main(void) {
  for (int k = 0; k < 3; k++) {
    int n = (int[]){0, 1, N}[k];
    distribute_parallel_for(n);
    distribute(n);
#if __clang_major__ < 23
    teams_loop(n);
#endif
    parallel_for(n);
    parallel_for_dynamic(n);
    parallel_loop(n);
    simd(n);
    teams(n);
    parallel(n);
    for_in_parallel(n);
  }
  sections();
  return report();
}
