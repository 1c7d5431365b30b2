// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Sorts results into classes with chains of conditions.
#include <stdio.h>
#include <stdlib.h>

enum { CLASSES = 5 };

static int classify(int points)
{
	if (points >= 90) return 0;
	else if (points >= 75) return 1;
	else if (points >= 60) return 2;
	else if (points >= 50) return 3;
	return 4;
}

void histogram(const int *points, int n, int count[CLASSES])
{
	for (int k = 0; k < CLASSES; k++) // truth: parallel
		count[k] = 0;
	for (int i = 0; i < n; i++) // truth: parallel
		count[classify(points[i])]++;
}

/* Best result of each class and the student who has it. */
int *class_best(const int *points, int n)
{
	int *best = malloc(CLASSES * sizeof *best);
	if (best == NULL)
		return NULL;
	for (int k = 0; k < CLASSES; k++) { // truth: parallel
		int at = -1, top = -1;
		for (int i = 0; i < n; i++) { // truth: parallel
			if (classify(points[i]) != k)
				continue;
			if (points[i] > top) {
				top = points[i];
				at = i;
			}
		}
		best[k] = at;
	}
	return best;
}

void print_histogram(FILE *f, const int count[CLASSES])
{
	for (int k = 0; k < CLASSES; k++) { // truth: sequential
		fprintf(f, "%d |", k + 1);
		for (int c = 0; c < count[k]; c++) // truth: sequential
			fputc('*', f);
		fputc('\n', f);
	}
}

/* Bonus points until the pool is empty; good results come first. */
int give_bonus(int *points, int n, int pool)
{
	for (int i = 0; i < n && pool > 0; i++) { // truth: sequential
		int b = classify(points[i]) == 0 ? 2 : 1;
		if (b > pool)
			b = pool;
		points[i] += b;
		pool -= b;
	}
	return pool;
}
