// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Walks a file image that consists of chunks of various sizes.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static uint32_t le32(const uint8_t *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* Offset of the first chunk with this tag, or the size of the image. */
size_t find_chunk(const uint8_t *img, size_t size, uint32_t tag)
{
	size_t at = 0;

	while (at + 8 <= size) { // truth: sequential
		uint32_t len = le32(img + at + 4);
		if (le32(img + at) == tag)
			return at;
		if (len > size - at - 8)
			break;
		at += 8 + len + (len & 1);
	}
	return size;
}

/* Fixed records of 12 bytes behind a header of 16 bytes. */
size_t read_table(const uint8_t *img, size_t size, uint32_t *key, uint32_t *value)
{
	size_t n = 0;

	for (size_t at = 16; at + 12 <= size; at += 12) { // truth: parallel
		key[n] = le32(img + at);
		value[n] = le32(img + at + 4) ^ le32(img + at + 8);
		n++;
	}
	return n;
}

/* Records aligned to a given size, a power of two. */
uint32_t sum_aligned(const uint8_t *img, size_t size, size_t align)
{
	uint32_t sum = 0;

	if (align < 4)
		return 0;
	for (size_t at = 0; at + align <= size; at += align) // truth: parallel
		sum += le32(img + at);
	return sum;
}

/* Skip list in the image: each entry holds the distance to the next. */
int count_entries(const uint8_t *img, size_t size)
{
	int n = 0;

	for (size_t at = 0; at < size && img[at] != 0; at += img[at]) // truth: sequential
		n++;
	return n;
}
