// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Householder QR factors without blocks, column-major with a leading dimension.
#include <math.h>
#include <stddef.h>

typedef double real;
#define A(i, j) a[(i) + (size_t)(j) * lda]

void qr_unblocked(size_t m, size_t n, real *a, size_t lda, real *tau)
{
    for (size_t k = 0; k < n && k + 1 < m; ++k) { // truth: sequential
        real norm2 = 0;
        for (size_t i = k + 1; i < m; ++i) // truth: parallel
            norm2 += A(i, k) * A(i, k);
        if (norm2 == 0) { tau[k] = 0; continue; }
        const real alpha = A(k, k);
        const real beta = -copysign(sqrt(alpha * alpha + norm2), alpha);
        tau[k] = (beta - alpha) / beta;
        for (size_t i = k + 1; i < m; ++i) // truth: parallel
            A(i, k) /= alpha - beta;
        A(k, k) = beta;
        for (size_t j = k + 1; j < n; ++j) { // truth: parallel
            real w = A(k, j);
            for (size_t i = k + 1; i < m; ++i) // truth: parallel
                w += A(i, k) * A(i, j);
            w *= tau[k];
            A(k, j) -= w;
            for (size_t i = k + 1; i < m; ++i) // truth: parallel
                A(i, j) -= A(i, k) * w;
        }
    }
}
