// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Blocked product of column-major matrices with three leading dimensions, two-by-two register tiles.
#define BS 64
#define AT(m, ld, i, j) (m)[(long)(j) * (ld) + (i)]
#define MIN(x, y) ((x) < (y) ? (x) : (y))

static void block(long mb, long nb, long kb, const double *a, long lda, const double *b, long ldb,
                  double *c, long ldc)
{
    long i, j, k;

    for (j = 0; j + 1 < nb; j += 2) { // truth: parallel
        for (i = 0; i + 1 < mb; i += 2) { // truth: parallel
            double c00 = 0, c01 = 0, c10 = 0, c11 = 0;
            for (k = 0; k < kb; k++) { // truth: parallel
                const double a0 = AT(a, lda, i, k), a1 = AT(a, lda, i + 1, k);
                const double b0 = AT(b, ldb, k, j), b1 = AT(b, ldb, k, j + 1);
                c00 += a0 * b0;
                c01 += a0 * b1;
                c10 += a1 * b0;
                c11 += a1 * b1;
            }
            AT(c, ldc, i, j) += c00;
            AT(c, ldc, i, j + 1) += c01;
            AT(c, ldc, i + 1, j) += c10;
            AT(c, ldc, i + 1, j + 1) += c11;
        }
    }
}

/* m and n are even. */
int dgemm_tiles(long m, long n, long k, const double *a, long lda, const double *b, long ldb,
                double *c, long ldc)
{
    long ii, jj, kk;

    if ((m | n) & 1)
        return 1;
    if (lda < m || ldb < k || ldc < m)
        return 2;
    for (kk = 0; kk < k; kk += BS) // truth: parallel
        for (jj = 0; jj < n; jj += BS) // truth: parallel
            for (ii = 0; ii < m; ii += BS) // truth: parallel
                block(MIN(BS, m - ii), MIN(BS, n - jj), MIN(BS, k - kk), &AT(a, lda, ii, kk), lda,
                      &AT(b, ldb, kk, jj), ldb, &AT(c, ldc, ii, jj), ldc);
    return 0;
}
