// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Sparse products in coordinate, ELL and diagonal format, the conversion of coordinates to rows.
#include <stddef.h>
#include <string.h>

struct coo { int n, nnz; const int *row, *col; const double *val; };
struct ell { int n, width; const int *col; const double *val; }; /* column -1: no entry */

void coo_apply(const struct coo *a, const double *x, double *y)
{
    memset(y, 0, sizeof *y * (size_t)a->n);
    for (int k = 0; k < a->nnz; ++k) // truth: parallel
        y[a->row[k]] += a->val[k] * x[a->col[k]];
}

void ell_apply(const struct ell *a, const double *x, double *y)
{
    for (int i = 0; i < a->n; ++i) { // truth: parallel
        double s = 0.0;
        for (int j = 0; j < a->width; ++j) { // truth: parallel
            const int c = a->col[(size_t)j * (size_t)a->n + (size_t)i];
            if (c >= 0)
                s += a->val[(size_t)j * (size_t)a->n + (size_t)i] * x[c];
        }
        y[i] = s;
    }
}

/* The entries with a diagonal each; offset[d] is column minus row. */
void dia_apply(int n, int diags, const int *offset, const double *val, const double *x, double *y)
{
    memset(y, 0, sizeof *y * (size_t)n);
    for (int d = 0; d < diags; ++d) { // truth: parallel
        const int o = offset[d], from = o < 0 ? -o : 0, to = o < 0 ? n : n - o;
        for (int i = from; i < to; ++i) // truth: parallel
            y[i] += val[d * n + i] * x[i + o];
    }
}

/* start has n + 1 entries; when done, start[i] is the end of row i. */
void coo_to_rows(const struct coo *a, int *start, int *col, double *val)
{
    memset(start, 0, sizeof *start * (size_t)(a->n + 1));
    for (int k = 0; k < a->nnz; ++k) // truth: parallel
        start[a->row[k]]++;
    for (int i = 0, sum = 0; i <= a->n; ++i) { // truth: scan
        const int c = start[i];
        start[i] = sum;
        sum += c;
    }
    for (int k = 0; k < a->nnz; ++k) { // truth: sequential
        const int at = start[a->row[k]]++;
        col[at] = a->col[k];
        val[at] = a->val[k];
    }
}
