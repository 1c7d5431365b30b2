// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Checksums for the verification of results: sum, exclusive or, Fletcher, polynomial hash, FNV, weighted sum.
#include <stddef.h>
#include <stdint.h>

uint64_t sum_words(const uint32_t *p, size_t n)
{
    uint64_t s = 0;
    while (n--) // truth: parallel
        s += *p++;
    return s;
}

uint32_t xor_words(const uint32_t *p, size_t n)
{
    uint32_t x = 0;
    for (size_t i = 0; i < n; ++i) // truth: parallel
        x ^= p[i] << (i % 7) ^ p[i] >> 3;
    return x;
}

uint32_t fletcher(const uint8_t *p, size_t n)
{
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < n; ++i) { // truth: scan
        a = (a + p[i]) % 65521u;
        b = (b + a) % 65521u;
    }
    return b << 16 | a;
}

uint32_t polynomial(const uint8_t *p, size_t n)
{
    uint32_t h = 5381;
    for (size_t i = 0; i < n; ++i) // truth: scan
        h = h * 33u + p[i];
    return h;
}

uint32_t fnv1a(const uint8_t *p, size_t n)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < n; ++i) { // truth: sequential
        h ^= p[i];
        h *= 16777619u;
    }
    return h;
}

double weighted(const double *x, size_t n)
{
    double s = 0.0;
    for (size_t i = 0; i < n; ++i) // truth: parallel
        s += x[i] * (double)(i % 1000 + 1);
    return s;
}

/* The sum so far takes part in the test. */
double saturating(const double *x, size_t n, double limit)
{
    double s = 0.0;
    for (size_t i = 0; i < n; ++i) // truth: sequential
        s += s + x[i] > limit ? 0.0 : x[i];
    return s;
}
