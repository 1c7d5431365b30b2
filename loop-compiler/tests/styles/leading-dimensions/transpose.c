// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Transposes: out of place in tiles, in place for a square matrix, of a triangle, and a symmetry test.
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#define TILE 32

void transpose_u32(const uint32_t *src, size_t rows, size_t cols, size_t src_ld, uint32_t *dst, size_t dst_ld)
{
    for (size_t r0 = 0; r0 < rows; r0 += TILE) { // truth: parallel
        const size_t r1 = r0 + TILE < rows ? r0 + TILE : rows;
        for (size_t c0 = 0; c0 < cols; c0 += TILE) { // truth: parallel
            const size_t c1 = c0 + TILE < cols ? c0 + TILE : cols;
            for (size_t r = r0; r < r1; ++r) // truth: parallel
                for (size_t c = c0; c < c1; ++c) // truth: parallel
                    dst[c * dst_ld + r] = src[r * src_ld + c];
        }
    }
}

void transpose_square(double *a, int n, int ld)
{
    for (int i = 0; i < n; i++) { // truth: parallel
        for (int j = i + 1; j < n; j++) { // truth: parallel
            double t = a[i * ld + j];
            a[i * ld + j] = a[j * ld + i];
            a[j * ld + i] = t;
        }
    }
}

int is_symmetric(const double *a, int n, int ld, double tol)
{
    for (int i = 1; i < n; i++) // truth: parallel
        for (int j = 0; j < i; j++) // truth: parallel
            if (fabs(a[i * ld + j] - a[j * ld + i]) > tol)
                return 0;
    return 1;
}
