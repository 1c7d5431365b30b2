// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Decodes, measures and checks UTF-8 text.
#include <stddef.h>
#include <stdint.h>

static inline int is_tail(unsigned char c) { return (c & 0xC0) == 0x80; }

/* Number of code points: bytes that start one. */
size_t utf8_count(const char *text, size_t bytes)
{
    const unsigned char *p = (const unsigned char *)text;
    size_t n = 0;
    for (const unsigned char *e = p + bytes; p < e; p++) // truth: parallel
        if (!is_tail(*p))
            n++;
    return n;
}

/* Position of the first byte that is not ASCII. */
size_t ascii_prefix(const char *text, size_t bytes)
{
    const char *p = text, *e = text + bytes;
    while (p != e && (unsigned char)*p < 0x80) // truth: parallel
        ++p;
    return (size_t)(p - text);
}

size_t utf8_decode(const char *text, size_t bytes, uint32_t *out)
{
    const unsigned char *p = (const unsigned char *)text;
    const unsigned char *end = p + bytes;
    uint32_t *o = out;

    while (p < end) { // truth: sequential
        uint32_t c = *p++;
        int tails = c >= 0xF0 ? 3 : c >= 0xE0 ? 2 : c >= 0xC0 ? 1 : 0;
        if (tails)
            c &= 0x3Fu >> tails;
        while (tails-- > 0 && p < end && is_tail(*p)) // truth: sequential
            c = c << 6 | (*p++ & 0x3Fu);
        *o++ = c;
    }
    return (size_t)(o - out);
}

/* Widens Latin-1 text: one code point per byte. */
void latin1_decode(const unsigned char *p, size_t n, uint32_t *out)
{
    while (n-- != 0) // truth: parallel
        *out++ = *p++;
}
