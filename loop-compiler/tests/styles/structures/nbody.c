// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Gravity by direct summation: all pairs, half of the pairs with opposite forces, leapfrog steps.
#include <math.h>

typedef struct { double x, y, z; } vec;
typedef struct { vec r, v, a; double m; } body;

static inline vec sub(vec a, vec b) { return (vec){ a.x - b.x, a.y - b.y, a.z - b.z }; }
static inline double dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline void fma_to(vec *a, double s, vec b) { a->x += s * b.x; a->y += s * b.y; a->z += s * b.z; }

void accelerations(body *b, int n, double eps2)
{
    for (int i = 0; i < n; i++) { // truth: parallel
        vec a = { 0, 0, 0 };
        for (int j = 0; j < n; j++) { // truth: parallel
            vec d = sub(b[j].r, b[i].r);
            double r2 = dot(d, d) + eps2;
            if (j != i)
                fma_to(&a, b[j].m / (r2 * sqrt(r2)), d);
        }
        b[i].a = a;
    }
}

void accelerations_half(body *b, int n, double eps2)
{
    for (int i = 0; i < n; i++) // truth: parallel
        b[i].a = (vec){ 0, 0, 0 };
    for (int i = 0; i < n; i++) // truth: parallel
        for (int j = i + 1; j < n; j++) { // truth: parallel
            const vec d = sub(b[j].r, b[i].r);
            const double r2 = dot(d, d) + eps2, w = 1.0 / (r2 * sqrt(r2));
            fma_to(&b[i].a, b[j].m * w, d);
            fma_to(&b[j].a, -b[i].m * w, d);
        }
}

void leapfrog(body *b, int n, double dt, int steps)
{
    accelerations(b, n, 1e-6);
    for (int s = 0; s < steps; s++) { // truth: sequential
        for (int i = 0; i < n; i++) { // truth: parallel
            fma_to(&b[i].v, 0.5 * dt, b[i].a);
            fma_to(&b[i].r, dt, b[i].v);
        }
        accelerations(b, n, 1e-6);
        for (int i = 0; i < n; i++) // truth: parallel
            fma_to(&b[i].v, 0.5 * dt, b[i].a);
    }
}
