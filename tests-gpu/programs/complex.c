// Products and quotients of complex numbers, without the header whose functions clang has for devices: the
// runtime's are called. Infinite operands give infinite results where the textbook formula gives NaN.
#include "check.h"

typedef double _Complex Double;
typedef float _Complex Float;

static inline double real(Double z) { return __real__ z; }
static inline double imaginary(Double z) { return __imag__ z; }

// 2 if either part is infinite, which C calls an infinity; otherwise 3 if either part is NaN.
static int kind(Double z) {
  if (__builtin_isinf(real(z)) || __builtin_isinf(imaginary(z))) return 2;
  return __builtin_isnan(real(z)) || __builtin_isnan(imaginary(z)) ? 3 : 1;
}

static void compare(const char *what, Double got, Double expected) {
  check(what, kind(got), kind(expected));
  if (kind(expected) != 1) return;
  double size = __builtin_fabs(real(expected)) + __builtin_fabs(imaginary(expected));
  check(what, __builtin_fabs(real(got) - real(expected)) <= 1e-6 * size, 1);
  check(what, __builtin_fabs(imaginary(got) - imaginary(expected)) <= 1e-6 * size, 1);
}

enum { PARTS = 6, COUNT = PARTS * PARTS * PARTS * PARTS };

int main(void) {
  const double infinity = __builtin_inf(), none = __builtin_nan("");
  const double parts[PARTS] = {0, 1, -2.5, infinity, -infinity, none};
  static Double one[COUNT], other[COUNT], product[COUNT], quotient[COUNT];
  static Float small[COUNT], smaller[COUNT];
  for (int k = 0; k < COUNT; k++) {
    __real__ one[k] = parts[k % PARTS];
    __imag__ one[k] = parts[k / PARTS % PARTS];
    __real__ other[k] = parts[k / PARTS / PARTS % PARTS];
    __imag__ other[k] = parts[k / PARTS / PARTS / PARTS];
  }
#pragma omp target teams distribute parallel for map(to : one, other) map(from : product, quotient, small, smaller)
  for (int k = 0; k < COUNT; k++) {
    product[k] = one[k] * other[k];
    quotient[k] = one[k] / other[k];
    small[k] = (Float)one[k] * (Float)other[k];
    smaller[k] = (Float)one[k] / (Float)other[k];
  }
  for (int k = 0; k < COUNT; k++) {
    char what[100];
    snprintf(what, sizeof what, "(%g, %g) and (%g, %g)", real(one[k]), imaginary(one[k]), real(other[k]), imaginary(other[k]));
    compare(what, product[k], one[k] * other[k]);
    compare(what, quotient[k], one[k] / other[k]);
    compare(what, small[k], (Float)one[k] * (Float)other[k]);
    compare(what, smaller[k], (Float)one[k] / (Float)other[k]);
  }
  return report();
}
