// What the programs need besides their functions: values, sums of results, and what is printed.
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Whether a float of the results has more digits than stay exact in any order.
static int is_inexact;

// Kinds of values: small ones, with extremes, zeros and ones, and with NaN.
static unsigned drawn(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 9;
}

#define INTEGERS(T, NAME, LEAST, MOST)                                                     \
  static inline void fill_##NAME(T *to, int count, unsigned state, int kind) {             \
    for (int at = 0; at < count; at++) {                                                   \
      unsigned word = drawn(&state);                                                       \
      to[at] = kind == 2 ? (int)(word % 2) : (int)(word % 23) - ((LEAST) < 0 ? 8 : 0);     \
      if (kind == 1 && word % 7 == 3)                                                      \
        to[at] = word & 64 ? (LEAST) : (MOST);                                             \
    }                                                                                      \
  }                                                                                        \
  static inline unsigned long sum_##NAME(const T *from, int count) {                       \
    unsigned long sum = 0;                                                                 \
    for (int at = 0; at < count; at++)                                                     \
      sum = sum * 31 + (unsigned long)from[at];                                            \
    return sum;                                                                            \
  }

INTEGERS(_Bool, bool, 0, 1)
INTEGERS(signed char, schar, SCHAR_MIN, SCHAR_MAX)
INTEGERS(unsigned char, uchar, 0, UCHAR_MAX)
INTEGERS(short, short, SHRT_MIN, SHRT_MAX)
INTEGERS(unsigned short, ushort, 0, USHRT_MAX)
INTEGERS(int, int, INT_MIN, INT_MAX)
INTEGERS(unsigned, unsigned, 0, UINT_MAX)
INTEGERS(long, long, LONG_MIN, LONG_MAX)
INTEGERS(unsigned long, ulong, 0, ULONG_MAX)

// Whether -0 is shown as 0.
static int zeros_are_alike;

// The bits of a number, and of every NaN the same.
static unsigned long bits(double value, double exact) {
  union { double value; unsigned long bits; } both = {value == 0 && zeros_are_alike ? 0 : value};
  if (value != value)
    return 0x7ff8;
  if (fabs(value) > exact)
    is_inexact = 1;
  return both.bits;
}

#define NUMBERS(T, EXACT)                                                                  \
  static inline void fill_##T(T *to, int count, unsigned state, int kind) {                \
    for (int at = 0; at < count; at++) {                                                   \
      unsigned word = drawn(&state);                                                       \
      to[at] = kind == 2 ? (int)(word % 2) : (int)(word % 23) - 8;                         \
      if (kind && to[at] == 0 && word & 64)                                                \
        to[at] = (T)-0.0;                                                                  \
      if (kind == 3 && word % 7 == 3)                                                      \
        to[at] = (T)NAN;                                                                   \
    }                                                                                      \
  }                                                                                        \
  static inline unsigned long sum_##T(const T *from, int count) {                          \
    unsigned long sum = 0;                                                                 \
    for (int at = 0; at < count; at++)                                                     \
      sum = sum * 31 + bits(from[at], EXACT);                                              \
    return sum;                                                                            \
  }

NUMBERS(float, 4194304.0)
NUMBERS(double, 1125899906842624.0)

static void begin(int program, int call) {
  is_inexact = 0;
  printf("%d %d", program, call);
  fflush(stdout);
}

static inline void show(const char *name, long value) {
  printf(" %s=%ld", name, value);
}

static inline void show_number(const char *name, double value) {
  bits(value, 4194304.0);
  if (value == 0 && zeros_are_alike)
    value = 0;
  value == value ? printf(" %s=%a", name, value) : printf(" %s=nan", name);
}

static inline void show_sum(const char *name, unsigned long value) {
  printf(" %s=%lx", name, value);
}

static void end(void) {
  printf(is_inexact ? " inexact\n" : "\n");
  fflush(stdout);
}

// Runs all programs, or those from a number on.
static int run_all(void (*const all[])(void), int programs, int count, char **words) {
  for (int program = count > 1 ? atoi(words[1]) : 0; program < programs; program++)
    all[program]();
  printf("done\n");
  return 0;
}

// What programs call and use.
static inline int clamp(int value) {
  return value < -9 ? -9 : value > 9 ? 9 : value;
}

#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define ABS(a) ((a) < 0 ? -(a) : (a))
#define SQUARE(a) ((a) * (a))
#define EACH(i, n) for (int i = 0; i < (n); i++)
