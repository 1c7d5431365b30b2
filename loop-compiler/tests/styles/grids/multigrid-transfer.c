// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Transfer between the levels of a multigrid method and the cycle over the levels.
#include <stddef.h>

#define LEVELS 12

typedef struct level { int n; double **u, **f, **r; } level;

void restrict_full(double *const *fine, double **coarse, int nc)
{
    for (int i = 1; i < nc - 1; i++) { // truth: parallel
        const double *a = fine[2 * i - 1], *b = fine[2 * i], *c = fine[2 * i + 1];
        for (int j = 1, k = 2; j < nc - 1; j++, k += 2) // truth: parallel
            coarse[i][j] = 0.25 * b[k] + 0.125 * (b[k - 1] + b[k + 1] + a[k] + c[k])
                         + 0.0625 * (a[k - 1] + a[k + 1] + c[k - 1] + c[k + 1]);
    }
}

void prolong_add(double **fine, double *const *coarse, int nc)
{
    for (int i = 0; i < nc - 1; i++) { // truth: parallel
        for (int j = 0; j < nc - 1; j++) { // truth: parallel
            const double c00 = coarse[i][j], c01 = coarse[i][j + 1];
            const double c10 = coarse[i + 1][j], c11 = coarse[i + 1][j + 1];
            fine[2 * i][2 * j] += c00;
            fine[2 * i][2 * j + 1] += 0.5 * (c00 + c01);
            fine[2 * i + 1][2 * j] += 0.5 * (c00 + c10);
            fine[2 * i + 1][2 * j + 1] += 0.25 * (c00 + c01 + c10 + c11);
        }
    }
}

static void smooth(level *l, int sweeps)
{
    while (sweeps--) // truth: sequential
        for (int i = 1; i < l->n - 1; i++) // truth: sequential
            for (int j = 1; j < l->n - 1; j++) // truth: sequential
                l->u[i][j] = 0.25 * (l->f[i][j] + l->u[i - 1][j] + l->u[i + 1][j] + l->u[i][j - 1] + l->u[i][j + 1]);
}

void half_cycle(level lv[LEVELS], int top)
{
    for (int k = 0; k < top; k++) { // truth: sequential
        smooth(&lv[k], 2);
        restrict_full(lv[k].u, lv[k + 1].u, lv[k + 1].n);
    }
    smooth(&lv[top], 20);
}
