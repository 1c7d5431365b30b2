// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Area, perimeter and tests of closed polygons; the last point precedes the first.
#include <math.h>
#include <stdbool.h>

struct pt { double x, y; };

double polygon_area(const struct pt *p, int n)
{
    double twice = 0.0;
    for (int i = 0, j = n - 1; i < n; j = i++) // truth: parallel
        twice += p[j].x * p[i].y - p[i].x * p[j].y;
    return 0.5 * twice;
}

double polygon_perimeter(const struct pt *p, int n)
{
    double len = 0.0;
    int prev = n - 1;
    for (int i = 0; i < n; i++) { // truth: parallel
        len += hypot(p[i].x - p[prev].x, p[i].y - p[prev].y);
        prev = i;
    }
    return len;
}

bool polygon_contains(const struct pt *p, int n, struct pt at)
{
    int crossings = 0;
    for (int i = 0, j = n - 1; i < n; j = i, i++) { // truth: parallel
        if ((p[i].y > at.y) == (p[j].y > at.y))
            continue;
        double x = (p[j].x - p[i].x) * (at.y - p[i].y) / (p[j].y - p[i].y) + p[i].x;
        if (at.x < x)
            crossings++;
    }
    return crossings & 1;
}

/* Midpoint of each edge into another polygon. */
void polygon_midpoints(const struct pt *restrict p, int n, struct pt *restrict out)
{
    struct pt last = p[n - 1];
    for (int i = 0; i < n; i++) { // truth: parallel
        struct pt cur = p[i];
        out[i].x = 0.5 * (last.x + cur.x);
        out[i].y = 0.5 * (last.y + cur.y);
        last = cur;
    }
}

/* Leaves out points close to the last one that was kept. */
int polygon_thin(const struct pt *p, int n, double gap, struct pt *out)
{
    int kept = 0, last = -1;
    for (int i = 0; i < n; i++) { // truth: sequential
        if (last >= 0 && hypot(p[i].x - p[last].x, p[i].y - p[last].y) < gap)
            continue;
        out[kept++] = p[i];
        last = i;
    }
    return kept;
}
