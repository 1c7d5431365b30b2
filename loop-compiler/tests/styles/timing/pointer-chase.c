// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Latency of memory by a chase through a permutation, against the same number of independent loads.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

volatile size_t sink;

/* One cycle through all slots: slot i leads to slot (i + step) % n, with step and n coprime. */
static void ring_build(size_t *next, size_t n, size_t step)
{
    for (size_t i = 0; i < n; i++) // truth: parallel
        next[i] = (i + step) % n;
}

static size_t chase(const size_t *next, size_t hops)
{
    size_t at = 0;
    while (hops--) // truth: sequential
        at = next[at];
    return at;
}

static size_t gather(const size_t *next, size_t n)
{
    size_t sum = 0;
    for (size_t i = 0; i < n; i++) // truth: parallel
        sum += next[next[i]];
    return sum;
}

int latency_table(size_t largest)
{
    size_t *next = malloc(largest * sizeof *next);
    if (next == NULL) {
        perror("latency_table");
        return 1;
    }
    for (size_t n = 1024; n <= largest; n *= 4) { // truth: sequential
        ring_build(next, n, 511);
        const clock_t a = clock();
        sink = chase(next, n);
        const clock_t b = clock();
        sink = gather(next, n);
        const clock_t c = clock();
        printf("%12zu  chase %8ld  gather %8ld\n", n, (long)(b - a), (long)(c - b));
    }
    free(next);
    return 0;
}

void spin(size_t n)
{
    for (size_t i = 0; i < n; i++) // truth: sequential
        sink = i;
}
