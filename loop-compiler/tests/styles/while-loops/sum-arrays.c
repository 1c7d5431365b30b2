// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Element-wise sums and products with hand-written counters.
#include <stddef.h>

#define OK 0
#define ERR_ARG (-1)

int add_arrays(const float *a, const float *b, float *c, int n)
{
    int i = 0;

    if (!a || !b || !c || n < 0)
        return ERR_ARG;
    while (i < n) { // truth: parallel
        c[i] = a[i] + b[i];
        i++;
    }
    return OK;
}

/* The counter advances in the middle of the body. */
int add_products(const float *a, const float *b, float *c, int n)
{
    int i = 0;

    if (!a || !b || !c || n < 0)
        return ERR_ARG;
    while (i < n) { // truth: parallel
        float p = a[i] * b[i];
        ++i;
        c[i - 1] += p;
    }
    return OK;
}

double dot_from_end(const double *a, const double *b, size_t n)
{
    double sum = 0.0;
    while (n > 0) { // truth: parallel
        n--;
        sum += a[n] * b[n];
    }
    return sum;
}

/* Each element takes in the one that the step before it wrote. */
int cascade(float *c, int n)
{
    int i = 1;

    while (i < n) { // truth: sequential
        c[i] = c[i] > c[i - 1] ? c[i] : c[i - 1] * 0.99f;
        i++;
    }
    return OK;
}
