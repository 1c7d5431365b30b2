// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Macros that expand to loops.
#include <stddef.h>

#define FOR_EACH(type, it, arr, n) for (type *it = (arr), *it##_end = it + (n); it != it##_end; ++it)
#define UPTO(i, n)                 for (int i = 0; i < (n); i++)
#define DOWN_FROM(i, n)            for (int i = (n) - 1; i >= 0; i--)

typedef struct { float w, h; int cells; } box;

float total_area(const box *boxes, int n)
{
    float area = 0.0f;
    FOR_EACH(const box, b, boxes, n) // truth: parallel
        area += b->w * b->h;
    return area;
}

void scale_boxes(box *boxes, int n, float f)
{
    FOR_EACH(box, b, boxes, n) { // truth: parallel
        b->w *= f;
        b->h *= f;
    }
}

void outer_product(const float *a, const float *b, float *m, int rows, int cols)
{
    UPTO(r, rows) // truth: parallel
        UPTO(c, cols) // truth: parallel
            m[r * cols + c] = a[r] * b[c];
}

/* Widths to positions of right edges. */
void right_edges(const box *boxes, int n, float *edge)
{
    float x = 0.0f;
    UPTO(i, n) { // truth: scan
        x += boxes[i].w;
        edge[i] = x;
    }
}

/* Heights may not be less than half of the height of the box on the right. */
void support(box *boxes, int n)
{
    DOWN_FROM(i, n - 1) { // truth: sequential
        if (boxes[i].h < 0.5f * boxes[i + 1].h)
            boxes[i].h = 0.5f * boxes[i + 1].h;
        boxes[i].cells = (int)boxes[i].h + boxes[i + 1].cells / 2;
    }
}
