// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Finds the nearest palette colour for pixels and moves the palette.
#include <limits.h>
#include <stdint.h>

typedef struct { uint8_t r, g, b; } rgb;

static int distance(rgb a, rgb b)
{
	int dr = a.r - b.r, dg = a.g - b.g, db = a.b - b.b;
	return 2 * dr * dr + 4 * dg * dg + 3 * db * db;
}

static int nearest(const rgb *palette, int colours, rgb px)
{
	int best = 0, least = INT_MAX;

	for (int c = 0; c < colours; c++) { // truth: parallel
		int d = distance(palette[c], px);
		if (d < least) {
			least = d;
			best = c;
		}
	}
	return best;
}

void map_pixels(const rgb *px, int n, const rgb *palette, int colours, uint8_t *out)
{
	for (int i = 0; i < n; i++) // truth: parallel
		out[i] = (uint8_t)nearest(palette, colours, px[i]);
}

/* Every pixel draws its colour a little closer, so order matters. */
void train_palette(const rgb *px, int n, rgb *palette, int colours)
{
	for (int i = 0; i < n; i++) { // truth: sequential
		rgb *c = &palette[nearest(palette, colours, px[i])];
		c->r = (uint8_t)(c->r + (px[i].r - c->r) / 8);
		c->g = (uint8_t)(c->g + (px[i].g - c->g) / 8);
		c->b = (uint8_t)(c->b + (px[i].b - c->b) / 8);
	}
}

int colours_used(const uint8_t *index, int n, int colours)
{
	int uses[256] = { 0 }, used = 0;

	for (int i = 0; i < n; i++) // truth: parallel
		uses[index[i]]++;
	for (int c = 0; c < colours && c < 256; c++) // truth: parallel
		used += uses[c] != 0;
	return used;
}
