// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Mean, variance and extremes of a sequence of samples.
#include <stddef.h>

typedef struct stats {
  double mean, variance, lo, hi;
} stats;

int stats_two_pass(const double *first, const double *last, stats *out)
{
  if (first == NULL || first >= last)
    return -1;

  const double n = (double)(last - first);
  double sum = 0.0, lo = *first, hi = *first;
  for (const double *p = first; p != last; ++p) { // truth: parallel
    sum += *p;
    if (*p < lo) lo = *p;
    if (*p > hi) hi = *p;
  }

  const double mean = sum / n;
  double squares = 0.0;
  for (const double *p = first; p != last; ++p) { // truth: parallel
    const double d = *p - mean;
    squares += d * d;
  }
  *out = (stats){ mean, squares / n, lo, hi };
  return 0;
}

/* One pass: every step reads the running mean. */
int stats_streaming(const double *p, size_t n, stats *out)
{
  double mean = 0.0, m2 = 0.0;
  size_t k = 0;

  if (n == 0)
    return -1;
  while (k < n) { // truth: sequential
    const double x = *p++;
    const double delta = x - mean;
    mean += delta / (double)++k;
    m2 += delta * (x - mean);
  }
  out->mean = mean;
  out->variance = m2 / (double)n;
  return 0;
}

const double *stats_argmax(const double *p, const double *end)
{
  if (p >= end)
    return NULL;
  const double *best = p;
  double top = *p;
  while (++p < end) // truth: parallel
    if (*p > top) {
      top = *p;
      best = p;
    }
  return best;
}
