// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The usual ways to write a loop that counts down, on a framebuffer.
#include <stddef.h>
#include <stdint.h>

void fb_clear(uint32_t *px, unsigned n, uint32_t colour)
{
	while (n--) // truth: parallel
		px[n] = colour;
}

void fb_invert(uint32_t *px, int n)
{
	while (n-- > 0) // truth: parallel
		px[n] ^= 0x00ffffffu;
}

/* n is not zero */
void fb_copy(uint32_t *to, const uint32_t *from, unsigned n)
{
	do { // truth: parallel
		*to++ = *from++;
	} while (--n);
}

void fb_fade(uint32_t *px, size_t n)
{
	size_t i = 0;

	for (;;) { // truth: parallel
		if (i >= n)
			break;
		px[i] = (px[i] >> 1) & 0x007f7f7fu;
		i++;
	}
}

/* Scrolls by one pixel: each step reads what the next one overwrites. */
void fb_scroll(uint32_t *px, size_t n)
{
	size_t i = 0;

	if (n == 0)
		return;
	while (i < n - 1) { // truth: sequential
		px[i] = px[i + 1];
		++i;
	}
	px[i] = 0;
}

unsigned fb_lit(const uint32_t *px, size_t n)
{
	unsigned lit = 0;
	size_t left = n;

	if (left)
		do if (*px++ & 0x00ffffffu) lit++; while (--left); // truth: parallel
	return lit;
}
