// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Indexed images: run-length coding, palette lookup and packing of pixels.
#include <stddef.h>
#include <stdint.h>

size_t rle_encode(const uint8_t *px, size_t n, uint8_t *out)
{
    size_t k = 0, i = 0;
    while (i < n) { // truth: sequential
        uint8_t v = px[i];
        size_t run = 1;
        while (i + run < n && run < 255 && px[i + run] == v) // truth: parallel
            run++;
        out[k++] = (uint8_t)run;
        out[k++] = v;
        i += run;
    }
    return k;
}

size_t rle_decode(const uint8_t *in, size_t len, uint8_t *px, size_t max)
{
    size_t n = 0;
    for (size_t i = 0; i + 1 < len; i += 2) { // truth: sequential
        unsigned run = in[i];
        if (run > max - n)
            break;
        for (unsigned r = 0; r < run; r++) // truth: parallel
            px[n++] = in[i + 1];
    }
    return n;
}

/* Number of runs: a pixel that differs from the one before it starts one. */
size_t count_runs(const uint8_t *px, size_t n)
{
    size_t runs = n > 0;
    for (size_t i = 1; i < n; i++) // truth: parallel
        runs += px[i] != px[i - 1];
    return runs;
}

void expand(const uint8_t *px, size_t n, const uint8_t (*palette)[3], uint8_t *rgb)
{
    for (size_t i = 0; i < n; i++) { // truth: parallel
        const uint8_t *c = palette[px[i]];
        rgb[0] = c[0];
        rgb[1] = c[1];
        rgb[2] = c[2];
        rgb += 3;
    }
}

/* Eight pixels of one bit into each byte, the first one on top. */
void pack_bits(const uint8_t *px, size_t bytes, uint8_t *out)
{
    for (size_t b = 0; b < bytes; b++) { // truth: parallel
        uint8_t acc = 0;
        for (int k = 0; k < 8; k++) // truth: parallel
            acc |= (uint8_t)((*px++ != 0) << (7 - k));
        *out++ = acc;
    }
}
