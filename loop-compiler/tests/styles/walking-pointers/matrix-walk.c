// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Dense matrix operations in which every matrix is walked by a pointer.
#include <stddef.h>

void mat_vec(double *y, const double *a, const double *x, int rows, int cols)
{
    for (int i = 0; i < rows; i++) { // truth: parallel
        const double *v = x;
        double acc = 0.0;
        for (int j = 0; j < cols; j++) // truth: parallel
            acc += *a++ * *v++;
        *y++ = acc;
    }
}

void mat_transpose(double *t, const double *a, int rows, int cols)
{
    for (int i = 0; i < rows; i++) { // truth: parallel
        double *col = t + i;
        for (int j = 0; j < cols; j++) { // truth: parallel
            *col = *a++;
            col += rows;
        }
    }
}

/* Multiplies row i by s[i]; the rows are `ld` elements apart. */
void mat_scale_rows(double *a, size_t ld, const double *s, size_t rows, size_t cols)
{
    if (ld < cols)
        return;
    double *row = a;
    while (rows--) { // truth: parallel
        const double f = *s++;
        for (double *p = row; p < row + cols; ++p) // truth: parallel
            *p *= f;
        row += ld;
    }
}

double mat_trace(const double *a, int n)
{
    double tr = 0.0;
    const double *end = a + (ptrdiff_t)n * n;
    for (; a < end; a += n + 1) // truth: parallel
        tr += *a;
    return tr;
}
