// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Repetitions of a dot product: summed over the repetitions, with the input changed in between, until a time is over.
#include <stddef.h>
#include <time.h>

static double dot(const double *x, const double *y, size_t n)
{
    double s = 0.0;
    for (size_t i = 0; i < n; i++) s += x[i] * y[i]; // truth: parallel
    return s;
}

/* Nothing is written but the sum of the results. */
double dot_repeat(const double *x, const double *y, size_t n, int repeats)
{
    double total = 0.0;
    for (int r = 0; r < repeats; r++) // truth: parallel
        total += dot(x, y, n);
    return total / repeats;
}

/* A value of x depends on the result before it, so no repetition can be left out. */
double dot_chain(double *x, const double *y, size_t n, int repeats)
{
    double s = 0.0;
    for (int r = 0; r < repeats; r++) { // truth: sequential
        s = dot(x, y, n);
        x[(size_t)r % n] = 1e-9 * s;
    }
    return s;
}

long dot_for_a_second(const double *x, const double *y, size_t n, double *out)
{
    const clock_t end = clock() + CLOCKS_PER_SEC;
    long rounds = 0;
    do { // truth: sequential
        *out = dot(x, y, n);
        rounds++;
    } while (clock() < end);
    return rounds;
}

/* One dot product for each shift of y; n shifts of n - r products each. */
void dot_shifts(const double *x, const double *y, size_t n, double *out)
{
    for (size_t r = 0; r < n; r++) // truth: parallel
        out[r] = dot(x, y + r, n - r);
}
