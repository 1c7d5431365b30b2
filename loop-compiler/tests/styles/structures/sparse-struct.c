// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Sparse matrix and vectors as structs: products by rows and transposed, diagonal, row scaling, relaxation.
#include <stdlib.h>
#include <string.h>

typedef struct { int rows, cols; int *start; int *col; double *val; } SpMat;
typedef struct { int n; double *x; } Vec;

Vec Vec_create(int n)
{
    Vec v = { n, calloc((size_t)n, sizeof(double)) };
    return v;
}

int SpMat_apply(const SpMat *A, const Vec *in, Vec *out)
{
    if (in->n != A->cols || out->n != A->rows)
        return 0;
    for (int r = 0; r < A->rows; r++) // truth: parallel
    {
        double s = 0.0;
        for (int k = A->start[r]; k < A->start[r + 1]; k++) // truth: parallel
            s += A->val[k] * in->x[A->col[k]];
        out->x[r] = s;
    }
    return 1;
}

void SpMat_apply_transposed(const SpMat *A, const Vec *in, Vec *out)
{
    memset(out->x, 0, (size_t)A->cols * sizeof(double));
    for (int r = 0; r < A->rows; r++) // truth: parallel
        for (int k = A->start[r]; k < A->start[r + 1]; k++) // truth: parallel
            out->x[A->col[k]] += A->val[k] * in->x[r];
}

void SpMat_scale_rows(SpMat *A, Vec s)
{
    for (int r = 0; r < A->rows; r++) // truth: parallel
        for (int k = A->start[r]; k < A->start[r + 1]; k++) // truth: parallel
            A->val[k] *= s.x[r];
}

/* One Gauss-Seidel sweep; x is read while it changes. */
void SpMat_relax(const SpMat *A, const Vec *b, Vec *x)
{
    for (int r = 0; r < A->rows; r++) // truth: sequential
    {
        double s = b->x[r], d = 1.0;
        for (int k = A->start[r]; k < A->start[r + 1]; k++) // truth: parallel
            if (A->col[k] == r)
                d = A->val[k];
            else
                s -= A->val[k] * x->x[A->col[k]];
        x->x[r] = s / d;
    }
}
