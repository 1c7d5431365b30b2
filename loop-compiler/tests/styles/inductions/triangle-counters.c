// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Pairs of bodies numbered by triangular counters.
#include <math.h>
#include <stddef.h>

typedef struct body { double x, y, mass; } body;

/* Distances of all pairs i > j; the row of body i starts at i (i - 1) / 2. */
void pair_distances(const body *b, int n, double *dist)
{
    int start = 0;
    for (int i = 0; i < n; i++) { // truth: parallel
        for (int j = 0; j < i; j++) // truth: parallel
            dist[start + j] = hypot(b[i].x - b[j].x, b[i].y - b[j].y);
        start += i;
    }
}

void triangular_numbers(long *t, int n)
{
    long k = 0;
    for (int i = 0; i < n; i++) { // truth: parallel
        k = k + i;
        t[i] = k;
    }
}

/* Square numbers from odd steps. */
void square_marks(unsigned char *mark, int count)
{
    int s = 0, step = 1;
    for (int i = 0; i < count; i++) { // truth: parallel
        mark[s] = 1;
        s += step;
        step += 2;
    }
}

double potential(const body *b, int n, const double *dist)
{
    double e = 0.0;
    size_t k = 0;
    for (int i = 1; i < n; i++) { // truth: parallel
        for (int j = 0; j < i; j++, k++) { // truth: parallel
            if (dist[k] > 0.0)
                e -= b[i].mass * b[j].mass / dist[k];
        }
    }
    return e;
}

/* The masses decide where the next group begins. */
int group_starts(const body *b, int n, int *start)
{
    int groups = 0, i = 0;
    while (i < n) { // truth: sequential
        start[groups++] = i;
        i += b[i].mass > 1.0 ? 2 : 1;
    }
    return groups;
}
