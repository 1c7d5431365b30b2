// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Mirrors, windows and folds signals with an index that runs backwards.
#include <math.h>

void mirror(const float *in, float *out, int n)
{
    for (int i = 0, j = n - 1; i < n; i++, j--) // truth: parallel
        out[j] = in[i];
}

/* Symmetric window: both halves are written in one step. */
void hann_window(float *w, int n)
{
    if (n < 2)
        return;
    for (int i = 0; i < (n + 1) / 2; i++) { // truth: parallel
        int j = n - 1 - i;
        float v = 0.5f - 0.5f * cosf(6.2831853f * (float)i / (float)(n - 1));
        w[i] = v;
        w[j] = v;
    }
}

/* Even and odd part of a signal, in place. */
void even_odd(float *v, int n)
{
    int j = n - 1;
    for (int i = 0; i < n / 2; i++) { // truth: parallel
        float a = v[i], b = v[j];
        v[i] = 0.5f * (a + b);
        v[j] = 0.5f * (a - b);
        j--;
    }
}

/* Over all of the signal: the second half reads what the first half wrote. */
void fold_over(float *v, int n)
{
    for (int i = 0; i < n; i++) { // truth: sequential
        int j = n - 1 - i;
        v[i] = fabsf(v[i] - v[j]);
    }
}

float asymmetry(const float *v, int n)
{
    float sum = 0.0f;
    for (int i = 0; i < n / 2; i++) // truth: parallel
        sum += fabsf(v[i] - v[n - 1 - i]);
    return sum;
}
