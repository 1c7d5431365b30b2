// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Writes numbers in decimal, sums their digits and reads them back.
#include <stddef.h>
#include <stdint.h>

static unsigned digit_sum(uint32_t v)
{
    unsigned s = 0;
    while (v > 0) { // truth: sequential
        s += v % 10;
        v /= 10;
    }
    return s;
}

size_t write_decimal(char *out, uint32_t v)
{
    char digits[10];
    size_t n = 0, i = 0;

    do { // truth: sequential
        digits[n++] = (char)('0' + v % 10);
        v /= 10;
    } while (v != 0);

    while (i < n) { // truth: parallel
        out[i] = digits[n - 1 - i];
        i++;
    }
    out[n] = '\0';
    return n;
}

void digit_sums(const uint32_t *v, unsigned *sum, size_t n)
{
    while (n) { // truth: parallel
        --n;
        sum[n] = digit_sum(v[n]);
    }
}

/* One record of 12 characters for each number. */
void write_column(const uint32_t *v, char (*field)[12], size_t n)
{
    size_t i = 0;
    for (;;) { // truth: parallel
        if (i == n)
            return;
        write_decimal(field[i], v[i]);
        i++;
    }
}

uint32_t read_decimal(const char **text)
{
    uint32_t v = 0;
    while (**text >= '0' && **text <= '9') { // truth: sequential
        v = v * 10 + (uint32_t)(**text - '0');
        ++*text;
    }
    return v;
}
