// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Flood fill with an explicit stack.
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

enum { EMPTY = 0, WALL = 1, FILLED = 2 };

static bool fillable(const unsigned char *map, int w, int h, int x, int y)
{
    return x >= 0 && y >= 0 && x < w && y < h && map[(size_t)y * w + x] == EMPTY;
}

/* Returns how many cells were filled, or -1 without memory. */
long fill_from(unsigned char *map, int w, int h, int x, int y)
{
    static const int step[4][2] = { { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 } };
    long filled = 0;
    int top = 0;

    if (!fillable(map, w, h, x, y))
        return 0;
    int *stack = malloc(sizeof *stack * (size_t)w * h);
    if (stack == NULL)
        return -1;
    stack[top++] = y * w + x;
    map[(size_t)y * w + x] = FILLED;

    while (top > 0) { // truth: sequential
        int at = stack[--top];
        int d = 0;
        filled++;
        while (d < 4) { // truth: sequential
            int nx = at % w + step[d][0], ny = at / w + step[d][1];
            d++;
            if (!fillable(map, w, h, nx, ny))
                continue;
            map[(size_t)ny * w + nx] = FILLED;
            stack[top++] = ny * w + nx;
        }
    }
    free(stack);
    return filled;
}

void clear_fill(unsigned char *map, size_t cells)
{
    size_t i = 0;
    while (i < cells) { // truth: parallel
        if (map[i] == FILLED)
            map[i] = EMPTY;
        i++;
    }
}

size_t count_walls(const unsigned char *map, size_t cells)
{
    size_t walls = 0;
    while (cells--) // truth: parallel
        if (map[cells] == WALL)
            ++walls;
    return walls;
}
