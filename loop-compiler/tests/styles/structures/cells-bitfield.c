// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Cells with bit-fields on a torus: forest fire with state, age and a hash of the position as the dice.
#include <stdint.h>
#include <string.h>

enum { EMPTY, TREE, FIRE };
typedef struct { unsigned state : 2; unsigned age : 10; unsigned wet : 1; } Cell;
typedef struct { int w, h; Cell *now, *next; } Forest;

static inline uint32_t dice(uint32_t x, uint32_t y, uint32_t t)
{
    uint32_t k = x * 0x9E3779B1u ^ y * 0x85EBCA77u ^ t * 0xC2B2AE3Du;
    k ^= k >> 15;
    k *= 0x2C1B3C6Du;
    return k ^ k >> 13;
}

static int burning_near(const Forest *f, int x, int y)
{
    static const int8_t d[4][2] = { { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 } };
    int n = 0;
    for (int k = 0; k < 4; k++) { // truth: parallel
        const int u = (x + d[k][0] + f->w) % f->w, v = (y + d[k][1] + f->h) % f->h;
        n += f->now[v * f->w + u].state == FIRE;
    }
    return n;
}

static long forest_step(Forest *f, uint32_t t)
{
    long fires = 0;
    for (int y = 0; y < f->h; y++) // truth: parallel
        for (int x = 0; x < f->w; x++) { // truth: parallel
            Cell c = f->now[y * f->w + x];
            if (c.state == FIRE)
                memset(&c, 0, sizeof c);
            else if (c.state == TREE && burning_near(f, x, y) > (int)c.wet)
                c.state = FIRE;
            else if (c.state == EMPTY && dice((uint32_t)x, (uint32_t)y, t) % 100 < 3)
                c.state = TREE;
            c.age = c.age < 1023 ? c.age + 1 : 1023;
            fires += c.state == FIRE;
            f->next[y * f->w + x] = c;
        }
    return fires;
}

uint32_t forest_run(Forest *f, uint32_t limit)
{
    uint32_t t;
    for (t = 0; t < limit; t++) { // truth: sequential
        const long fires = forest_step(f, t);
        Cell *s = f->now;
        f->now = f->next;
        f->next = s;
        if (fires == 0)
            break;
    }
    return t;
}
