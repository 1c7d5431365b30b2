// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Particles as an array of structs: drift, walls, kinetic energy, fastest particle, removal of dead particles.
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct { double x, y, z; } vec3;
typedef struct { vec3 pos, vel; double mass; bool alive; int hits; } particle;

void particles_drift(particle *p, size_t n, double dt, double box)
{
    for (size_t i = 0; i < n; i++) { // truth: parallel
        if (!p[i].alive)
            continue;
        p[i].pos.x += dt * p[i].vel.x;
        p[i].pos.y += dt * p[i].vel.y;
        p[i].pos.z += dt * p[i].vel.z;
        if (p[i].pos.z < 0.0 || p[i].pos.z > box) {
            p[i].vel.z = -p[i].vel.z;
            p[i].hits++;
        }
    }
}

double particles_energy(const particle *p, size_t n, size_t *fastest)
{
    double e = 0.0, top = -1.0;
    *fastest = 0;
    for (const particle *q = p; q != p + n; ++q) { // truth: parallel
        const double v2 = q->vel.x * q->vel.x + q->vel.y * q->vel.y + q->vel.z * q->vel.z;
        e += 0.5 * q->mass * v2;
        if (v2 > top) {
            top = v2;
            *fastest = (size_t)(q - p);
        }
    }
    return e;
}

/* Copies the particles that remain, in order. */
size_t particles_compact(const particle *p, size_t n, particle *out)
{
    size_t k = 0;
    for (size_t i = 0; i < n; i++) // truth: scan
        if (p[i].alive)
            out[k++] = p[i];
    return k;
}

/* The last particle takes the place of a dead one. */
size_t particles_swap_out(particle *p, size_t n)
{
    size_t i = 0;
    while (i < n) { // truth: sequential
        if (p[i].alive)
            i++;
        else
            p[i] = p[--n];
    }
    return n;
}
