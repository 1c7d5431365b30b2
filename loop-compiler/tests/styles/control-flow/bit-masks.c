// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Works on bit masks and flags of a list of widgets.
#include <stddef.h>
#include <stdint.h>

#define W_VISIBLE  0x01u
#define W_ENABLED  0x02u
#define W_DIRTY    0x04u
#define W_FOCUSED  0x08u

struct widget {
    uint32_t flags;
    int16_t x, y, w, h;
};

void mark_dirty(struct widget *wg, size_t n, int x, int y)
{
    for (size_t i = 0; i < n; i++) { // truth: parallel
        if ((wg[i].flags & (W_VISIBLE | W_ENABLED)) != (W_VISIBLE | W_ENABLED))
            continue;
        if (x >= wg[i].x && x < wg[i].x + wg[i].w && y >= wg[i].y && y < wg[i].y + wg[i].h)
            wg[i].flags |= W_DIRTY;
        else
            wg[i].flags &= ~W_DIRTY;
    }
}

uint32_t all_flags(const struct widget *wg, size_t n, uint32_t *common)
{
    uint32_t any = 0, all = ~0u;
    for (size_t i = 0; i < n; i++) { // truth: parallel
        any |= wg[i].flags;
        all &= wg[i].flags;
    }
    *common = all;
    return any;
}

/* Moves the focus to the next enabled widget after the one that has it. */
int move_focus(struct widget *wg, int n)
{
    int had = -1, next;
    for (int i = 0; i < n; i++) // truth: parallel
        if (wg[i].flags & W_FOCUSED) {
            had = i;
            break;
        }
    next = had;
    for (int step = 1; step < n; step++) { // truth: parallel
        int k = (had + step) % n;
        if (wg[k].flags & W_ENABLED) {
            next = k;
            break;
        }
    }
    for (int i = 0; i < n; i++) // truth: parallel
        wg[i].flags = i == next ? wg[i].flags | W_FOCUSED : wg[i].flags & ~W_FOCUSED;
    return next;
}

/* Every widget gets the flags that toggled up to it. */
uint32_t toggles(const uint32_t *toggle, struct widget *wg, size_t n)
{
    uint32_t state = 0;
    for (size_t i = 0; i < n; i++) { // truth: scan
        state ^= toggle[i];
        wg[i].flags = state;
    }
    return state;
}
