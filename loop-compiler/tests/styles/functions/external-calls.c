// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Loops with calls of functions of other files, and loops after all such calls are done.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

extern double material_density(int id, double temperature);
extern void progress(size_t done, size_t total);
extern int cancelled(void);

static double clampd(double v, double lo, double hi) { return v < lo ? lo : v > hi ? hi : v; }

int densities(const int *id, const double *t, double *rho, size_t n)
{
    for (size_t i = 0; i < n; i++) { // truth: sequential
        rho[i] = material_density(id[i], t[i]);
        if ((i & 1023) == 0) {
            progress(i, n);
            if (cancelled())
                return 1;
        }
    }
    return 0;
}

/* The table is made once; after that no other file is involved. */
void densities_table(const int *id, const double *t, double *rho, size_t n, int materials, double *table, int steps)
{
    for (int m = 0; m < materials; m++) // truth: sequential
        for (int k = 0; k < steps; k++) // truth: sequential
            table[m * steps + k] = material_density(m, 250.0 + k);
    for (size_t i = 0; i < n; i++) { // truth: parallel
        const double u = clampd(t[i] - 250.0, 0.0, steps - 1.001);
        const int k = (int)u;
        const double *row = table + id[i] * steps + k;
        rho[i] = row[0] + (u - k) * (row[1] - row[0]);
    }
}

size_t smooth_reported(double *a, double *b, size_t n, size_t rounds)
{
    size_t r;
    for (r = 0; r < rounds && !cancelled(); r++) { // truth: sequential
        for (size_t i = 1; i + 1 < n; i++) // truth: parallel
            b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3.0;
        memcpy(a + 1, b + 1, n > 2 ? (n - 2) * sizeof *a : 0);
        progress(r + 1, rounds);
    }
    return r;
}
