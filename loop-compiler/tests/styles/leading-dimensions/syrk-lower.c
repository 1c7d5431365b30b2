// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// C = alpha * A * A^T + beta * C on the lower triangle, then the mirror into the upper triangle.
#include <stddef.h>

#define A_(r, c) A[(size_t)(c) * lda + (r)]
#define C_(r, c) C[(size_t)(c) * ldc + (r)]

void syrk_ln(unsigned n, unsigned k, double alpha, const double *A, unsigned lda,
             double beta, double *C, unsigned ldc)
{
    if (n == 0 || ldc < n || lda < n)
        return;

    for (unsigned j = 0; j < n; j++) { // truth: parallel
        if (beta == 0.0) {
            for (unsigned i = j; i < n; i++) // truth: parallel
                C_(i, j) = 0.0;
        } else if (beta != 1.0) {
            for (unsigned i = j; i < n; i++) // truth: parallel
                C_(i, j) *= beta;
        }
        for (unsigned l = 0; l < k; l++) { // truth: parallel
            double t = A_(j, l);
            if (t == 0.0)
                continue;
            t *= alpha;
            for (unsigned i = j; i < n; i++) // truth: parallel
                C_(i, j) += t * A_(i, l);
        }
    }
}

void mirror_lower(unsigned n, double *C, unsigned ldc)
{
    for (unsigned j = 0; j < n; j++) // truth: parallel
        for (unsigned i = j + 1; i < n; i++) // truth: parallel
            C_(j, i) = C_(i, j);
}
