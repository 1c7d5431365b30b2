// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Reads, adds to and writes records at given offsets of a byte buffer.
#include <stddef.h>
#include <stdint.h>

static uint32_t load_be32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void store_be32(uint8_t *p, uint32_t v)
{
    p[0] = (uint8_t)(v >> 24);
    p[1] = (uint8_t)(v >> 16);
    p[2] = (uint8_t)(v >> 8);
    p[3] = (uint8_t)v;
}

void records_read(const uint8_t *base, const uint32_t *offset, size_t n, uint32_t *value)
{
    const uint32_t *end = offset + n;
    while (offset < end) // truth: parallel
        *value++ = load_be32(base + *offset++);
}

/* Offsets may repeat: the last record wins. */
void records_write(uint8_t *base, const uint32_t *offset, size_t n, const uint32_t *value)
{
    while (n--) { // truth: sequential
        uint8_t *at = base + *offset++;
        store_be32(at, *value++);
    }
}

void totals_add(uint64_t *total, const uint16_t *group, const uint32_t *value, size_t n)
{
    while (n--) // truth: parallel
        total[*group++] += *value++;
}

/* Records of one size that lie one after the other. */
void records_pack(uint8_t *out, const uint32_t *value, size_t n)
{
    for (const uint32_t *v = value; v != value + n; v++) { // truth: parallel
        store_be32(out, *v);
        out += 4;
    }
}

/* Every record starts with its own size. */
size_t records_count(const uint8_t *p, const uint8_t *end)
{
    size_t n = 0;
    while (end - p >= 4) { // truth: sequential
        uint32_t size = load_be32(p);
        if (size < 4 || size > (size_t)(end - p))
            break;
        p += size;
        n++;
    }
    return n;
}
