// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Heat equation on a three-dimensional grid of pointers to rows, explicit steps with two buffers.
#include <stdlib.h>

typedef double ***cube;

cube cube_new(size_t nx, size_t ny, size_t nz)
{
    cube c = malloc(nx * sizeof *c);
    double **rows = malloc(nx * ny * sizeof *rows);
    double *v = calloc(nx * ny * nz, sizeof *v);
    if (!c || !rows || !v) {
        free(c);
        free(rows);
        free(v);
        return NULL;
    }
    for (size_t i = 0; i < nx; ++i) { // truth: parallel
        c[i] = rows + i * ny;
        for (size_t j = 0; j < ny; ++j) // truth: parallel
            c[i][j] = v + (i * ny + j) * nz;
    }
    return c;
}

static void step(cube a, cube b, size_t nx, size_t ny, size_t nz, double k)
{
    for (size_t x = 1; x < nx - 1; ++x) // truth: parallel
        for (size_t y = 1; y < ny - 1; ++y) // truth: parallel
            for (size_t z = 1; z < nz - 1; ++z) // truth: parallel
                b[x][y][z] = a[x][y][z]
                    + k * (a[x - 1][y][z] + a[x + 1][y][z] + a[x][y - 1][z] + a[x][y + 1][z]
                           + a[x][y][z - 1] + a[x][y][z + 1] - 6.0 * a[x][y][z]);
}

cube heat(cube a, cube b, size_t nx, size_t ny, size_t nz, double k, unsigned steps)
{
    for (unsigned t = 0; t < steps; ++t) { // truth: sequential
        step(a, b, nx, ny, nz, k);
        cube s = a;
        a = b;
        b = s;
    }
    return a;
}
