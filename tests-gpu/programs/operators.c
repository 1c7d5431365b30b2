#include <complex.h>
#include <stdio.h>
#include <stdlib.h>

static int failures;

#define CHECK(what, got, want)                                                                      \
  do {                                                                                              \
    if ((got) != (want)) {                                                                          \
      failures++;                                                                                   \
      printf("%s, n = %d: %.17g, expected %.17g\n", what, n, (double)(got), (double)(want));        \
    }                                                                                               \
  } while (0)

/* 24 bytes that belong together: the largest value and its first index. */
typedef struct {
  double value;
  int place;
  char tag[5];
} Peak;

/* In place: clang 22 at -O2 miscompiles a function that returns one of two structs by value, and
   reads the original variable, in global memory, as if it were local. */
static void rise(Peak *a, const Peak *b) {
  if (b->value > a->value || (b->value == a->value && b->place < a->place)) *a = *b;
}

#pragma omp declare reduction(peak : Peak : rise(&omp_out, &omp_in))                       \
    initializer(omp_priv = (Peak){-1e300, 1 << 30, "none"})

/* A user's operator with an identity that is not zero, over integers: multiplication modulo a prime. */
#pragma omp declare reduction(times : unsigned : omp_out = (unsigned)((unsigned long long)omp_out * omp_in % 65521)) \
    initializer(omp_priv = 1)

static void lists(const double *a, int n) {
  double d = 2.5, expected_d = 2.5;
#pragma omp target teams distribute parallel for reduction(+ : d) map(to : a[0 : n])
  for (int i = 0; i < n; i++) d += a[i];
  for (int i = 0; i < n; i++) expected_d += a[i];
  CHECK("{double}", d, expected_d);

  float f = 3, expected_f = 3;
  d = expected_d = -1.5;
#pragma omp target teams distribute parallel for reduction(+ : d, f) map(to : a[0 : n])
  for (int i = 0; i < n; i++) {
    d += a[i];
    f += (float)(i % 8);
  }
  for (int i = 0; i < n; i++) {
    expected_d += a[i];
    expected_f += (float)(i % 8);
  }
  CHECK("{double, float} double", d, expected_d);
  CHECK("{double, float} float", f, expected_f);

  double complex z = 1 + 2 * I, expected_z = 1 + 2 * I;
  Peak peak = {-7, -1, "mine"}, expected_peak = {-7, -1, "mine"};
  char c = 9, expected_c = 9;
#pragma omp target teams distribute parallel for reduction(+ : z, c) reduction(peak : peak)          \
    map(to : a[0 : n])
  for (int i = 0; i < n; i++) {
    z += a[i] - 2 * a[i] * I;
    c += (char)i;
    Peak here = {(double)(i * 37 % 101), i, {(char)('a' + i % 26), 'x', (char)('a' + i % 7), 0, '!'}};
    rise(&peak, &here);
  }
  for (int i = 0; i < n; i++) {
    expected_z += a[i] - 2 * a[i] * I;
    expected_c += (char)i;
    Peak here = {(double)(i * 37 % 101), i, {(char)('a' + i % 26), 'x', (char)('a' + i % 7), 0, '!'}};
    rise(&expected_peak, &here);
  }
  CHECK("{complex, struct, char} real", creal(z), creal(expected_z));
  CHECK("{complex, struct, char} imaginary", cimag(z), cimag(expected_z));
  CHECK("{complex, struct, char} value", peak.value, expected_peak.value);
  CHECK("{complex, struct, char} place", peak.place, expected_peak.place);
  for (int k = 0; k < 5; k++) CHECK("{complex, struct, char} tag", peak.tag[k], expected_peak.tag[k]);
  CHECK("{complex, struct, char} char", c, expected_c);
}

/* Operators whose identity is not zero, or for which zero determines the result. */
static void operators(int n) {
  double product = 3, expected_product = 3;
  long factor = -3, expected_factor = -3;
  unsigned and = 0xfff7fffe, expected_and = 0xfff7fffe, or = 0x100, expected_or = 0x100, xor = 7,
           expected_xor = 7, residue = 11, expected_residue = 11;
  int all = 5, expected_all = 5, some = 0, expected_some = 0, none = 0, low = 1 << 20, high = -(1 << 20),
      expected_low = 1 << 20, expected_high = -(1 << 20);
#pragma omp target teams distribute parallel for reduction(* : product, factor)                      \
    reduction(& : and) reduction(| : or) reduction(^ : xor) reduction(&& : all)                       \
    reduction(|| : some, none) reduction(min : low) reduction(max : high) reduction(times : residue)
  for (int i = 0; i < n; i++) {
    product *= i % 500 == 3 ? 2.0 : 1.0;
    factor *= i % 2 ? -1 : 1;
    and &= ~(1u << (i % 7 + 8));
    or |= 1u << i % 6;
    xor ^= (unsigned)i * 40503u;
    all = all && i >= 0;
    some = some || i == n - 1;
    none = none || i < 0;
    low = 1000 + i % 50 < low ? 1000 + i % 50 : low;
    high = -1000 - i % 50 > high ? -1000 - i % 50 : high;
    residue = (unsigned)((unsigned long long)residue * (unsigned)(i % 1000 + 2) % 65521);
  }
  for (int i = 0; i < n; i++) {
    expected_product *= i % 500 == 3 ? 2.0 : 1.0;
    expected_factor *= i % 2 ? -1 : 1;
    expected_and &= ~(1u << (i % 7 + 8));
    expected_or |= 1u << i % 6;
    expected_xor ^= (unsigned)i * 40503u;
    expected_all = expected_all && i >= 0;
    expected_some = expected_some || i == n - 1;
    expected_low = 1000 + i % 50 < expected_low ? 1000 + i % 50 : expected_low;
    expected_high = -1000 - i % 50 > expected_high ? -1000 - i % 50 : expected_high;
    expected_residue = (unsigned)((unsigned long long)expected_residue * (unsigned)(i % 1000 + 2) % 65521);
  }
  CHECK("* of double", product, expected_product);
  CHECK("* of long", factor, expected_factor);
  CHECK("&", and, expected_and);
  CHECK("|", or, expected_or);
  CHECK("^", xor, expected_xor);
  /* With no iteration the variable keeps its value; otherwise it is 0 or 1. */
  CHECK("&&", all != 0, expected_all != 0);
  CHECK("||", some, expected_some);
  CHECK("|| of none", none, 0);
  CHECK("min", low, expected_low);
  CHECK("max", high, expected_high);
  CHECK("user's product", residue, expected_residue);
}

int main(void) {
  static const int sizes[] = {0, 1, 31, 33, 1000, 4097};
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    int n = sizes[k];
    double *a = malloc((n + 1) * sizeof *a);
    for (int i = 0; i < n; i++) a[i] = i % 1000 + 1;
    lists(a, n);
    operators(n);
    free(a);
  }
  printf("%d failures\n", failures);
  return failures != 0;
}
