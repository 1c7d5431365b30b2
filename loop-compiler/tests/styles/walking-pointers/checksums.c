// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Checksums over byte buffers.
#include <stddef.h>
#include <stdint.h>

uint8_t xor_sum(const uint8_t *p, size_t len)
{
	uint8_t x = 0;
	while (len--) // truth: parallel
		x ^= *p++;
	return x;
}

/* Ones' complement sum of 16-bit words in network order. */
uint16_t inet_sum(const uint8_t *p, size_t len)
{
	uint64_t sum = 0;
	const uint8_t *even = p + (len & ~(size_t)1);

	for (; p < even; p += 2) // truth: parallel
		sum += (uint32_t)p[0] << 8 | p[1];
	if (len & 1)
		sum += (uint32_t)*p << 8;
	while (sum >> 16) // truth: sequential
		sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)~sum;
}

/* The second sum adds up the values of the first one. */
uint32_t fletcher(const uint8_t *p, size_t len)
{
	uint32_t a = 0, b = 0;
	const uint8_t *end = p + len;

	while (p != end) { // truth: scan
		a += *p++;
		b += a;
	}
	return (b & 0xffff) << 16 | (a & 0xffff);
}

static uint32_t crc_step(uint32_t crc, uint8_t byte)
{
	crc ^= byte;
	for (int k = 0; k < 8; k++) // truth: sequential
		crc = crc & 1 ? crc >> 1 ^ 0xEDB88320u : crc >> 1;
	return crc;
}

uint32_t crc32_of(const uint8_t *p, size_t len)
{
	uint32_t crc = ~0u;
	for (const uint8_t *end = p + len; p < end; p++) // truth: sequential
		crc = crc_step(crc, *p);
	return ~crc;
}

void crc32_blocks(const uint8_t *p, size_t block, size_t blocks, uint32_t *out)
{
	while (blocks--) { // truth: parallel
		*out++ = crc32_of(p, block);
		p += block;
	}
}
