// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Bit sets of 64-bit words: union, count, iteration and parity.
#include <stddef.h>
#include <stdint.h>

typedef uint64_t word_t;

static unsigned bits_in(word_t w)
{
	unsigned c = 0;
	while (w) { // truth: sequential
		w &= w - 1;
		c++;
	}
	return c;
}

size_t set_count(const word_t *set, size_t words)
{
	size_t total = 0;
	while (words-- > 0) // truth: parallel
		total += bits_in(set[words]);
	return total;
}

void set_union(word_t *to, const word_t *from, size_t words)
{
	size_t i = 0;
	while (i < words) { // truth: parallel
		to[i] |= from[i];
		i++;
	}
}

/* Lists the members in ascending order. */
size_t set_members(const word_t *set, size_t words, uint32_t *out)
{
	size_t k = 0;
	uint32_t i = 0;
	while (i < 64 * words) { // truth: scan
		if (set[i / 64] >> (i % 64) & 1)
			out[k++] = i;
		i++;
	}
	return k;
}

int word_parity(word_t w)
{
	int b = 64, parity = 0;
	while (b-- > 0) // truth: parallel
		parity ^= (int)(w >> b & 1);
	return parity;
}

int set_disjoint(const word_t *a, const word_t *b, size_t words)
{
	while (words) { // truth: parallel
		words--;
		if (a[words] & b[words])
			return 0;
	}
	return 1;
}
