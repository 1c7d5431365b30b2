// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Roots of many numbers by Newton's method, each until it converges.
#include <math.h>
#include <stddef.h>

static double newton_sqrt(double a)
{
  if (a <= 0.0)
    return 0.0;
  double x = a > 1.0 ? a : 1.0;
  double last;
  do { // truth: sequential
    last = x;
    x = 0.5 * (x + a / x);
  } while (fabs(x - last) > 1e-14 * x);
  return x;
}

static double newton_cbrt(double a, int *steps)
{
  double x = a;
  int k = 0;
  while (k < 100) { // truth: sequential
    const double next = (2.0 * x + a / (x * x)) / 3.0;
    k++;
    if (fabs(next - x) < 1e-13)
      break;
    x = next;
  }
  *steps = k;
  return x;
}

void sqrt_all(const double *in, double *out, size_t n)
{
  size_t i = 0;
  while (i != n) { // truth: parallel
    out[i] = newton_sqrt(in[i]);
    ++i;
  }
}

long cbrt_all(const double *in, double *out, size_t n)
{
  long total = 0;
  size_t i = n;
  while (i--) { // truth: parallel
    int steps = 0;
    if (in[i] == 0.0) {
      out[i] = 0.0;
      continue;
    }
    out[i] = newton_cbrt(in[i], &steps);
    total += steps;
  }
  return total;
}
