#include <float.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static int failures;

#define CHECK(what, n, got, want)                                                                   \
  do {                                                                                              \
    if ((got) != (want)) {                                                                          \
      failures++;                                                                                   \
      printf("%s, n = %d: %.17g, expected %.17g\n", what, n, (double)(got), (double)(want));        \
    }                                                                                               \
  } while (0)

/* One variable, starting from a value that is not the identity. */
static void sums(const double *a, int n) {
  double s = 2.5, expected = 2.5;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : a[0 : n])
  for (int i = 0; i < n; i++) s += a[i];
  for (int i = 0; i < n; i++) expected += a[i];
  CHECK("sum", n, s, expected);
}

/* Several variables of different types and operators in one clause list. */
static void mixed(const double *a, int n) {
  long count = 7, expected_count = 7;
  double low = 1e9, expected_low = 1e9;
  float high = -1e9f, expected_high = -1e9f;
  int bits = 1, expected_bits = 1;
#pragma omp target teams distribute parallel for reduction(+ : count) reduction(min : low)          \
    reduction(max : high) reduction(^ : bits) map(to : a[0 : n])
  for (int i = 0; i < n; i++) {
    count += (long)a[i] % 3;
    low = a[i] < low ? a[i] : low;
    high = (float)a[i] > high ? (float)a[i] : high;
    bits ^= (int)a[i];
  }
  for (int i = 0; i < n; i++) {
    expected_count += (long)a[i] % 3;
    expected_low = a[i] < expected_low ? a[i] : expected_low;
    expected_high = (float)a[i] > expected_high ? (float)a[i] : expected_high;
    expected_bits ^= (int)a[i];
  }
  CHECK("count", n, count, expected_count);
  CHECK("low", n, low, expected_low);
  CHECK("high", n, high, expected_high);
  CHECK("bits", n, bits, expected_bits);
}

/* Blocks of one warp, a partial warp and many warps; more teams than the reduction buffer has records. */
static void shapes(const double *a, int n) {
  long expected = 1;
  for (int i = 0; i < n; i++) expected += (long)a[i];
  long s = 1;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : a[0 : n]) num_teams(1)
  for (int i = 0; i < n; i++) s += (long)a[i];
  CHECK("one team", n, s, expected);
  s = 1;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : a[0 : n]) thread_limit(33) num_teams(5)
  for (int i = 0; i < n; i++) s += (long)a[i];
  CHECK("33 threads", n, s, expected);
  s = 1;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : a[0 : n]) thread_limit(1) num_teams(31)
  for (int i = 0; i < n; i++) s += (long)a[i];
  CHECK("1 thread", n, s, expected);
  s = 1;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : a[0 : n]) thread_limit(1024) num_teams(3)
  for (int i = 0; i < n; i++) s += (long)a[i];
  CHECK("1024 threads", n, s, expected);
  s = 1;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : a[0 : n]) thread_limit(32) num_teams(1025)
  for (int i = 0; i < n; i++) s += (long)a[i];
  CHECK("1025 teams", n, s, expected);
  s = 1;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : a[0 : n]) thread_limit(32) num_teams(3200)
  for (int i = 0; i < n; i++) s += (long)a[i];
  CHECK("3200 teams", n, s, expected);
}

/* No reduction: every iteration once; a parallel region of one block alone. */
static void loops(double *a, int n) {
#pragma omp target teams distribute parallel for map(tofrom : a[0 : n])
  for (int i = 0; i < n; i++) a[i] += 1;
#pragma omp target parallel for map(tofrom : a[0 : n])
  for (int i = 0; i < n; i++) a[i] += 2;
#pragma omp target parallel for map(tofrom : a[0 : n]) schedule(static)
  for (int i = 0; i < n; i++) a[i] += 4;
  long s = 0;
#pragma omp target parallel for map(to : a[0 : n]) reduction(+ : s) num_threads(70)
  for (int i = 0; i < n; i++) s += (long)a[i];
  long expected = 0;
  for (int i = 0; i < n; i++) expected += i % 1000 + 8;
  for (int i = 0; i < n; i++) CHECK("element", i, a[i], i % 1000 + 8);
  CHECK("one block", n, s, expected);
}

int main(void) {
  static const int sizes[] = {0, 1, 31, 33, 1000, 4097};
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    int n = sizes[k];
    double *a = malloc((n + 1) * sizeof *a);
    for (int i = 0; i < n; i++) a[i] = i % 1000 + 1;
    sums(a, n);
    mixed(a, n);
    if (n == 0 || n == 4097) shapes(a, n);
    loops(a, n);
    free(a);
  }
  printf("%d failures\n", failures);
  return failures != 0;
}
