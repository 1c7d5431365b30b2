// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Looks for duplicates and close pairs by comparison of all pairs.
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct { double x, y; int id; } site;

bool has_duplicate(const int *v, int n)
{
    for (int i = 0; i < n; i++) { // truth: parallel
        for (int j = i + 1; j < n; j++) { // truth: parallel
            if (v[i] == v[j])
                return true;
        }
    }
    return false;
}

double closest_pair(const site *s, int n, int *first, int *second)
{
    double least = INFINITY;
    *first = *second = -1;
    for (int i = 0; i + 1 < n; i++) { // truth: parallel
        for (int j = i + 1; j < n; j++) { // truth: parallel
            double d = hypot(s[i].x - s[j].x, s[i].y - s[j].y);
            if (d < least) {
                least = d;
                *first = s[i].id;
                *second = s[j].id;
            }
        }
    }
    return least;
}

/* 1 for elements that occur further to the left already; reads v only. */
void mark_repeats(const int *v, int n, unsigned char *repeat)
{
    for (int i = 0; i < n; i++) { // truth: parallel
        bool again = false;
        for (int j = 0; j < i; j++) // truth: parallel
            if (v[j] == v[i]) {
                again = true;
                break;
            }
        repeat[i] = again;
    }
}

/* Keeps the first of equal elements; searches in what was kept so far. */
int unique_values(const int *v, int n, int *out)
{
    int k = 0;
    for (int i = 0; i < n; i++) { // truth: sequential
        int j = 0;
        while (j < k && out[j] != v[i]) // truth: parallel
            j++;
        if (j == k)
            out[k++] = v[i];
    }
    return k;
}
