// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Interleaves, separates and filters 16-bit stereo samples.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

void stereo_join(int16_t *out, const int16_t *left, const int16_t *right, size_t frames)
{
	while (frames--) { // truth: parallel
		*out++ = *left++;
		*out++ = *right++;
	}
}

void stereo_split(const int16_t *in, int16_t *left, int16_t *right, size_t frames)
{
	const int16_t *end = in + 2 * frames;

	for (; in < end; in += 2) { // truth: parallel
		*left++ = in[0];
		*right++ = in[1];
	}
}

void stereo_swap(int16_t *s, size_t frames)
{
	for (size_t i = 0; i < frames; ++i, s += 2) { // truth: parallel
		int16_t t = s[0];
		s[0] = s[1];
		s[1] = t;
	}
}

int stereo_peak(const int16_t *in, size_t frames)
{
	int peak = 0;

	if (!frames)
		return 0;
	do { // truth: parallel
		int a = abs(*in++);
		int b = abs(*in++);
		if (a > peak) peak = a;
		if (b > peak) peak = b;
	} while (--frames);
	return peak;
}

/* One-pole low-pass filter of one channel; the division truncates. */
void stereo_lowpass(int16_t *s, size_t frames, int divisor)
{
	int32_t state = 0;

	if (divisor < 1)
		divisor = 1;
	while (frames--) { // truth: sequential
		state += (*s - state) / divisor;
		*s = (int16_t)state;
		s += 2;
	}
}
