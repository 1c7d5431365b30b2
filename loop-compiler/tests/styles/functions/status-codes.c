// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Loops with helpers that return an error code: check first and convert after, or convert and stop at an error.
#include <limits.h>
#include <math.h>
#include <stdint.h>

typedef enum { OK = 0, E_RANGE = -1, E_NAN = -2 } status;

static status check(double v)
{
    if (isnan(v))
        return E_NAN;
    return fabs(v) > 32767.0 ? E_RANGE : OK;
}

static status to_fixed(double v, int16_t *out)
{
    const status s = check(v);
    if (s == OK)
        *out = (int16_t)lrint(v);
    return s;
}

status check_all(const double *v, int n)
{
    for (int i = 0; i < n; i++) { // truth: parallel
        const status s = check(v[i]);
        if (s != OK)
            return s;
    }
    return OK;
}

status convert_checked(const double *v, int16_t *out, int n)
{
    const status s = check_all(v, n);
    if (s != OK)
        return s;
    for (int i = 0; i < n; i++) // truth: parallel
        (void)to_fixed(v[i], &out[i]);
    return OK;
}

/* The elements after the first error are left as they were. */
status convert_until(const double *v, int16_t *out, int n, int *done)
{
    int i = 0;
    status s = OK;
    while (i < n && (s = to_fixed(v[i], &out[i])) == OK) // truth: sequential
        i++;
    *done = i;
    return s;
}

/* All elements are tried; the code is that of the last one that failed. */
status convert_most(const double *v, int16_t *out, int n, int *failed)
{
    status last = OK;
    *failed = 0;
    for (int i = 0; i < n; i++) { // truth: parallel
        const status s = to_fixed(v[i], out + i);
        if (s != OK) {
            last = s;
            ++*failed;
        }
    }
    return last;
}
