// Reductions as OpenMP's pragmas have them; called as the CUDA peers are (peer.h). OMP_NUM_TEAMS decides the grid.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static const char *reduction;
static long n;
static int times;
static double fastest = 1e9;

#define LAUNCHES(...)                           \
  for (int launch = 0; launch < times; launch++) { \
    double start = now();                       \
    __VA_ARGS__;                                \
    double seconds = now() - start;             \
    if (seconds < fastest) fastest = seconds;   \
  }

static void check(int column, double got, double expected) {
  if (got == expected) return;
  fprintf(stderr, "%s: column %d is %g, not %g\n", reduction, column, got, expected);
  exit(1);
}

// Columns of n elements: ones in two of 64 rows; one of the rows differs.
#define FILL(T, columns, minimum)                                                 \
  const long size = n * columns;                                                  \
  T *a = malloc(sizeof(T) * size);                                                \
  double expected[columns];                                                       \
  for (int j = 0; j < columns; j++) {                                             \
    expected[j] = 0;                                                              \
    for (long i = 0; i < n; i++) expected[j] += a[j * n + i] = minimum || i % 64 == 5 || (i + j) % 64 == 7; \
  }                                                                               \
  _Pragma("omp target enter data map(to : a[0 : size])")

#define SUM(T)                                                                    \
  do {                                                                            \
    FILL(T, 1, 0)                                                                 \
    T s;                                                                          \
    LAUNCHES(s = 0; _Pragma("omp target teams distribute parallel for reduction(+ : s)") \
             for (long i = 0; i < n; i++) s += a[i])                              \
    check(0, s, expected[0]);                                                     \
  } while (0)

static void minimum(void) {
  FILL(float, 1, 1)
  float s;
  LAUNCHES(s = 3; _Pragma("omp target teams distribute parallel for reduction(min : s)")
           for (long i = 0; i < n; i++) s = a[i] < s ? a[i] : s)
  check(0, s, 1);
}

static void dot(void) {
  FILL(double, 2, 0)
  double s, product = 0;
  for (long i = 0; i < n; i++) product += a[i] * a[n + i];
  LAUNCHES(s = 0; _Pragma("omp target teams distribute parallel for reduction(+ : s)")
           for (long i = 0; i < n; i++) s += a[i] * a[n + i])
  check(0, s, product);
}

#define NAMES_2(x) x##0, x##1
#define NAMES_8(x) x##0, x##1, x##2, x##3, x##4, x##5, x##6, x##7
#define NAMES_32(x) NAMES_8(x##0), NAMES_8(x##1), NAMES_8(x##2), NAMES_8(x##3)
#define EACH_2(f, x, j) f(x##0, j) f(x##1, j + 1)
#define EACH_8(f, x, j) \
  f(x##0, j) f(x##1, j + 1) f(x##2, j + 2) f(x##3, j + 3) f(x##4, j + 4) f(x##5, j + 5) f(x##6, j + 6) f(x##7, j + 7)
#define EACH_32(f, x, j) \
  EACH_8(f, x##0, j) EACH_8(f, x##1, j + 8) EACH_8(f, x##2, j + 16) EACH_8(f, x##3, j + 24)
#define ZERO(x, j) x = 0;
#define ADD(x, j) x += a[(j) * n + i];
#define CHECK(x, j) check(j, x, expected[j]);
#define PRAGMA(text) _Pragma(#text)
#define REDUCTION(...) PRAGMA(omp target teams distribute parallel for reduction(+ : __VA_ARGS__))

#define COLUMNS(K)                                                                            \
  static void columns_##K(void) {                                                             \
    FILL(double, K, 0)                                                                        \
    double NAMES_##K(s);                                                                      \
    LAUNCHES(EACH_##K(ZERO, s, 0) REDUCTION(NAMES_##K(s)) for (long i = 0; i < n; i++) { EACH_##K(ADD, s, 0) }) \
    EACH_##K(CHECK, s, 0)                                                                     \
  }

COLUMNS(2)
COLUMNS(8)
COLUMNS(32)

// An array of 512 bytes as one variable.
static void columns_64(void) {
  FILL(double, 64, 0)
  double s[64];
  LAUNCHES(memset(s, 0, sizeof s); _Pragma("omp target teams distribute parallel for reduction(+ : s)")
           for (long i = 0; i < n; i++) for (int j = 0; j < 64; j++) s[j] += a[j * n + i])
  for (int j = 0; j < 64; j++) check(j, s[j], expected[j]);
}

int main(int count, char **arguments) {
  if (count != 5) return 2;
  reduction = arguments[1];
  n = atol(arguments[2]);
  times = atoi(arguments[4]);
  if (!strcmp(reduction, "sum_i32")) SUM(int);
  else if (!strcmp(reduction, "sum_f32")) SUM(float);
  else if (!strcmp(reduction, "sum_f64")) SUM(double);
  else if (!strcmp(reduction, "min_f32")) minimum();
  else if (!strcmp(reduction, "dot_f64")) dot();
  else if (!strcmp(reduction, "columns_2")) columns_2();
  else if (!strcmp(reduction, "columns_8")) columns_8();
  else if (!strcmp(reduction, "columns_32")) columns_32();
  else if (!strcmp(reduction, "columns_64")) columns_64();
  else return 9;
  printf("%.9f\n", fastest);
}
