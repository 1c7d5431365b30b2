// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Reductions behind conditions: masked means, conditional maxima and limited sums.
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

double masked_mean(const double *v, const bool *mask, size_t n)
{
	double sum = 0.0;
	size_t count = 0;

	for (size_t i = 0; i < n; ++i) { // truth: parallel
		if (mask && !mask[i])
			continue;
		if (v[i] != v[i])
			continue;
		sum += v[i];
		++count;
	}
	return count ? sum / (double)count : NAN;
}

int peak_of_kind(const int *kind, const int *v, int n, int want)
{
	int peak = 0;
	bool any = false;

	for (int i = 0; i < n; ++i) // truth: parallel
		if (kind[i] == want) {
			any = true;
			if (v[i] > peak)
				peak = v[i];
		}
	return any ? peak : -1;
}

/* Sum with a limit that the sum itself decides about. */
double sum_up_to(const double *v, size_t n, double limit)
{
	double sum = 0.0;

	for (size_t i = 0; i < n; ++i) { // truth: sequential
		if (sum + v[i] > limit)
			continue;
		sum += v[i];
	}
	return sum;
}

/* The same variable with two operators. */
int alternate(const int *v, int n)
{
	int acc = 1;

	for (int i = 0; i < n; ++i) { // truth: sequential
		if (v[i] & 1)
			acc += v[i];
		else
			acc ^= v[i];
	}
	return acc;
}
