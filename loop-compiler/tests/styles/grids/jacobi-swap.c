// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Laplace equation by Jacobi iteration on two grids of row pointers whose roles swap.
#include <math.h>
#include <stdio.h>

typedef struct {
    int nx, ny;
    double **cur, **next;
} laplace_t;

static double sweep(double **u, double **v, int nx, int ny)
{
    double change = 0.0;
    for (int i = 1; i < nx - 1; i++) { // truth: parallel
        for (int j = 1; j < ny - 1; j++) { // truth: parallel
            v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
            double d = fabs(v[i][j] - u[i][j]);
            if (d > change)
                change = d;
        }
    }
    return change;
}

int laplace_solve(laplace_t *p, double tol, int max_iter)
{
    int it;
    /* Both grids need the boundary values. */
    for (int i = 0; i < p->nx; i++) { // truth: parallel
        p->next[i][0] = p->cur[i][0];
        p->next[i][p->ny - 1] = p->cur[i][p->ny - 1];
    }
    for (int j = 0; j < p->ny; j++) { // truth: parallel
        p->next[0][j] = p->cur[0][j];
        p->next[p->nx - 1][j] = p->cur[p->nx - 1][j];
    }
    for (it = 0; it < max_iter; it++) { // truth: sequential
        const double change = sweep(p->cur, p->next, p->nx, p->ny);
        double **t = p->cur;
        p->cur = p->next;
        p->next = t;
        if (it % 100 == 0)
            printf("%6d  %.6e\n", it, change);
        if (change < tol)
            break;
    }
    return it;
}
