// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Boundary conditions of a padded grid in a struct with a row table: periodic, reflecting, outflow, corner fill.
#include <stddef.h>

enum side { PERIODIC, REFLECT, OUTFLOW };

struct field {
    ptrdiff_t nx, ny;  /* interior */
    ptrdiff_t ghost;   /* width of the border on each side */
    double **row;      /* ny + 2 * ghost rows of nx + 2 * ghost values */
};

int field_fill_x(struct field *f, enum side kind)
{
    const ptrdiff_t g = f->ghost, n = f->nx;

    if (n < g)
        return -1;
    for (ptrdiff_t j = g; j < g + f->ny; j++) { // truth: parallel
        double *r = f->row[j];
        for (ptrdiff_t k = 0; k < g; k++) { // truth: parallel
            switch (kind) {
            case PERIODIC:
                r[k] = r[k + n];
                r[g + n + k] = r[g + k];
                break;
            case REFLECT:
                r[k] = r[2 * g - 1 - k];
                r[g + n + k] = r[g + n - 1 - k];
                break;
            case OUTFLOW:
                r[k] = r[g];
                r[g + n + k] = r[g + n - 1];
                break;
            }
        }
    }
    return 0;
}

void field_fill_y(struct field *f)
{
    const ptrdiff_t g = f->ghost, w = f->nx + 2 * g;
    for (ptrdiff_t k = g - 1; k >= 0; k--) { // truth: parallel
        const double *from = f->row[g];
        double *to = f->row[k];
        for (ptrdiff_t i = 0; i < w; i++) // truth: parallel
            to[i] = from[i];
    }
    /* Linear extrapolation at the top: each ghost row from the two rows below it. */
    for (ptrdiff_t j = g + f->ny; j < 2 * g + f->ny; j++) // truth: scan
        for (ptrdiff_t i = 0; i < w; i++) // truth: parallel
            f->row[j][i] = 2.0 * f->row[j - 1][i] - f->row[j - 2][i];
}
