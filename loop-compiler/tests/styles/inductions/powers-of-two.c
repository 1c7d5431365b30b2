// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Loops whose counter doubles or halves: levels of a pyramid and a reduction tree.
#include <stddef.h>
#include <stdio.h>

/* Width of each level until nothing is left. */
int level_widths(int width, int *out)
{
    int levels = 0;
    if (width <= 0)
        return 0;
    for (int w = 1; w <= width; w *= 2) // truth: parallel
        out[levels++] = width / w;
    return levels;
}

/* Sums n values in place, n being a power of two. */
double tree_sum(double *v, size_t n)
{
    for (size_t half = n / 2; half > 0; half >>= 1) { // truth: sequential
        for (size_t i = 0; i < half; i++) // truth: parallel
            v[i] += v[i + half];
    }
    return v[0];
}

/* Values at all powers of two below n. */
double octave_sum(const double *v, size_t n)
{
    double s = 0.0;
    for (size_t i = 1; i < n; i <<= 1) // truth: parallel
        s += v[i];
    return s;
}

/* Unscaled Hadamard transform, n being a power of two. */
void hadamard(double *v, size_t n)
{
    for (size_t len = 1; len < n; len *= 2) { // truth: sequential
        for (size_t base = 0; base < n; base += 2 * len) { // truth: parallel
            for (size_t i = base; i < base + len; i++) { // truth: parallel
                double a = v[i], b = v[i + len];
                v[i] = a + b;
                v[i + len] = a - b;
            }
        }
    }
}

void print_levels(const int *width, int levels)
{
    for (int l = 0, scale = 1; l < levels; l++, scale *= 2) // truth: sequential
        printf("level %d: %d (1/%d)\n", l, width[l], scale);
}
