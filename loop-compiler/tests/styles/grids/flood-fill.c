// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Region labels of a binary image with row pointers: flood fill with a stack, areas, bounding box of one label.
#include <stdlib.h>

typedef struct { int x, y; } pt;
typedef struct { int x0, y0, x1, y1; } box;

static long flood(unsigned char **img, int **lab, int w, int h, int x, int y, int id, pt *stack)
{
    static const int dx[4] = { 1, -1, 0, 0 }, dy[4] = { 0, 0, 1, -1 };
    long top = 0, area = 0;

    stack[top++] = (pt){ x, y };
    lab[y][x] = id;
    while (top > 0) { // truth: sequential
        pt p = stack[--top];
        area++;
        for (int k = 0; k < 4; k++) { // truth: scan
            const int u = p.x + dx[k], v = p.y + dy[k];
            if (u < 0 || v < 0 || u >= w || v >= h || !img[v][u] || lab[v][u])
                continue;
            lab[v][u] = id;
            stack[top++] = (pt){ u, v };
        }
    }
    return area;
}

int label_regions(unsigned char **img, int **lab, int w, int h, long *area, int max)
{
    int count = 0;
    pt *stack = malloc((size_t)w * (size_t)h * sizeof *stack);
    if (!stack)
        return -1;
    for (int y = 0; y < h; y++) // truth: parallel
        for (int x = 0; x < w; x++) // truth: parallel
            lab[y][x] = 0;
    for (int y = 0; y < h; y++) // truth: sequential
        for (int x = 0; x < w; x++) // truth: sequential
            if (img[y][x] && !lab[y][x] && count < max) {
                area[count] = flood(img, lab, w, h, x, y, count + 1, stack);
                count++;
            }
    free(stack);
    return count;
}

box label_box(int *const *lab, int w, int h, int id)
{
    box b = { w, h, -1, -1 };
    for (int y = 0; y < h; y++) // truth: parallel
        for (int x = 0; x < w; x++) { // truth: parallel
            if (lab[y][x] != id)
                continue;
            b.x0 = x < b.x0 ? x : b.x0;
            b.x1 = x > b.x1 ? x : b.x1;
            b.y0 = y < b.y0 ? y : b.y0;
            b.y1 = y > b.y1 ? y : b.y1;
        }
    return b;
}
