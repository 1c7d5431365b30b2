// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Prime numbers with a sieve and lists made from it.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* composite[i] becomes 1 for the numbers that are not prime. */
void sieve(uint8_t *composite, uint32_t n)
{
    memset(composite, 0, n);
    for (uint32_t p = 2; (uint64_t)p * p < n; p++) { // truth: sequential
        if (composite[p])
            continue;
        for (uint32_t m = p * p; m < n; m += p) // truth: parallel
            composite[m] = 1;
    }
}

uint32_t *list_primes(uint32_t n, uint32_t *count)
{
    uint32_t k = 0, total = 0;
    uint8_t *composite;
    uint32_t *list;

    if (n < 3 || (composite = malloc(n)) == NULL)
        return NULL;
    sieve(composite, n);
    for (uint32_t i = 2; i < n; i++) // truth: parallel
        total += !composite[i];
    list = malloc(total * sizeof *list);
    if (list != NULL) {
        for (uint32_t i = 2; i < n; i++) { // truth: scan
            if (!composite[i])
                list[k++] = i;
        }
        *count = k;
    }
    free(composite);
    return list;
}

/* Number of divisors of all numbers: harmonic steps. */
void divisor_counts(uint16_t *divisors, uint32_t n)
{
    memset(divisors, 0, n * sizeof *divisors);
    for (uint32_t d = 1; d < n; d++) // truth: parallel
        for (uint32_t m = d; m < n; m += d) // truth: parallel
            divisors[m]++;
}

uint32_t largest_gap(const uint32_t *prime, uint32_t count)
{
    uint32_t gap = 0;
    for (uint32_t i = 1; i < count; i++) { // truth: parallel
        uint32_t g = prime[i] - prime[i - 1];
        gap = g > gap ? g : gap;
    }
    return gap;
}
