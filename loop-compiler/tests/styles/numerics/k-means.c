// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Clusters by the method of k means: assignment, accumulation of the centres, empty clusters, iteration.
#include <float.h>
#include <stdio.h>
#include <string.h>

#define DIM 4

typedef float point[DIM];

static float dist2(const float *a, const float *b)
{
    float s = 0.f;
    for (int d = 0; d < DIM; ++d) // truth: parallel
        s += (a[d] - b[d]) * (a[d] - b[d]);
    return s;
}

static int assign(point *p, int n, point *c, int k, int *label)
{
    int moved = 0;
    for (int i = 0; i < n; ++i) { // truth: parallel
        float best = FLT_MAX;
        int to = 0;
        for (int j = 0; j < k; ++j) { // truth: parallel
            const float d = dist2(p[i], c[j]);
            if (d < best) {
                best = d;
                to = j;
            }
        }
        if (label[i] != to) {
            label[i] = to;
            ++moved;
        }
    }
    return moved;
}

int k_means(point *p, int n, point *c, int k, int *label, int *size, int limit)
{
    int it = 0;
    while (it++ < limit) { // truth: sequential
        const int moved = assign(p, n, c, k, label);
        printf("iteration %d: %d points moved\n", it, moved);
        if (moved == 0)
            break;
        memset(c, 0, sizeof(point) * (size_t)k);
        memset(size, 0, sizeof(int) * (size_t)k);
        for (int i = 0; i < n; ++i) { // truth: parallel
            float *sum = c[label[i]];
            for (int d = 0; d < DIM; ++d) // truth: parallel
                sum[d] += p[i][d];
            ++size[label[i]];
        }
        for (int j = 0; j < k; ++j) // truth: parallel
            for (int d = 0; d < DIM; ++d) // truth: parallel
                c[j][d] = size[j] > 0 ? c[j][d] / (float)size[j] : p[j][d];
    }
    return it;
}
