// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Staggered velocity grids: divergence, pressure correction, tracer path, hydrostatic pressure.
#include <math.h>

struct mac { int nx, ny; double h; double **u, **v, **p, **div; };

double mac_divergence(struct mac *m)
{
    double worst = 0;
    for (int i = 0; i < m->nx; i++) // truth: parallel
        for (int j = 0; j < m->ny; j++) { // truth: parallel
            m->div[i][j] = (m->u[i + 1][j] - m->u[i][j] + m->v[i][j + 1] - m->v[i][j]) / m->h;
            worst = fmax(worst, fabs(m->div[i][j]));
        }
    return worst;
}

void mac_project_v(struct mac *m, double dt)
{
    const double s = dt / m->h;
    int i = 0;
    while (i < m->nx) { // truth: parallel
        double *v = m->v[i], *p = m->p[i];
        for (int j = 1; j < m->ny; j++) // truth: parallel
            v[j] -= s * (p[j] - p[j - 1]);
        i++;
    }
}

/* Follows one tracer through the cells; returns the number of steps. */
int mac_trace(const struct mac *m, double x, double y, double dt, int limit)
{
    int k = 0;
    while (k < limit && x >= 0 && y >= 0 && x < m->nx * m->h && y < m->ny * m->h) { // truth: sequential
        const int i = (int)(x / m->h), j = (int)(y / m->h);
        x += dt * m->u[i][j];
        y += dt * m->v[i][j];
        k++;
    }
    return k;
}

/* Columns are swept upwards; the pressure is integrated from the bottom. */
void hydrostatic(struct mac *m, double **rho, double g)
{
    for (int i = 0; i < m->nx; i++) // truth: parallel
        for (int j = 1; j < m->ny; j++) // truth: scan
            m->p[i][j] = m->p[i][j - 1] - 0.5 * g * m->h * (rho[i][j - 1] + rho[i][j]);
}
