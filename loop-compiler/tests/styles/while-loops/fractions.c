// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Reduces fractions to lowest terms and adds them up.
#include <stdint.h>
#include <stdio.h>

typedef struct { int64_t num, den; } fraction;

static int64_t gcd(int64_t a, int64_t b)
{
    if (a < 0) a = -a;
    if (b < 0) b = -b;
    while (b != 0) { // truth: sequential
        int64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

static fraction lowest(fraction f)
{
    int64_t g = gcd(f.num, f.den);
    if (g > 1) {
        f.num /= g;
        f.den /= g;
    }
    return f;
}

void reduce_all(fraction *f, int count)
{
    int i = 0;
    while (i < count) { // truth: parallel
        f[i] = lowest(f[i]);
        i++;
    }
}

/* Every step reduces the sum so far. */
fraction add_all(const fraction *f, int count)
{
    fraction sum = { 0, 1 };
    while (count-- > 0) { // truth: sequential
        sum.num = sum.num * f->den + f->num * sum.den;
        sum.den *= f->den;
        sum = lowest(sum);
        f++;
    }
    return sum;
}

int check_denominators(const fraction *f, int count)
{
    int i = 0;
    while (i < count && f[i].den != 0) // truth: parallel
        i++;
    if (i < count)
        fprintf(stderr, "fraction %d has no denominator\n", i);
    return i == count;
}
