// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A small network of dense layers: forward pass with a switch over the activation, and the update of the weights.
#include <math.h>
#include <stdlib.h>

typedef enum { ACT_LINEAR, ACT_RELU, ACT_TANH } act_t;
typedef struct { int in, out; act_t act; float *w, *b, *y, *d; } dense_t;

static inline float activate(act_t a, float v)
{
    switch (a) {
    case ACT_RELU: return v > 0 ? v : 0;
    case ACT_TANH: return tanhf(v);
    default:       return v;
    }
}

static inline float slope(act_t a, float y)
{
    return a == ACT_TANH ? 1 - y * y : a == ACT_RELU ? (float)(y > 0) : 1;
}

static void dense_forward(const dense_t *l, const float *x)
{
    for (int o = 0; o < l->out; ++o) { // truth: parallel
        float s = l->b[o];
        for (int i = 0; i < l->in; ++i) // truth: parallel
            s += l->w[o * l->in + i] * x[i];
        l->y[o] = activate(l->act, s);
    }
}

/* dx = W^T * d, accumulated row by row */
static void dense_back(dense_t *l, const float *x, float *dx, float rate)
{
    for (int i = 0; dx && i < l->in; ++i) // truth: parallel
        dx[i] = 0;
    for (int o = 0; o < l->out; ++o) { // truth: parallel
        const float g = l->d[o] * slope(l->act, l->y[o]);
        float *w = l->w + (size_t)o * (size_t)l->in;
        for (int i = 0; i < l->in; ++i) { // truth: parallel
            if (dx)
                dx[i] += w[i] * g;
            w[i] -= rate * g * x[i];
        }
        l->b[o] -= rate * g;
    }
}

const float *net_forward(dense_t *layers, int n, const float *x)
{
    for (int k = 0; k < n; ++k) { // truth: sequential
        dense_forward(&layers[k], x);
        x = layers[k].y;
    }
    return x;
}

void net_back(dense_t *layers, int n, const float *x, float rate)
{
    for (int k = n - 1; k >= 0; --k) // truth: sequential
        dense_back(&layers[k], k > 0 ? layers[k - 1].y : x, k > 0 ? layers[k - 1].d : NULL, rate);
}
