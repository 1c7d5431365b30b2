// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A one-dimensional tube with all fields at file scope: equation of state, fluxes, update, time step, run.
#include <math.h>
#include <stdio.h>

#define CELLS 4096
#define GAMMA 1.4

static double rho[CELLS], mom[CELLS], ene[CELLS], prs[CELLS];
static double flux[CELLS + 1][3];
double total_mass;

static double pressure(int i)
{
    return (GAMMA - 1.0) * (ene[i] - 0.5 * mom[i] * mom[i] / rho[i]);
}

static void flux_at(int i)
{
    const int l = i - 1, r = i;
    const double ul = mom[l] / rho[l], ur = mom[r] / rho[r];
    const double s = fmax(fabs(ul) + sqrt(GAMMA * prs[l] / rho[l]), fabs(ur) + sqrt(GAMMA * prs[r] / rho[r]));
    flux[i][0] = 0.5 * (mom[l] + mom[r] - s * (rho[r] - rho[l]));
    flux[i][1] = 0.5 * (mom[l] * ul + prs[l] + mom[r] * ur + prs[r] - s * (mom[r] - mom[l]));
    flux[i][2] = 0.5 * ((ene[l] + prs[l]) * ul + (ene[r] + prs[r]) * ur - s * (ene[r] - ene[l]));
}

static void advance(double k)
{
    total_mass = 0.0;
    for (int i = 1; i < CELLS - 1; i++) { // truth: parallel
        rho[i] -= k * (flux[i + 1][0] - flux[i][0]);
        mom[i] -= k * (flux[i + 1][1] - flux[i][1]);
        ene[i] -= k * (flux[i + 1][2] - flux[i][2]);
        total_mass += rho[i];
    }
}

void tube_init(void)
{
    for (int i = 0; i < CELLS; i++) { // truth: parallel
        rho[i] = i < CELLS / 2 ? 1.0 : 0.125;
        mom[i] = 0.0;
        ene[i] = (i < CELLS / 2 ? 1.0 : 0.1) / (GAMMA - 1.0);
    }
}

void tube_run(int steps, double k)
{
    for (int t = 0; t < steps; t++) { // truth: sequential
        for (int i = 0; i < CELLS; i++) // truth: parallel
            prs[i] = pressure(i);
        for (int i = 1; i < CELLS; i++) // truth: parallel
            flux_at(i);
        advance(k);
        if (t % 1000 == 0)
            printf("step %d mass %.15g\n", t, total_mass);
    }
}
