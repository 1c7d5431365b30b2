// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The game of life on rows of bytes: border copies, one generation, population, generations.
#include <string.h>

typedef unsigned char cell;

struct world {
    int w, h;      /* without the border of one cell */
    cell **now;    /* h + 2 rows of w + 2 cells */
    cell **then;
};

static void wrap(struct world *o)
{
    for (int y = 1; y <= o->h; ++y) { // truth: parallel
        o->now[y][0] = o->now[y][o->w];
        o->now[y][o->w + 1] = o->now[y][1];
    }
    memcpy(o->now[0], o->now[o->h], (size_t)o->w + 2);
    memcpy(o->now[o->h + 1], o->now[1], (size_t)o->w + 2);
}

static int generation(struct world *o)
{
    int alive = 0;
    for (int y = 1; y <= o->h; ++y) { // truth: parallel
        const cell *a = o->now[y - 1], *b = o->now[y], *c = o->now[y + 1];
        cell *out = o->then[y];
        for (int x = 1; x <= o->w; ++x) { // truth: parallel
            int n = a[x - 1] + a[x] + a[x + 1] + b[x - 1] + b[x + 1] + c[x - 1] + c[x] + c[x + 1];
            out[x] = n == 3 || (n == 2 && b[x]);
            alive += out[x];
        }
    }
    return alive;
}

int world_run(struct world *o, int generations)
{
    int alive = 0;
    while (generations-- > 0) { // truth: sequential
        wrap(o);
        alive = generation(o);
        cell **t = o->now;
        o->now = o->then;
        o->then = t;
        if (alive == 0) break;
    }
    return alive;
}
