// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Gauss-Seidel sweeps in both directions on a grid with a fixed boundary, and line relaxation.
#include <stddef.h>

typedef double *row;

void gs_forward(row *u, const row *b, size_t n, size_t m)
{
    for (size_t i = 1; i + 1 < n; ++i) // truth: sequential
        for (size_t j = 1; j + 1 < m; ++j) // truth: sequential
            u[i][j] = 0.25 * (b[i][j] + u[i - 1][j] + u[i][j - 1] + u[i + 1][j] + u[i][j + 1]);
}

/* Only the row above and the row below: the columns do not depend on each other. */
void gs_vertical(row *u, const row *b, size_t n, size_t m)
{
    for (size_t i = 1; i + 1 < n; ++i) // truth: sequential
        for (size_t j = 0; j < m; ++j) // truth: parallel
            u[i][j] = 0.5 * (b[i][j] + u[i - 1][j] + u[i + 1][j]);
}

/* Horizontal neighbours only: the rows do not depend on each other. */
void gs_horizontal(row *u, const row *b, size_t n, size_t m)
{
    for (size_t i = 0; i < n; ++i) // truth: parallel
        for (size_t j = m - 2; j > 0; --j) // truth: sequential
            u[i][j] = 0.5 * (b[i][j] + u[i][j - 1] + u[i][j + 1]);
}
