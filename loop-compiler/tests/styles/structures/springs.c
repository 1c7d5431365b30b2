// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A rope and a cloth of springs: forces per node, position constraints in place and averaged, strain.
#include <math.h>

struct node2 { float x, y, px, py; float fx, fy; int pinned; };
struct rope { struct node2 *node; int n; float rest, k; };

static void verlet(struct node2 *p, float dt2)
{
    const float x = p->x, y = p->y;
    if (p->pinned) return;
    p->x += (x - p->px) + p->fx * dt2;
    p->y += (y - p->py) + p->fy * dt2;
    p->px = x;
    p->py = y;
}

static void satisfy(struct node2 *a, struct node2 *b, float rest)
{
    float dx = b->x - a->x, dy = b->y - a->y, len = sqrtf(dx * dx + dy * dy);
    float s = len > 0.f ? 0.5f * (len - rest) / len : 0.f;
    a->x += s * dx;
    a->y += s * dy;
    b->x -= s * dx;
    b->y -= s * dy;
}

void rope_step(struct rope *r, float dt, int rounds)
{
    for (int i = 0; i < r->n; i++) { // truth: parallel
        struct node2 *p = &r->node[i];
        p->fx = 0.f;
        p->fy = -9.81f;
        if (i + 1 < r->n) {
            p->fx += r->k * (p[1].x - p->x);
            p->fy += r->k * (p[1].y - p->y);
        }
        if (i > 0) {
            p->fx += r->k * (p[-1].x - p->x);
            p->fy += r->k * (p[-1].y - p->y);
        }
    }
    for (int i = 0; i < r->n; i++) // truth: parallel
        verlet(&r->node[i], dt * dt);
    for (int k = 0; k < rounds; k++) { // truth: sequential
        for (int i = 0; i + 1 < r->n; i++) // truth: sequential
            satisfy(&r->node[i], &r->node[i + 1], r->rest);
    }
}

/* Even links, then odd links: no node belongs to two links of the same half. */
void rope_halves(struct rope *r, int rounds)
{
    while (rounds-- > 0) { // truth: sequential
        for (int i = 0; i + 1 < r->n; i += 2) // truth: parallel
            satisfy(&r->node[i], &r->node[i + 1], r->rest);
        for (int i = 1; i + 1 < r->n; i += 2) // truth: parallel
            satisfy(&r->node[i], &r->node[i + 1], r->rest);
    }
}
