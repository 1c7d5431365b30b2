// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Grids with a table of row pointers into one block: allocation, fill, scale, release.
#include <stdlib.h>

double **grid_new(int rows, int cols)
{
    double **g, *block;

    if (rows <= 0 || cols <= 0)
        return NULL;
    g = malloc((size_t)rows * sizeof *g);
    if (!g)
        return NULL;
    block = calloc((size_t)rows * (size_t)cols, sizeof *block);
    if (!block) {
        free(g);
        return NULL;
    }
    for (int i = 0; i < rows; i++) // truth: parallel
        g[i] = block + (size_t)i * (size_t)cols;
    return g;
}

/* Rows allocated one by one; on failure those before are released. */
float **rows_new(int rows, int cols)
{
    float **r = malloc((size_t)rows * sizeof *r);
    if (!r)
        return NULL;
    for (int i = 0; i < rows; i++) { // truth: sequential
        r[i] = malloc((size_t)cols * sizeof **r);
        if (!r[i]) {
            while (i-- > 0) // truth: sequential
                free(r[i]);
            free(r);
            return NULL;
        }
        for (int j = 0; j < cols; j++) // truth: parallel
            r[i][j] = 0.0f;
    }
    return r;
}

void grid_ramp(double **g, int rows, int cols, double dx, double dy)
{
    for (int i = 0; i < rows; i++) // truth: parallel
        for (int j = 0; j < cols; j++) // truth: parallel
            g[i][j] = i * dy + j * dx;
}

void rows_scale(float **r, int rows, int cols, float s)
{
    for (float **p = r; p < r + rows; p++) // truth: parallel
        for (float *q = *p; q < *p + cols; q++) // truth: parallel
            *q *= s;
}
