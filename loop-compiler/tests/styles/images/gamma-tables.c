// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Builds gamma and curve tables and applies them to images.
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define LEVELS 256

void build_gamma(uint8_t table[LEVELS], double gamma)
{
    for (int i = 0; i < LEVELS; ++i) // truth: parallel
        table[i] = (uint8_t)(255.0 * pow(i / 255.0, 1.0 / gamma) + 0.5);
}

/* Makes sure that a hand-drawn curve never falls. */
void make_monotone(uint8_t table[LEVELS])
{
    for (int i = 1; i < LEVELS; ++i) // truth: scan
        if (table[i] < table[i - 1])
            table[i] = table[i - 1];
}

/* table2 after table1 */
void compose(const uint8_t *table1, const uint8_t *table2, uint8_t *out)
{
    for (int i = 0; i < LEVELS; ++i) // truth: parallel
        out[i] = table2[table1[i]];
}

/* Smallest input for each output; several inputs may give the same output. */
void invert(const uint8_t *table, int *inverse)
{
    for (int i = 0; i < LEVELS; ++i) // truth: parallel
        inverse[i] = -1;
    for (int i = LEVELS - 1; i >= 0; --i) // truth: sequential
        inverse[table[i]] = i;
}

void apply_table(uint8_t *px, int w, int h, ptrdiff_t stride, const uint8_t table[LEVELS])
{
    for (int y = 0; y < h; ++y, px += stride) { // truth: parallel
        uint8_t *p = px, *end = px + w;
        while (p < end) { // truth: parallel
            *p = table[*p];
            ++p;
        }
    }
}

int apply_gamma(uint8_t *px, int w, int h, ptrdiff_t stride, double gamma)
{
    uint8_t table[LEVELS];
    if (!px || gamma <= 0.0)
        return EXIT_FAILURE;
    build_gamma(table, gamma);
    apply_table(px, w, h, stride, table);
    return EXIT_SUCCESS;
}
