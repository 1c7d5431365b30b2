// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Triangular solves with many right-hand sides: inv(L) * B and B * inv(U), column-major.
#include <stdbool.h>

#define L(i, j) l[(i) + (j) * ldl]
#define U(i, j) u[(i) + (j) * ldu]
#define B(i, j) b[(i) + (j) * ldb]

void trsm_left_lower(int m, int n, double alpha, bool unit, const double *l, int ldl, double *b, int ldb)
{
    int i, j, k;

    for (j = 0; j < n; ++j) { // truth: parallel
        if (alpha != 1.0)
            for (i = 0; i < m; ++i) // truth: parallel
                B(i, j) *= alpha;
        for (k = 0; k < m; ++k) { // truth: sequential
            if (B(k, j) == 0.0)
                continue;
            if (!unit)
                B(k, j) /= L(k, k);
            for (i = k + 1; i < m; ++i) // truth: parallel
                B(i, j) -= B(k, j) * L(i, k);
        }
    }
}

/* Returns j + 1 if the diagonal element j is zero. */
int trsm_right_upper(int m, int n, const double *u, int ldu, double *b, int ldb)
{
    int i, j, k;

    for (j = 0; j < n; ++j) { // truth: sequential
        const double d = U(j, j);
        if (d == 0.0)
            return j + 1;
        for (k = 0; k < j; ++k) { // truth: parallel
            const double t = U(k, j);
            for (i = 0; i < m; ++i) // truth: parallel
                B(i, j) -= t * B(i, k);
        }
        for (i = 0; i < m; ++i) // truth: parallel
            B(i, j) /= d;
    }
    return 0;
}
