// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A pool of list nodes in an array: building the free list, walking, reversing, and sums over the whole pool.
#include <stddef.h>

struct node { struct node *next; int key; double weight; };
struct pool { struct node *nodes, *free; size_t size; };

void pool_init(struct pool *p, struct node *nodes, size_t size)
{
    p->nodes = nodes;
    p->size = size;
    for (size_t i = 0; i < size; i++) { // truth: parallel
        nodes[i].next = i + 1 < size ? &nodes[i + 1] : NULL;
        nodes[i].key = -1;
        nodes[i].weight = 0.0;
    }
    p->free = size ? nodes : NULL;
}

double list_weight(const struct node *n)
{
    double w = 0.0;
    for (; n != NULL; n = n->next) // truth: sequential
        w += n->weight;
    return w;
}

struct node *list_reverse(struct node *n)
{
    struct node *done = NULL;
    while (n) { // truth: sequential
        struct node *next = n->next;
        n->next = done;
        done = n;
        n = next;
    }
    return done;
}

double pool_weight(const struct pool *p)
{
    double w = 0.0;
    for (size_t i = 0; i < p->size; i++) // truth: parallel
        if (p->nodes[i].key >= 0)
            w += p->nodes[i].weight;
    return w;
}

/* Each bucket has its own list; the lists do not share nodes. */
void buckets_total(struct node *const *bucket, size_t n, double *total)
{
    for (size_t b = 0; b < n; b++) { // truth: parallel
        double t = 0.0;
        for (const struct node *q = bucket[b]; q; q = q->next) // truth: sequential
            t += q->weight;
        total[b] = t;
    }
}

size_t pool_take(struct pool *p, const int *keys, size_t n)
{
    size_t k = 0;
    while (k < n && p->free != NULL) { // truth: sequential
        struct node *q = p->free;
        p->free = q->next;
        q->key = keys[k++];
    }
    return k;
}
