// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Tabulates the solutions of Kepler's equation for a row of mean anomalies.
#include <math.h>
#include <stdlib.h>

#define TWO_PI 6.283185307179586

static double kepler(double mean, double ecc)
{
	double lo = 0.0, hi = TWO_PI;

	while (hi - lo > 1e-12) { // truth: sequential
		double mid = 0.5 * (lo + hi);
		if (mid - ecc * sin(mid) < mean)
			lo = mid;
		else
			hi = mid;
	}
	return 0.5 * (lo + hi);
}

double *kepler_table(double ecc, int entries)
{
	double *t;
	int i = 0;

	if (entries <= 0 || ecc < 0.0 || ecc >= 1.0)
		return NULL;
	t = malloc((size_t)entries * sizeof(double));
	if (!t)
		return NULL;
	while (i < entries) { // truth: parallel
		t[i] = kepler(TWO_PI * i / entries, ecc);
		i++;
	}
	return t;
}

/* Starts every solution from the one before it. */
void kepler_follow(double *t, double ecc, int entries)
{
	double e = 0.0;
	int i = 0;

	while (i < entries) { // truth: sequential
		double m = TWO_PI * i / entries;
		int k = 5;
		while (k-- > 0) // truth: sequential
			e -= (e - ecc * sin(e) - m) / (1.0 - ecc * cos(e));
		t[i++] = e;
	}
}

double largest_gap(const double *a, const double *b, int n)
{
	double gap = 0.0;
	while (n--) // truth: parallel
		gap = fmax(gap, fabs(a[n] - b[n]));
	return gap;
}
