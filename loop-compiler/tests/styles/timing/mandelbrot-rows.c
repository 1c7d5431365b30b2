// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Timed escape-time picture with the time of each row, a total of the iterations and a text preview.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct view { double cx, cy, scale; int w, h, limit; };

static int escape(double re, double im, int limit)
{
    double x = 0, y = 0;
    int k;
    for (k = 0; k < limit; ++k) { // truth: sequential
        double xx = x * x, yy = y * y;
        if (xx + yy > 4.0)
            break;
        y = 2 * x * y + im;
        x = xx - yy + re;
    }
    return k;
}

static long picture(const struct view *v, int *out)
{
    long total = 0;
    for (int r = 0; r < v->h; ++r) { // truth: parallel
        const double im = v->cy + (r - v->h / 2) * v->scale;
        for (int c = 0; c < v->w; ++c) { // truth: parallel
            const int k = escape(v->cx + (c - v->w / 2) * v->scale, im, v->limit);
            out[r * v->w + c] = k;
            total += k;
        }
    }
    return total;
}

long picture_timed(const struct view *v, int *out, double *row_seconds)
{
    long total = 0;
    for (int r = 0; r < v->h; ++r) { // truth: sequential
        struct view one = { v->cx, v->cy + (r - v->h / 2) * v->scale, v->scale, v->w, 1, v->limit };
        const clock_t t = clock();
        total += picture(&one, out + r * v->w);
        row_seconds[r] = (double)(clock() - t) / CLOCKS_PER_SEC;
    }
    return total;
}

void picture_preview(const struct view *v, const int *out)
{
    for (int r = 0; r < v->h; r += 2) { // truth: sequential
        for (int c = 0; c < v->w; c++) // truth: sequential
            putchar(out[r * v->w + c] == v->limit ? '#' : '.');
        putchar('\n');
    }
}
