// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Copies between matrices with different leading dimensions: all, upper, lower, by rows, shifted in place.
#include <ctype.h>
#include <stddef.h>
#include <string.h>

void lacpy(char uplo, ptrdiff_t m, ptrdiff_t n, const double *a, ptrdiff_t lda, double *b, ptrdiff_t ldb)
{
    switch (toupper((unsigned char)uplo)) {
    case 'U':
        for (ptrdiff_t j = 0; j < n; j++) { // truth: parallel
            const ptrdiff_t last = j + 1 < m ? j + 1 : m;
            for (ptrdiff_t i = 0; i < last; i++) // truth: parallel
                b[i + j * ldb] = a[i + j * lda];
        }
        break;
    case 'L':
        for (ptrdiff_t j = 0; j < n; j++) // truth: parallel
            for (ptrdiff_t i = j; i < m; i++) // truth: parallel
                b[i + j * ldb] = a[i + j * lda];
        break;
    default:
        for (ptrdiff_t j = 0; j < n; j++) // truth: parallel
            memcpy(b + j * ldb, a + j * lda, (size_t)m * sizeof *b);
    }
}

/* Removes the one padding row of a column-major matrix: the columns move to the front of the array. */
void lacpy_tighten(size_t m, size_t n, double *a)
{
    const size_t lda = m + 1;
    double *to = a;
    for (size_t j = 0; j < n; j++) { // truth: sequential
        const double *from = a + j * lda;
        for (size_t i = 0; i < m; i++) // truth: sequential
            *to++ = from[i];
    }
}

void lacpy_walk(int m, int n, const float *src, int sld, float *dst, int dld)
{
    while (n-- > 0) { // truth: parallel
        memmove(dst, src, (size_t)m * sizeof(float));
        src += sld;
        dst += dld;
    }
}
