// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Stores on both sides of conditions: signs, parts and colours of numbers.
#include <math.h>
#include <stdint.h>

void split_signs(const float *v, float *pos, float *neg, int n)
{
    for (int i = 0; i < n; i++) { // truth: parallel
        if (v[i] >= 0.0f) {
            pos[i] = v[i];
            neg[i] = 0.0f;
        } else {
            pos[i] = 0.0f;
            neg[i] = -v[i];
        }
    }
}

/* Two-colour scale around zero, as 0xRRGGBB. */
void colourize(const float *v, uint32_t *px, int n, float top)
{
    for (int i = 0; i < n; i++) { // truth: parallel
        float f = fabsf(v[i]) / top;
        uint32_t level = f < 1.0f ? (uint32_t)(255.0f * f) : 255u;
        if (isnan(v[i]))
            px[i] = 0x808080u;
        else if (v[i] > 0.0f)
            px[i] = level << 16;
        else if (v[i] < 0.0f)
            px[i] = level;
        else
            px[i] = 0xffffffu;
    }
}

/* The element at i or the one before it takes the larger value. */
void bubble_once(int *v, int n)
{
    for (int i = 1; i < n; i++) { // truth: sequential
        if (v[i - 1] > v[i]) {
            int t = v[i];
            v[i] = v[i - 1];
            v[i - 1] = t;
        }
    }
}

/* Pairs (0, 1), (2, 3), …: even phase of a sorting network. */
void even_phase(int *v, int n)
{
    for (int i = 1; i < n; i += 2) { // truth: parallel
        if (v[i - 1] > v[i]) {
            int t = v[i];
            v[i] = v[i - 1];
            v[i - 1] = t;
        }
    }
}

void odd_even_sort(int *v, int n)
{
    for (int round = 0; round < n; round++) { // truth: sequential
        if (round % 2 == 0)
            even_phase(v, n);
        else
            even_phase(v + 1, n - 1);
    }
}
