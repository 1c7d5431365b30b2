// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Loops that keep the previous value in a scalar.
#include <math.h>
#include <stddef.h>
#include <stdint.h>

void delta_encode(const int32_t *in, int32_t *out, size_t n)
{
	int32_t prev = 0;
	for (size_t i = 0; i < n; i++) { // truth: parallel
		int32_t cur = in[i];
		out[i] = cur - prev;
		prev = cur;
	}
}

void delta_decode(const int32_t *in, int32_t *out, size_t n)
{
	int32_t prev = 0;
	for (size_t i = 0; i < n; i++) { // truth: scan
		prev += in[i];
		out[i] = prev;
	}
}

/* The old value of the element before is in the array no more. */
void delta_in_place(int32_t *v, size_t n)
{
	int32_t prev = 0;
	for (size_t i = 0; i < n; i++) { // truth: sequential
		int32_t cur = v[i];
		v[i] = cur - prev;
		prev = cur;
	}
}

/* Median of three with two scalars that follow. */
void median3(const float *in, float *out, size_t n)
{
	if (n < 3)
		return;
	float a = in[0], b = in[1];
	for (size_t i = 2; i < n; i++) { // truth: parallel
		float c = in[i];
		out[i - 1] = fmaxf(fminf(a, b), fminf(fmaxf(a, b), c));
		a = b;
		b = c;
	}
}

/* Predicts from what the decoder would have: the coded value is rounded. */
void lossy_encode(const float *in, int *code, size_t n, float step)
{
	float predicted = 0.0f;
	for (size_t i = 0; i < n; i++) { // truth: sequential
		code[i] = (int)lrintf((in[i] - predicted) / step);
		predicted += (float)code[i] * step;
	}
}
