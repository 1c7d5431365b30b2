// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Four-dimensional tensors with strides in a struct: layout change and normalization of the channels.
#include <math.h>
#include <stddef.h>

typedef struct tensor {
    int dim[4];          /* n, c, h, w */
    ptrdiff_t stride[4];
    float *data;
} tensor;

#define T(t, n, c, h, w)                                                                         \
    (t)->data[(n) * (t)->stride[0] + (c) * (t)->stride[1] + (h) * (t)->stride[2] + (w) * (t)->stride[3]]

int tensor_to_layout(const tensor *src, tensor *dst)
{
    int n, c, h, w;
    for (n = 0; n < 4; n++) // truth: parallel
        if (src->dim[n] != dst->dim[n]) return -1;
    for (n = 0; n < src->dim[0]; n++) // truth: parallel
        for (h = 0; h < src->dim[2]; h++) // truth: parallel
            for (w = 0; w < src->dim[3]; w++) // truth: parallel
                for (c = 0; c < src->dim[1]; c++) // truth: parallel
                    T(dst, n, c, h, w) = T(src, n, c, h, w);
    return 0;
}

void channel_normalize(tensor *t, const float *mean, const float *var, float eps)
{
    for (int c = 0; c < t->dim[1]; c++) { // truth: parallel
        const float inv = 1.0f / sqrtf(var[c] + eps);
        for (int h = 0; h < t->dim[2]; h++) { // truth: parallel
            float *row = &T(t, 0, c, h, 0);
            for (int w = 0; w < t->dim[3]; w++) // truth: parallel
                row[w * t->stride[3]] = (row[w * t->stride[3]] - mean[c]) * inv;
        }
    }
}
