// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Packs items into bins, first fit, and checks the result.
#include <stdbool.h>
#include <stdio.h>

typedef struct { int room; int items; } bin;

/* Returns the number of bins, or -1 for an item that is too large. */
int pack_first_fit(const int *size, int n, int capacity, bin *bins, int *in_bin)
{
    int used = 0;

    for (int i = 0; i < n; i++) // truth: parallel
        if (size[i] < 0 || size[i] > capacity)
            return -1;

    for (int i = 0; i < n; i++) { // truth: sequential
        int b;
        for (b = 0; b < used; b++) // truth: parallel
            if (bins[b].room >= size[i])
                break;
        if (b == used) {
            bins[used].room = capacity;
            bins[used++].items = 0;
        }
        bins[b].room -= size[i];
        bins[b].items++;
        in_bin[i] = b;
    }
    return used;
}

bool check_packing(const int *size, int n, int capacity, const int *in_bin, int used, int *load)
{
    for (int b = 0; b < used; b++) // truth: parallel
        load[b] = 0;
    for (int i = 0; i < n; i++) // truth: parallel
        load[in_bin[i]] += size[i];
    for (int b = 0; b < used; b++) // truth: parallel
        if (load[b] > capacity)
            return false;
    return true;
}

int fullest_bin(const bin *bins, int used)
{
    int at = 0;
    for (int b = 1; b < used; b++) // truth: parallel
        if (bins[b].room < bins[at].room)
            at = b;
    return at;
}
