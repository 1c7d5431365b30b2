// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Cleans measurement records, with forward jumps past the parts that do not apply.
#include <math.h>
#include <stdio.h>

typedef struct {
	double value;
	double error;
	int valid;
	int scale;
} record;

void clean_records(record *r, int n)
{
	int i;

	for (i = 0; i < n; i++) { // truth: parallel
		if (!r[i].valid)
			goto skip;
		if (r[i].scale == 0)
			goto scaled;
		r[i].value *= pow(10.0, r[i].scale);
		r[i].scale = 0;
scaled:
		if (r[i].error < 0.0)
			r[i].error = -r[i].error;
skip:		;
	}
}

/* Adds up weights; records without an error count with weight 1. */
double weighted_mean(const record *r, int n)
{
	double sum = 0.0, weights = 0.0;

	for (int i = 0; i < n; i++) { // truth: parallel
		double w = 1.0;
		if (!r[i].valid)
			goto next;
		if (r[i].error == 0.0)
			goto add;
		w = 1.0 / (r[i].error * r[i].error);
add:
		sum += w * r[i].value;
		weights += w;
next:		;
	}
	return weights > 0.0 ? sum / weights : 0.0;
}

/* Repairs records from the previous one; gives up at the first hopeless one. */
int repair_records(record *r, int n)
{
	for (int i = 1; i < n; i++) { // truth: sequential
		if (r[i].valid)
			continue;
		if (!r[i - 1].valid)
			goto hopeless;
		r[i].value = r[i - 1].value;
		r[i].error = 2.0 * r[i - 1].error;
		r[i].valid = 1;
	}
	return 0;
hopeless:
	fprintf(stderr, "no valid record to repair from\n");
	return -1;
}
