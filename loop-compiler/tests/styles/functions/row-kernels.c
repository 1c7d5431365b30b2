// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Row kernels of a transformer layer: softmax, layer normalization, masked softmax, cumulative attention.
#include <assert.h>
#include <float.h>
#include <math.h>

static void softmax_row(float *x, int n)
{
    float top = -FLT_MAX, sum = 0.0f;
    for (int i = 0; i < n; i++) // truth: parallel
        if (x[i] > top) top = x[i];
    for (int i = 0; i < n; i++) { // truth: parallel
        x[i] = expf(x[i] - top);
        sum += x[i];
    }
    for (int i = 0; i < n; i++) x[i] /= sum; // truth: parallel
}

static void norm_row(float *restrict y, const float *restrict x, const float *g, const float *b, int n)
{
    float m = 0.0f, v = 0.0f;
    for (int i = 0; i < n; i++) m += x[i]; // truth: parallel
    m /= (float)n;
    for (int i = 0; i < n; i++) v += (x[i] - m) * (x[i] - m); // truth: parallel
    const float s = 1.0f / sqrtf(v / (float)n + 1e-5f);
    for (int i = 0; i < n; i++) y[i] = (x[i] - m) * s * g[i] + b[i]; // truth: parallel
}

/* Row t attends to the columns 0..t only. */
void attention_rows(float *score, int rows, int ld)
{
    assert(ld >= rows);
    for (int t = 0; t < rows; t++) // truth: parallel
        softmax_row(score + t * ld, t + 1);
}

void layer_norm(float *out, const float *in, const float *g, const float *b, int rows, int n)
{
    const float *end = in + (long)rows * n;
    for (; in < end; in += n, out += n) // truth: parallel
        norm_row(out, in, g, b, n);
}
