// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Rigid bodies with nested structs: integration of position and orientation, total momentum, chain of frames.
#include <math.h>
#include <stddef.h>

typedef struct { double w, x, y, z; } quat;
typedef struct { double e[3]; } vec3d;
struct state { vec3d pos; quat rot; };
struct rigid { struct state now; vec3d vel, spin; double inv_mass; unsigned asleep : 1, fixed : 1; };

static quat q_mul(quat a, quat b)
{
    return (quat){
        .w = a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
        .x = a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        .y = a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        .z = a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
    };
}

static void q_normalize(quat *q)
{
    const double s = 1.0 / sqrt(q->w * q->w + q->x * q->x + q->y * q->y + q->z * q->z);
    q->w *= s, q->x *= s, q->y *= s, q->z *= s;
}

size_t rigid_integrate(struct rigid *b, size_t n, double dt)
{
    size_t awake = 0;
    for (size_t i = 0; i < n; ++i) { // truth: parallel
        struct rigid *r = &b[i];
        if (r->asleep || r->fixed)
            continue;
        ++awake;
        for (int k = 0; k < 3; ++k) // truth: parallel
            r->now.pos.e[k] += dt * r->vel.e[k];
        const quat half = { 1.0, 0.5 * dt * r->spin.e[0], 0.5 * dt * r->spin.e[1], 0.5 * dt * r->spin.e[2] };
        r->now.rot = q_mul(half, r->now.rot);
        q_normalize(&r->now.rot);
    }
    return awake;
}

vec3d rigid_momentum(const struct rigid *b, size_t n)
{
    vec3d p = { { 0, 0, 0 } };
    for (size_t i = 0; i < n; ++i) // truth: parallel
        if (b[i].inv_mass > 0)
            for (int k = 0; k < 3; ++k) // truth: parallel
                p.e[k] += b[i].vel.e[k] / b[i].inv_mass;
    return p;
}

/* World orientation of each link of an arm from the orientation relative to the link before it. */
void chain_orientations(const quat *local, quat *world, size_t n)
{
    quat q = { 1, 0, 0, 0 };
    for (size_t i = 0; i < n; ++i) { // truth: sequential
        q = q_mul(q, local[i]);
        q_normalize(&q);
        world[i] = q;
    }
}
