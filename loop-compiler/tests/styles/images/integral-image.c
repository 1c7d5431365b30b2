// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Summed-area tables and means over windows.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* sums has one row and one column more than the image, both zero. */
void integral_direct(const uint8_t *img, int w, int h, uint64_t *sums)
{
    const size_t pitch = (size_t)w + 1;
    memset(sums, 0, pitch * sizeof *sums);
    for (int y = 0; y < h; y++) { // truth: sequential
        uint64_t *above = sums + y * pitch;
        uint64_t *row = above + pitch;
        uint64_t run = 0;
        row[0] = 0;
        for (int x = 0; x < w; x++) { // truth: scan
            run += img[(size_t)y * w + x];
            row[x + 1] = above[x + 1] + run;
        }
    }
}

/* The same in two passes: along the rows, then down the columns. */
void integral_two_pass(const uint8_t *img, int w, int h, uint64_t *sums)
{
    for (int y = 0; y < h; y++) { // truth: parallel
        uint64_t run = 0;
        for (int x = 0; x < w; x++) { // truth: scan
            run += img[(size_t)y * w + x];
            sums[(size_t)y * w + x] = run;
        }
    }
    for (int x = 0; x < w; x++) { // truth: parallel
        uint64_t run = 0;
        for (int y = 0; y < h; y++) { // truth: scan
            run += sums[(size_t)y * w + x];
            sums[(size_t)y * w + x] = run;
        }
    }
}

/* Mean around each pixel from four entries of the table with the border. */
void window_means(const uint64_t *sums, int w, int h, int r, uint8_t *out)
{
    const size_t pitch = (size_t)w + 1;
    for (int y = 0; y < h; y++) { // truth: parallel
        int y0 = y < r ? 0 : y - r, y1 = y + r + 1 > h ? h : y + r + 1;
        for (int x = 0; x < w; x++) { // truth: parallel
            int x0 = x < r ? 0 : x - r, x1 = x + r + 1 > w ? w : x + r + 1;
            uint64_t s = sums[y1 * pitch + x1] - sums[y0 * pitch + x1]
                       - sums[y1 * pitch + x0] + sums[y0 * pitch + x0];
            out[(size_t)y * w + x] = (uint8_t)(s / (uint64_t)((y1 - y0) * (x1 - x0)));
        }
    }
}
