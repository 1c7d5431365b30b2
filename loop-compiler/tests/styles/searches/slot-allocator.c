// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Looks for free slots and free runs in a table of pages.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define PAGES 1024u

struct pool {
    uint8_t used[PAGES];
    unsigned owner[PAGES];
};

int pool_take(struct pool *p, unsigned who)
{
    unsigned i;

    for (i = 0; i < PAGES; i++) // truth: parallel
        if (!p->used[i])
            break;
    if (i == PAGES) {
        fprintf(stderr, "pool: no free page for %u\n", who);
        return -1;
    }
    p->used[i] = 1;
    p->owner[i] = who;
    return (int)i;
}

int pool_take_many(struct pool *p, unsigned who, int *page, int count)
{
    for (int k = 0; k < count; k++) { // truth: sequential
        page[k] = pool_take(p, who);
        if (page[k] < 0)
            return k;
    }
    return count;
}

/* Start of the first run of `len` free pages. */
int pool_find_run(const struct pool *p, unsigned len)
{
    for (unsigned i = 0; i + len <= PAGES; i++) { // truth: parallel
        unsigned k = 0;
        for (; k < len; k++) // truth: parallel
            if (p->used[i + k])
                break;
        if (k == len)
            return (int)i;
    }
    return -1;
}

unsigned pool_release_all(struct pool *p, unsigned who)
{
    unsigned freed = 0;
    for (unsigned i = 0; i < PAGES; i++) { // truth: parallel
        if (p->used[i] && p->owner[i] == who) {
            p->used[i] = 0;
            ++freed;
        }
    }
    return freed;
}
