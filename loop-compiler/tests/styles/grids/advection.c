// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Upwind advection of the rows of a grid, with the direction of the loop chosen by the sign of the speed.
#include <stddef.h>

/* Positive speed, in place from the right: each cell reads its left neighbour before that changes. */
static void upwind_right(double *q, int n, double c)
{
    for (int i = n - 1; i > 0; i--) // truth: sequential
        q[i] -= c * (q[i] - q[i - 1]);
}

static void upwind_left(double *q, int n, double c)
{
    int i;
    for (i = 0; i < n - 1; i++) // truth: sequential
        q[i] -= c * (q[i + 1] - q[i]);
}

/* speed has one value per row */
void advect_rows(double **q, const double *speed, int rows, int n, double dt_dx)
{
    for (int r = 0; r < rows; r++) { // truth: parallel
        const double c = speed[r] * dt_dx;
        if (c > 0.0)
            upwind_right(q[r], n, c);
        else if (c < 0.0)
            upwind_left(q[r], n, c);
    }
}

/* Flux form: first all fluxes of the row, then the update. flux is one row of n + 1 values for all rows. */
void advect_flux(double **q, double *flux, int rows, int n, double c)
{
    for (int r = 0; r < rows; r++) { // truth: parallel
        double *p = q[r];
        flux[0] = flux[n] = 0.0;
        for (int i = 1; i < n; i++) // truth: parallel
            flux[i] = c > 0.0 ? c * p[i - 1] : c * p[i];
        for (int i = 0; i < n; i++) // truth: parallel
            p[i] -= flux[i + 1] - flux[i];
    }
}
