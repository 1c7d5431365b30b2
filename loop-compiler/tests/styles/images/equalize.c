// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Histogram equalization of 8-bit images and thresholds from histograms.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static void histogram8(const uint8_t *px, size_t n, uint32_t hist[256])
{
	memset(hist, 0, 256 * sizeof hist[0]);
	for (size_t i = 0; i < n; i++) // truth: parallel
		hist[px[i]]++;
}

void equalize(uint8_t *px, size_t n)
{
	uint32_t hist[256], upto[256];
	uint32_t first = 0;
	uint8_t map[256];

	if (n == 0)
		return;
	histogram8(px, n, hist);

	upto[0] = hist[0];
	for (int v = 1; v < 256; v++) // truth: scan
		upto[v] = upto[v - 1] + hist[v];
	for (int v = 0; v < 256; v++) { // truth: parallel
		if (upto[v] != 0) {
			first = upto[v];
			break;
		}
	}
	if (first == n)
		return;
	for (int v = 0; v < 256; v++) // truth: parallel
		map[v] = upto[v] < first ? 0 :
			(uint8_t)((uint64_t)(upto[v] - first) * 255 / (n - first));
	for (size_t i = 0; i < n; i++) // truth: parallel
		px[i] = map[px[i]];
}

/* Smallest level with at least the given share of pixels at or below it. */
int percentile(const uint8_t *px, size_t n, double share)
{
	uint32_t hist[256], upto = 0;
	const double wanted = share * (double)n;

	histogram8(px, n, hist);
	for (int v = 0; v < 256; v++) { // truth: scan
		upto += hist[v];
		hist[v] = upto;
	}
	for (int v = 0; v < 256; v++) // truth: parallel
		if (hist[v] >= wanted)
			return v;
	return 255;
}
