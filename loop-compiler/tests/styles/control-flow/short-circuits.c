// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Conditions whose right-hand sides have effects of their own.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ticket {
    int prio;
    int seat;
    bool paid;
} ticket;

/* Assigns seats to tickets that are paid, while there are any left. */
int assign_seats(ticket *t, int n, int seats)
{
    int next = 0;
    for (int i = 0; i < n; i++) { // truth: sequential
        t[i].seat = -1;
        if (t[i].paid && next < seats && (t[i].prio > 0 || next + 10 < seats))
            t[i].seat = next++;
    }
    return next;
}

/* Grants requests as long as the budget allows; later ones may be cheaper. */
int grant(const int *cost, int n, int budget, int *granted)
{
    int taken = 0;
    for (int i = 0; i < n; i++) // truth: sequential
        granted[i] = cost[i] <= budget && (budget -= cost[i], ++taken);
    return taken;
}

/* The effect is on the element itself. */
void upgrade(ticket *t, int n)
{
    for (int i = 0; i < n; i++) // truth: parallel
        (void)(t[i].paid && t[i].prio < 3 && ++t[i].prio);
}

/* Counts with the operator in the condition. */
int count_pairs(const uint8_t *a, const uint8_t *b, int n)
{
    int both = 0, one = 0;
    for (int i = 0; i < n; i++) { // truth: parallel
        if (a[i] && b[i])
            both++;
        else if (a[i] || b[i])
            one++;
    }
    return both * 2 + one;
}

/* Water runs over from one basin into the next. */
void overflow(int *level, const int *rim, int n)
{
    for (int i = 1; i < n; i++) // truth: sequential
        if (level[i - 1] > rim[i - 1] && (level[i] += level[i - 1] - rim[i - 1]) > 0)
            level[i - 1] = rim[i - 1];
}
