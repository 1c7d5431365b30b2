// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Sorts short arrays of keyed items and checks the order.
#include <stdbool.h>
#include <stddef.h>

typedef struct {
    int key;
    void *data;
} item;

void items_sort(item *a, size_t n)
{
    for (item *p = a + 1; p < a + n; p++) { // truth: sequential
        item v = *p;
        item *q = p;
        while (q > a && q[-1].key > v.key) { // truth: sequential
            *q = q[-1];
            q--;
        }
        *q = v;
    }
}

bool items_sorted(const item *a, size_t n)
{
    if (n < 2)
        return true;
    for (const item *p = a, *last = a + n - 1; p < last; ++p) // truth: parallel
        if (p[0].key > p[1].key)
            return false;
    return true;
}

const item *items_smallest(const item *it, const item *end)
{
    const item *best = it;
    if (it == end)
        return NULL;
    int least = it->key;
    for (++it; it != end; ++it) { // truth: parallel
        if (it->key >= least)
            continue;
        least = it->key;
        best = it;
    }
    return best;
}

void items_number(item *it, item *end, int first)
{
    while (it != end) { // truth: parallel
        it->key = first++;
        it->data = NULL;
        it++;
    }
}

/* Ranks by comparison with every other key: equal keys keep their order. */
void items_rank(const item *a, size_t n, size_t *rank)
{
    for (const item *p = a; p < a + n; p++) { // truth: parallel
        size_t r = 0;
        for (const item *q = a; q < a + n; q++) // truth: parallel
            r += q->key < p->key || (q->key == p->key && q < p);
        *rank++ = r;
    }
}
