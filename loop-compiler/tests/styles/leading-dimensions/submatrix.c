// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Views of submatrices in a struct with a row stride: fill, add, scaled copy, zeroed band.
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

struct view { double *p; int rows, cols; ptrdiff_t stride; };

static struct view view_block(struct view v, int i, int j, int rows, int cols)
{
    assert(i + rows <= v.rows && j + cols <= v.cols);
    v.p += i * v.stride + j;
    v.rows = rows;
    v.cols = cols;
    return v;
}

void view_fill(struct view v, double value)
{
    double *row = v.p;
    for (int i = 0; i < v.rows; ++i, row += v.stride) // truth: parallel
        for (int j = 0; j < v.cols; ++j) // truth: parallel
            row[j] = value;
}

bool view_axpy(double a, struct view x, struct view y)
{
    if (x.rows != y.rows || x.cols != y.cols)
        return false;
    for (int i = 0; i < y.rows; ++i) { // truth: parallel
        const double *xr = x.p + i * x.stride;
        double *yr = y.p + i * y.stride;
        for (int j = 0; j < y.cols; ++j) // truth: parallel
            yr[j] += a * xr[j];
    }
    return true;
}

/* Adds the upper left half-size block to the lower right block of the same matrix. */
void view_add_diagonal_blocks(struct view v)
{
    const int h = v.rows / 2, w = v.cols / 2;
    struct view a = view_block(v, 0, 0, h, w), b = view_block(v, v.rows - h, v.cols - w, h, w);
    for (int i = 0; i < h; ++i) // truth: parallel
        for (int j = 0; j < w; ++j) // truth: parallel
            b.p[i * b.stride + j] += a.p[i * a.stride + j];
}

/* The two blocks are shifted by one row only: each row gets the sum that was just written. */
void view_add_shifted(struct view v)
{
    struct view a = view_block(v, 0, 0, v.rows - 1, v.cols), b = view_block(v, 1, 0, v.rows - 1, v.cols);
    for (int i = 0; i < a.rows; ++i) // truth: scan
        for (int j = 0; j < a.cols; ++j) // truth: parallel
            b.p[i * b.stride + j] += a.p[i * a.stride + j];
}
