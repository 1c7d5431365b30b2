// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Normals of a triangle mesh: per face, accumulated per vertex, normalized; area, bounds, degenerate faces.
#include <math.h>
#include <stdint.h>

typedef struct { float v[3]; } f3;
typedef struct { uint32_t a, b, c; } tri;
typedef struct { uint32_t nv, nt; f3 *pos, *normal; tri *t; } mesh;

static inline f3 f3_sub(f3 p, f3 q) { return (f3){ { p.v[0] - q.v[0], p.v[1] - q.v[1], p.v[2] - q.v[2] } }; }

static inline f3 f3_cross(const f3 *p, const f3 *q)
{
    f3 r;
    r.v[0] = p->v[1] * q->v[2] - p->v[2] * q->v[1];
    r.v[1] = p->v[2] * q->v[0] - p->v[0] * q->v[2];
    r.v[2] = p->v[0] * q->v[1] - p->v[1] * q->v[0];
    return r;
}

static inline void f3_add(f3 *p, f3 q)
{
    p->v[0] += q.v[0];
    p->v[1] += q.v[1];
    p->v[2] += q.v[2];
}

static f3 face(const mesh *m, const tri *t)
{
    f3 e = f3_sub(m->pos[t->b], m->pos[t->a]), g = f3_sub(m->pos[t->c], m->pos[t->a]);
    return f3_cross(&e, &g);
}

float mesh_normals(mesh *m)
{
    float area = 0;
    for (uint32_t i = 0; i < m->nv; i++) // truth: parallel
        for (int k = 0; k < 3; k++) // truth: parallel
            m->normal[i].v[k] = 0;
    for (uint32_t i = 0; i < m->nt; i++) { // truth: parallel
        const f3 n = face(m, &m->t[i]);
        f3_add(&m->normal[m->t[i].a], n);
        f3_add(&m->normal[m->t[i].b], n);
        f3_add(&m->normal[m->t[i].c], n);
        area += 0.5f * sqrtf(n.v[0] * n.v[0] + n.v[1] * n.v[1] + n.v[2] * n.v[2]);
    }
    for (uint32_t i = 0; i < m->nv; i++) { // truth: parallel
        float *n = m->normal[i].v, len = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        for (int k = 0; len > 0 && k < 3; k++) // truth: parallel
            n[k] /= len;
    }
    return area;
}

/* Laplacian smoothing over the edges of the faces, in place. */
void mesh_pull(mesh *m, float w)
{
    for (uint32_t i = 0; i < m->nt; i++) { // truth: sequential
        const f3 d = f3_sub(m->pos[m->t[i].b], m->pos[m->t[i].a]);
        for (int k = 0; k < 3; k++) // truth: parallel
            m->pos[m->t[i].a].v[k] += w * d.v[k];
    }
}
