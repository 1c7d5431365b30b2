// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Conversions that stop at the first element that cannot be converted.
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>

/* Returns how many elements were converted. */
size_t to_shorts(const double *in, short *out, size_t n)
{
  size_t i;
  for (i = 0; i < n; i++) { // truth: sequential
    if (in[i] < SHRT_MIN || in[i] > SHRT_MAX) {
      errno = ERANGE;
      break;
    }
    out[i] = (short)in[i];
  }
  return i;
}

/* Checks first, then converts all or nothing. */
int to_shorts_checked(const double *in, short *out, size_t n)
{
  for (size_t i = 0; i < n; i++) // truth: parallel
    if (!(in[i] >= SHRT_MIN && in[i] <= SHRT_MAX))
      return -ERANGE;
  for (size_t i = 0; i < n; i++) // truth: parallel
    out[i] = (short)in[i];
  return 0;
}

/* Saturates instead. */
size_t to_shorts_saturated(const double *in, short *out, size_t n)
{
  size_t clipped = 0;
  for (size_t i = 0; i < n; i++) { // truth: parallel
    double v = in[i];
    if (v < SHRT_MIN) {
      v = SHRT_MIN;
      clipped++;
    } else if (v > SHRT_MAX) {
      v = SHRT_MAX;
      clipped++;
    }
    out[i] = (short)v;
  }
  return clipped;
}

/* Spends a budget until it is used up. */
double spend(double *demand, size_t n, double budget)
{
  for (size_t i = 0; i < n; i++) { // truth: sequential
    if (demand[i] > budget)
      break;
    budget -= demand[i];
    demand[i] = 0.0;
  }
  return budget;
}
