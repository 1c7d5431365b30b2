// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Maximum and average pooling over a batch of planes with a row pitch, and the backward pass of the maximum.
#include <float.h>
#include <stddef.h>
#include <stdlib.h>

typedef struct { int n, h, w, pitch; long plane; float *v; } Planes;

/* Returns -1 if the output is too small. The index of each maximum is kept in arg. */
int pool_max(const Planes *in, Planes *out, int *arg, int k)
{
    if (out->h > in->h / k || out->w > in->w / k || out->n != in->n)
        return -1;
    for (int p = 0; p < in->n; p++) { // truth: parallel
        const float *src = in->v + p * in->plane;
        float *dst = out->v + p * out->plane;
        for (int y = 0; y < out->h; y++) { // truth: parallel
            for (int x = 0; x < out->w; x++) { // truth: parallel
                float best = -FLT_MAX;
                int at = -1;
                for (int t = 0; t < k * k; t++) { // truth: parallel
                    const int i = (y * k + t / k) * in->pitch + x * k + t % k;
                    if (src[i] > best) {
                        best = src[i];
                        at = i;
                    }
                }
                dst[y * out->pitch + x] = best;
                arg[p * out->plane + y * out->pitch + x] = at;
            }
        }
    }
    return 0;
}

/* The gradient goes back to the elements that were the maxima. */
void pool_max_back(const Planes *grad, const int *arg, float *back, long back_plane)
{
    for (int p = 0; p < grad->n; p++) { // truth: parallel
        float *dst = back + p * back_plane;
        for (int y = 0; y < grad->h; y++) { // truth: parallel
            const long row = p * grad->plane + (long)y * grad->pitch;
            for (int x = 0; x < grad->w; x++) // truth: parallel
                dst[arg[row + x]] += grad->v[row + x];
        }
    }
}

/* As above, but overwrites: with windows that overlap the last writer wins. */
void pool_mark(const int *arg, long count, int *owner)
{
    for (long i = 0; i < count; i++) // truth: sequential
        owner[arg[i]] = (int)i;
}
