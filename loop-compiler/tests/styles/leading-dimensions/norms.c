// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Norms of a general matrix: largest element, one norm, infinity norm with a work vector, scaled Frobenius.
#include <math.h>
#include <stddef.h>

#define A(i, j) a[(i) + (j) * (size_t)lda]

double lange(char norm, int m, int n, const double *a, int lda, double *work)
{
    double value = 0.0, scale = 0.0, ssq = 1.0;

    if (m <= 0 || n <= 0)
        return 0.0;
    if (norm == 'M') {
        for (int j = 0; j < n; ++j) // truth: parallel
            for (int i = 0; i < m; ++i) { // truth: parallel
                const double t = fabs(A(i, j));
                value = value < t ? t : value;
            }
    } else if (norm == '1') {
        for (int j = 0; j < n; ++j) { // truth: parallel
            double sum = 0.0;
            for (int i = 0; i < m; ++i) // truth: parallel
                sum += fabs(A(i, j));
            if (value < sum)
                value = sum;
        }
    } else if (norm == 'I') {
        for (int i = 0; i < m; ++i) // truth: parallel
            work[i] = 0.0;
        for (int i = 0; i < m; ++i) { // truth: parallel
            for (int j = 0; j < n; ++j) // truth: parallel
                work[i] += fabs(A(i, j));
            value = fmax(value, work[i]);
        }
    } else {
        const double *p = a;
        for (int i = 0; i < m; ++i, ++p) { // truth: sequential
            const double t = fabs(*p);
            if (t == 0.0)
                continue;
            if (scale < t) {
                ssq = 1.0 + ssq * (scale / t) * (scale / t);
                scale = t;
            } else {
                ssq += (t / scale) * (t / scale);
            }
        }
        value = scale * sqrt(ssq);
    }
    return value;
}
