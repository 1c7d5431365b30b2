// Every form of `atomic` over every width, by many threads of many teams. Narrow ones lie in structs of whole words:
// see narrow.c.
#include "check.h"
#include <complex.h>
#include <omp.h>
#include <stdint.h>

enum { N = 600 };

#define TEXT(x) #x
#define OMP(x) _Pragma(TEXT(omp x))
#define TEAMS(...) OMP(target teams distribute parallel for num_teams(5) thread_limit(64) map(tofrom : __VA_ARGS__))

// Updates in any order: a sum, a difference; the captured values are a permutation.
#define UPDATES(T, NAME)                                                                           \
  static void NAME##_updates(void) {                                                               \
    static int seen[N + 1], seen_after[N + 1];                                                     \
    struct { T up, down, twice, before, after; long end; } v = {3, 100, 1, 0, 0, 0};               \
    for (int i = 0; i <= N; i++) seen[i] = seen_after[i] = 0;                                      \
    TEAMS(v, seen, seen_after)                                                                     \
    for (int i = 0; i < N; i++) {                                                                  \
      OMP(atomic)                                                                                  \
      v.up += 1;                                                                                   \
      OMP(atomic update seq_cst)                                                                   \
      v.down = v.down - (T)1;                                                                      \
      OMP(atomic relaxed hint(omp_sync_hint_contended))                                            \
      v.twice = (T)2 + v.twice;                                                                    \
      T a, b;                                                                                      \
      OMP(atomic capture acq_rel)                                                                  \
      a = v.before++;                                                                              \
      OMP(atomic capture) { v.after += 1; b = v.after; }                                           \
      /* Narrow ones come around. */                                                               \
      OMP(atomic)                                                                                  \
      seen[(int)a >= 0 ? (int)a : (int)a + 256]++;                                                 \
      OMP(atomic)                                                                                  \
      seen_after[(int)b >= 0 ? (int)b : (int)b + 256]++;                                           \
    }                                                                                              \
    T up = 3, down = 100, twice = 1;                                                               \
    int all = 0, all_after = 0;                                                                    \
    for (int i = 0; i < N; i++) up += 1, down -= 1, twice += 2;                                    \
    for (int i = 0; i <= N; i++) all += seen[i], all_after += seen_after[i];                       \
    check(#T " up", v.up, up);                                                                     \
    check(#T " down", v.down, down);                                                               \
    check(#T " twice", v.twice, twice);                                                            \
    check(#T " captured", all, N);                                                                 \
    check(#T " captured after", all_after, N);                                                     \
    if (sizeof(T) > 1) {                                                                           \
      for (int i = 0; i < N; i++) {                                                                \
        check(#T " once", seen[i], 1);                                                             \
        check(#T " once after", seen_after[i], i > 0);                                             \
      }                                                                                            \
      check(#T " the last", (double)v.after, N);                                                   \
    }                                                                                              \
  }

// Factors, quotients, extremes by comparison, exchange.
#define OTHERS(T, NAME)                                                                            \
  static void NAME##_others(void) {                                                                \
    struct { T product, quotient, low, high, swapped, written; long end; } v = {                   \
        3, 64, 90, -1 > (T)0 ? 0 : (T)-100, 0, 0, 0};                                              \
    T first = v.high;                                                                              \
    int swaps = 0, wrong = 0;                                                                      \
    TEAMS(v, swaps, wrong)                                                                         \
    for (int i = 0; i < N; i++) {                                                                  \
      T now = (T)(i * 37 % 101), old;                                                                \
      if (i % 200 == 0) {                                                                          \
        OMP(atomic)                                                                                \
        v.product *= 2;                                                                            \
        OMP(atomic)                                                                                \
        v.quotient = v.quotient / 2;                                                               \
      }                                                                                            \
      OMP(atomic compare)                                                                          \
      if (now < v.low) { v.low = now; }                                                                \
      OMP(atomic compare seq_cst)                                                                  \
      if (now > v.high) { v.high = now; }                                                              \
      OMP(atomic write)                                                                            \
      v.written = (T)42;                                                                           \
      OMP(atomic read acquire)                                                                     \
      old = v.written;                                                                             \
      if (old != (T)42) {                                                                          \
        OMP(atomic)                                                                                \
        wrong++;                                                                                   \
      }                                                                                            \
      /* Each value goes in and comes out once. */                                                 \
      OMP(atomic capture) { old = v.swapped; v.swapped = (T)(i % 100 + 1); }                       \
      OMP(atomic)                                                                                  \
      swaps += (int)old;                                                                           \
    }                                                                                              \
    T product_ = 3 * 8, quotient_ = 64 / 8;                                                        \
    check(#T " product", v.product, product_);                                                     \
    check(#T " quotient", v.quotient, quotient_);                                                  \
    check(#T " low", v.low, 0);                                                                    \
    check(#T " high", v.high, 100 > (double)first ? 100 : (double)first);                          \
    check(#T " written", v.written, 42);                                                           \
    check(#T " read", wrong, 0);                                                                   \
    check(#T " swapped", swaps + (int)v.swapped, 6 * 5050);                                        \
  }

// Bits, shifts, and one winner of a compare and exchange.
#define BITS(T, NAME)                                                                              \
  static void NAME##_bits(void) {                                                                  \
    struct { T and, or, xor, left, right, slot; long end; } v = {(T)-1, 0, 5, 1, 64, 0, 0};        \
    int winners = 0, losers = 0;                                                                   \
    TEAMS(v, winners, losers)                                                                      \
    for (int i = 0; i < N; i++) {                                                                  \
      OMP(atomic)                                                                                  \
      v.and &= (T)~(1 << i % 5);                                                                   \
      OMP(atomic)                                                                                  \
      v.or |= (T)(1 << i % 7);                                                                     \
      T old;                                                                                       \
      OMP(atomic capture)                                                                          \
      old = v.xor ^= (T)(i & 127);                                                                 \
      if (i % 200 == 7) {                                                                          \
        OMP(atomic)                                                                                \
        v.left <<= 1;                                                                              \
        OMP(atomic)                                                                                \
        v.right = v.right >> 1;                                                                    \
      }                                                                                            \
      OMP(atomic compare capture) {                                                                \
        old = v.slot;                                                                              \
        if (v.slot == 0) { v.slot = (T)(i % 100 + 1); }                                            \
      }                                                                                            \
      if (old == 0) {                                                                              \
        OMP(atomic)                                                                                \
        winners++;                                                                                 \
      } else {                                                                                     \
        OMP(atomic)                                                                                \
        losers++;                                                                                  \
      }                                                                                            \
    }                                                                                              \
    T xor_ = 5;                                                                                    \
    for (int i = 0; i < N; i++) xor_ ^= (T)(i & 127);                                              \
    check(#T " and", v.and, (T)~31);                                                               \
    check(#T " or", v.or, 127);                                                                    \
    check(#T " xor", v.xor, xor_);                                                                 \
    check(#T " left", v.left, 8);                                                                  \
    check(#T " right", v.right, 8);                                                                \
    check(#T " winners", winners, 1);                                                              \
    check(#T " losers", losers, N - 1);                                                            \
    check(#T " slot", v.slot >= 1 && v.slot <= 100, 1);                                            \
  }

#define INTEGER(T, NAME) UPDATES(T, NAME) OTHERS(T, NAME) BITS(T, NAME)
INTEGER(int8_t, i8)
INTEGER(uint8_t, u8)
INTEGER(int16_t, i16)
INTEGER(uint16_t, u16)
INTEGER(int32_t, i32)
INTEGER(uint32_t, u32)
INTEGER(int64_t, i64)
INTEGER(uint64_t, u64)
UPDATES(float, f32)
OTHERS(float, f32)
UPDATES(double, f64)
OTHERS(double, f64)

static void complexes(void) {
  float _Complex f = 1;
  double _Complex z = 1i;
  TEAMS(f, z)
  for (int i = 0; i < N; i++) {
    OMP(atomic)
    f += 1 - 2i;
    OMP(atomic)
    z -= i + 1i;
  }
  check("float complex, real", crealf(f), 1 + N);
  check("float complex, imaginary", cimagf(f), -2 * N);
  check("double complex, real", creal(z), -N * (N - 1) / 2);
  check("double complex, imaginary", cimag(z), 1 - N);
}

// Elements of an array and members of a struct.
static void places(void) {
  struct {
    char c;
    short s[3];
    double d;
  } place[4] = {{0}};
  TEAMS(place)
  for (int i = 0; i < N; i++) {
    OMP(atomic)
    place[i % 4].c++;
    OMP(atomic)
    place[i % 4].s[i % 3] -= 1;
    OMP(atomic)
    place[i % 4].d += .5;
  }
  for (int k = 0; k < 4; k++) {
    check("char in a struct", place[k].c, (char)(N / 4));
    check("shorts in a struct", place[k].s[0] + place[k].s[1] + place[k].s[2], -N / 4);
    check("double in a struct", place[k].d, N / 8.);
  }
}

#define RUN_ALL(NAME) NAME##_updates(), NAME##_others(), NAME##_bits()
int main(void) {
  RUN_ALL(i8), RUN_ALL(u8), RUN_ALL(i16), RUN_ALL(u16), RUN_ALL(i32), RUN_ALL(u32), RUN_ALL(i64), RUN_ALL(u64);
  f32_updates(), f32_others(), f64_updates(), f64_others();
  complexes();
  places();
  return report();
}
