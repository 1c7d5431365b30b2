// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Longest hailstone sequences below a bound.
#include <stdint.h>
#include <stdio.h>

static int steps_from(uint64_t v)
{
    int steps = 0;
    while (v != 1) { // truth: sequential
        if (v & 1)
            v = 3 * v + 1;
        else
            v >>= 1;
        steps++;
    }
    return steps;
}

uint32_t longest_below(uint32_t bound, int *length)
{
    uint32_t start = 1, best = 1;
    int most = 0;

    while (start < bound) { // truth: parallel
        int steps = steps_from(start);
        if (steps > most) {
            most = steps;
            best = start;
        }
        ++start;
    }
    *length = most;
    return best;
}

void step_table(int *table, uint32_t n)
{
    uint32_t v = 1;
    while (v < n) { // truth: parallel
        table[v] = steps_from(v);
        v++;
    }
}

/* Uses the entries of smaller numbers that are there already. */
void step_table_cached(int *table, uint32_t n)
{
    uint32_t v = 2;
    if (n > 1)
        table[1] = 0;
    while (v < n) { // truth: sequential
        uint64_t w = v;
        int steps = 0;
        while (w >= v) { // truth: sequential
            w = w & 1 ? 3 * w + 1 : w / 2;
            steps++;
        }
        table[v] = steps + table[w];
        v++;
    }
}

void print_table(const int *table, uint32_t n)
{
    uint32_t v = 1;
    while (v < n) { // truth: sequential
        printf("%u %d\n", (unsigned)v, table[v]);
        v++;
    }
}
