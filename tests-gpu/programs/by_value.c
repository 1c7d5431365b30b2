//! whole
//! fails O2 because LLVM 22 takes structs that are passed by value for local memory, if a file is optimised by itself
// Structs passed by value from arrays, variables, captured structs and structs in reductions: docs/pitfalls.md.
#include "each_construct.h"

typedef struct { double x, y, z; } V;
typedef struct { char a; short b; } Small;
typedef struct { V v[2]; long n; } Large;

V add(V a, V b) { return (V){a.x + b.x, a.y + b.y, a.z + b.z}; }
static double dot(V a, V b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static int both(Small s, Small t) { return s.a * t.b + t.a; }
static inline double second(Large l) { return dot(l.v[1], l.v[0]) + l.n; }
static Large longer(Large l, V v) {
  l.v[0] = add(l.v[0], v);
  return l;
}
#pragma omp declare reduction(add : V : omp_out = add(omp_out, omp_in)) initializer(omp_priv = (V){0, 0, 0})

V global[N];
#pragma omp declare target(global)

int main(void) {
  static V p[N];
  static Small s[N];
  static Large l[N];
  static double out[N];
  V one = {3, 1, 4};
  for (int i = 0; i < N; i++) {
    global[i] = p[i] = (V){i, 2 * i, 1};
    s[i] = (Small){i % 50, i};
    l[i] = (Large){{p[i], one}, i};
  }
#pragma omp target update to(global)
#define ARRAY(i) dot(add(p[i], p[(i + 1) % N]), p[i])
#define CAPTURED(i) dot(one, add(one, p[i]))
#define NARROW(i) both(s[i], s[(i * 7) % N])
#define LONG(i) second(longer(l[i], p[i]))
#define GLOBAL(i) dot(global[i], one)
  LOOP(ARRAY);
  ALL("array", ARRAY, map(to : p));
  LOOP(CAPTURED);
  ALL("captured", CAPTURED, map(to : p));
  LOOP(NARROW);
  ALL("narrow", NARROW, map(to : s));
  LOOP(LONG);
  ALL("long", LONG, map(to : l, p));
  LOOP(GLOBAL);
  ALL("global", GLOBAL, );

#define REDUCE(CONSTRUCT)                                                                                      \
  {                                                                                                            \
    V r = {5, 6, 7};                                                                                           \
    OMP(target CONSTRUCT reduction(add : r) map(tofrom : r) map(to : p))                                       \
    for (int i = 0; i < N; i++) r = add(r, p[i]);                                                              \
    check(#CONSTRUCT, r.x, 5 + N * (N - 1) / 2);                                                               \
    check(#CONSTRUCT, r.y, 6 + N * (N - 1));                                                                   \
    check(#CONSTRUCT, r.z, 7 + N);                                                                             \
  }
  REDUCE(teams distribute parallel for)
  REDUCE(teams distribute parallel for simd)
  REDUCE(parallel for)
  REDUCE(teams distribute)
#if __clang_major__ < 23  // It executes one iteration: docs/pitfalls.md.
  REDUCE(teams loop)
#endif
  REDUCE(simd)
  return report();
}
