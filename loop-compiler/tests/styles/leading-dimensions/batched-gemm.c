// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Strided batches of small matrix products: separate outputs, one common output, and a chained product.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static void mm(int n, const float *a, const float *b, int ld, float *c)
{
    for (int i = 0; i < n; ++i) // truth: parallel
        for (int j = 0; j < n; ++j) { // truth: parallel
            float s = 0.f;
            for (int k = 0; k < n; ++k) // truth: parallel
                s += a[i * ld + k] * b[k * ld + j];
            c[i * ld + j] = s;
        }
}

/* stride_c must be at least n * ld, which the caller has checked. */
void batched_mm(int n, int ld, const float *A, int64_t stride_a, const float *B, int64_t stride_b,
                float *C, int64_t stride_c, int batch)
{
    if (n <= 0 || ld < n || batch <= 0)
        return;
    for (int p = 0; p < batch; ++p) // truth: parallel
        mm(n, A + p * stride_a, B + p * stride_b, ld, C + p * stride_c);
}

/* All products are written to the same work matrix; the last one stays. */
void batched_mm_last(int n, int ld, const float *A, int64_t sa, float *work, float *product, int batch)
{
    memcpy(product, A, sizeof(float) * (size_t)n * (size_t)ld);
    for (int p = 1; p < batch; ++p) { // truth: sequential
        mm(n, product, A + p * sa, ld, work);
        memcpy(product, work, sizeof(float) * (size_t)n * (size_t)ld);
    }
}

void batched_bias(int n, int ld, float *C, int64_t stride, const float *bias, int batch)
{
    float *c = C;
    for (int p = 0; p < batch; ++p, c += stride) // truth: parallel
        for (int i = 0; i < n; ++i) // truth: parallel
            for (int j = 0; j < n; ++j) // truth: parallel
                c[i * ld + j] += bias[j];
}
