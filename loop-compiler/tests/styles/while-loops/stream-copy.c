// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Copies and converts streams of samples in blocks.
#include <stdint.h>
#include <stdio.h>

#define BLOCK 4096

/* Returns the number of bytes copied, or -1. */
long copy_inverted(FILE *in, FILE *out)
{
    unsigned char buf[BLOCK];
    size_t got;
    long total = 0;

    while ((got = fread(buf, 1, sizeof buf, in)) > 0) { // truth: sequential
        size_t i = 0;
        while (i < got) { // truth: parallel
            buf[i] = (unsigned char)~buf[i];
            i++;
        }
        if (fwrite(buf, 1, got, out) != got)
            return -1;
        total += (long)got;
    }
    return ferror(in) ? -1 : total;
}

int count_lines(FILE *f)
{
    int c, lines = 0;
    while ((c = getc(f)) != EOF) // truth: sequential
        if (c == '\n')
            lines++;
    return lines;
}

/* 24-bit little-endian samples to floats. */
size_t unpack24(const uint8_t *raw, size_t bytes, float *out)
{
    size_t k = 0;
    while (bytes >= 3) { // truth: parallel
        int32_t v = raw[0] | raw[1] << 8 | raw[2] << 16;
        if (v & 0x800000)
            v -= 0x1000000;
        out[k++] = (float)v / 8388608.0f;
        raw += 3;
        bytes -= 3;
    }
    return k;
}
