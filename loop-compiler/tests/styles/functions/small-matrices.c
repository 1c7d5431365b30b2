// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Transformations with 4-by-4 matrices in arrays of arrays: points, products, a hierarchy, an inverse per element.
#include <math.h>
#include <string.h>

typedef double mat4[4][4];
typedef double pnt[3];

static void mul(mat4 out, mat4 a, mat4 b)
{
    mat4 t;
    for (int i = 0; i < 4; ++i) // truth: parallel
        for (int j = 0; j < 4; ++j) // truth: parallel
            t[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j] + a[i][3] * b[3][j];
    memcpy(out, t, sizeof(mat4));
}

static void apply(mat4 m, const double *p, double *q)
{
    const double w = m[3][0] * p[0] + m[3][1] * p[1] + m[3][2] * p[2] + m[3][3];
    const double x = (m[0][0] * p[0] + m[0][1] * p[1] + m[0][2] * p[2] + m[0][3]) / w;
    const double y = (m[1][0] * p[0] + m[1][1] * p[1] + m[1][2] * p[2] + m[1][3]) / w;
    q[2] = (m[2][0] * p[0] + m[2][1] * p[1] + m[2][2] * p[2] + m[2][3]) / w;
    q[0] = x;
    q[1] = y;
}

void points_transform(mat4 m, pnt *p, int n)
{
    for (int i = 0; i < n; ++i) // truth: parallel
        apply(m, p[i], p[i]);
}

void points_by_bone(mat4 *bone, const int *owner, pnt *in, pnt *out, int n)
{
    for (int i = 0; i < n; ++i) // truth: parallel
        apply(bone[owner[i]], in[i], out[i]);
}

/* The parent of a joint comes before it; the root is joint 0. */
void hierarchy(mat4 *local, mat4 *world, const int *parent, int n)
{
    memcpy(world[0], local[0], sizeof(mat4));
    for (int i = 1; i < n; ++i) // truth: sequential
        mul(world[i], world[parent[i]], local[i]);
}

void bones_combine(mat4 *world, mat4 *bind, mat4 *bone, int n)
{
    for (int i = 0; i < n; ++i) { // truth: parallel
        mul(bone[i], world[i], bind[i]);
        bone[i][3][3] = 1.0;
    }
}

/* m becomes the product of all matrices. */
void product_of_all(mat4 *list, int n, mat4 m)
{
    for (int i = 0; i < n; ++i) // truth: sequential
        mul(m, m, list[i]);
}
