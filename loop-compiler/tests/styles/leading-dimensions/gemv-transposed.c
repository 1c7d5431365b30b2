// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// y = alpha * A^T * x + beta * y and the residual r = b - A * x, row-major with a row stride.
#include <math.h>
#include <stddef.h>

typedef struct {
    size_t rows, cols, stride; /* stride >= cols */
    const float *data;
} mat_view;

void mat_tvec(mat_view A, float alpha, const float *restrict x, float beta, float *restrict y)
{
    for (size_t j = 0; j < A.cols; ++j) { // truth: parallel
        float acc = 0.0f;
        const float *p = A.data + j;
        for (size_t i = 0; i < A.rows; ++i, p += A.stride) // truth: parallel
            acc += *p * x[i];
        if (beta == 0.0f)
            y[j] = alpha * acc;
        else
            y[j] = alpha * acc + beta * y[j];
    }
}

float mat_residual(mat_view A, const float *x, const float *b, float *r)
{
    float worst = 0.0f;
    for (size_t i = 0; i < A.rows; ++i) { // truth: parallel
        const float *row = &A.data[i * A.stride];
        float s = b[i];
        for (size_t j = 0; j < A.cols; ++j) // truth: parallel
            s -= row[j] * x[j];
        r[i] = s;
        if (fabsf(s) > worst)
            worst = fabsf(s);
    }
    return worst;
}

/* Damped Richardson steps until the residual is small. */
int mat_richardson(mat_view A, const float *b, float *x, float *r, float omega, float tol, int max)
{
    int it = 0;
    while (it < max && mat_residual(A, x, b, r) > tol) { // truth: sequential
        for (size_t i = 0; i < A.rows; ++i) // truth: parallel
            x[i] += omega * r[i];
        it++;
    }
    return it;
}
