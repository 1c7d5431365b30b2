// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Box blur with running sums and with plain sums.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static inline int clampi(int v, int lo, int hi)
{
    return v < lo ? lo : v > hi ? hi : v;
}

/* One row: the sum gains a pixel on the right and loses one on the left. */
static void blur_row(const uint8_t *in, uint8_t *out, int w, int r)
{
    int sum = 0;
    const int width = 2 * r + 1;

    for (int k = -r; k <= r; k++) // truth: parallel
        sum += in[clampi(k, 0, w - 1)];
    for (int x = 0; x < w; x++) { // truth: scan
        out[x] = (uint8_t)(sum / width);
        sum += in[clampi(x + r + 1, 0, w - 1)] - in[clampi(x - r, 0, w - 1)];
    }
}

void blur_rows(const uint8_t *in, uint8_t *out, int w, int h, int r)
{
    for (int y = 0; y < h; y++) // truth: parallel
        blur_row(in + (size_t)y * w, out + (size_t)y * w, w, r);
}

/* Columns with a sum of its own for each of them. */
int blur_columns(const uint8_t *in, uint8_t *out, int w, int h, int r)
{
    int *sum = calloc((size_t)w, sizeof *sum);
    if (!sum)
        return -1;
    for (int k = -r; k <= r; k++) { // truth: parallel
        const uint8_t *row = in + (size_t)clampi(k, 0, h - 1) * w;
        for (int x = 0; x < w; x++) // truth: parallel
            sum[x] += row[x];
    }
    for (int x = 0; x < w; x++) { // truth: parallel
        int s = sum[x];
        for (int y = 0; y < h; y++) { // truth: scan
            out[(size_t)y * w + x] = (uint8_t)(s / (2 * r + 1));
            s += in[(size_t)clampi(y + r + 1, 0, h - 1) * w + x];
            s -= in[(size_t)clampi(y - r, 0, h - 1) * w + x];
        }
    }
    free(sum);
    return 0;
}

/* In place: the left neighbour is blurred already. */
void blur_in_place(uint8_t *row, int w)
{
    for (int x = 1; x < w - 1; x++) // truth: sequential
        row[x] = (uint8_t)((row[x - 1] + 2 * row[x] + row[x + 1]) / 4);
}
