// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Arithmetic on unsigned integers of many 32-bit limbs, the lowest limb first.
#include <stddef.h>
#include <stdint.h>

typedef uint32_t limb;

limb big_add(limb *r, const limb *a, const limb *b, size_t n)
{
    uint64_t carry = 0;

    while (n--) { // truth: sequential
        carry += (uint64_t)*a++ + *b++;
        *r++ = (limb)carry;
        carry >>= 32;
    }
    return (limb)carry;
}

limb big_div_small(limb *q, const limb *a, size_t n, limb d)
{
    uint64_t rest = 0;

    q += n;
    a += n;
    while (n-- > 0) { // truth: sequential
        rest = rest << 32 | *--a;
        *--q = (limb)(rest / d);
        rest %= d;
    }
    return (limb)rest;
}

void big_not(limb *a, size_t n)
{
    for (limb *p = a + n; p != a; ) { // truth: parallel
        --p;
        *p = ~*p;
    }
}

/* Shifts down by fewer than 32 bits into another number. */
void big_shift_down(limb *restrict r, const limb *restrict a, size_t n, unsigned bits)
{
    if (n == 0 || bits == 0 || bits > 31)
        return;
    const limb *top = a + n - 1;
    for (; a < top; a++) // truth: parallel
        *r++ = a[0] >> bits | a[1] << (32 - bits);
    *r = *a >> bits;
}

int big_compare(const limb *a, const limb *b, size_t n)
{
    a += n;
    b += n;
    while (n--) { // truth: parallel
        --a, --b;
        if (*a != *b)
            return *a < *b ? -1 : 1;
    }
    return 0;
}
