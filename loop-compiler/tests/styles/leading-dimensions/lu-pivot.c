// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// LU factors with partial pivoting, unblocked, and row interchanges of a right-hand side.
#include <math.h>

#define a_(i, j) a[(i) + (j) * lda]
#define b_(i, j) b[(i) + (j) * ldb]

int getf2(const int m, const int n, double *a, const int lda, int *ipiv)
{
    int info = 0;
    const int steps = m < n ? m : n;

    if (lda < m || m < 0 || n < 0)
        return -4;
    for (int k = 0; k < steps; k++) { // truth: sequential
        int p = k;
        for (int i = k + 1; i < m; i++) // truth: parallel
            if (fabs(a_(i, k)) > fabs(a_(p, k)))
                p = i;
        ipiv[k] = p;
        if (a_(p, k) == 0.0) {
            if (info == 0)
                info = k + 1;
            continue;
        }
        if (p != k)
            for (int j = 0; j < n; j++) { // truth: parallel
                const double t = a_(k, j);
                a_(k, j) = a_(p, j);
                a_(p, j) = t;
            }
        const double r = 1.0 / a_(k, k);
        for (int i = k + 1; i < m; i++) // truth: parallel
            a_(i, k) *= r;
        for (int j = k + 1; j < n; j++) { // truth: parallel
            const double f = a_(k, j);
            for (int i = k + 1; i < m; i++) // truth: parallel
                a_(i, j) -= a_(i, k) * f;
        }
    }
    return info;
}

void laswp(int nrhs, double *b, int ldb, int k1, int k2, const int *ipiv)
{
    for (int j = 0; j < nrhs; j++) { // truth: parallel
        for (int k = k1; k < k2; k++) { // truth: sequential
            const int p = ipiv[k];
            const double t = b_(k, j);
            b_(k, j) = b_(p, j);
            b_(p, j) = t;
        }
    }
}
