// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Walks linked nodes and copies their payload into arrays.
#include <stddef.h>
#include <stdlib.h>

typedef struct node node;
struct node {
	node *next;
	double weight;
	int id;
};

size_t list_length(const node *head)
{
	size_t n = 0;
	for (const node *p = head; p; p = p->next) // truth: sequential
		n++;
	return n;
}

double *list_weights(const node *head, size_t *count)
{
	size_t n = list_length(head);
	double *w = malloc((n ? n : 1) * sizeof *w);
	if (!w)
		return NULL;

	double *out = w;
	while (head) { // truth: sequential
		*out++ = head->weight;
		head = head->next;
	}

	double total = 0.0;
	for (const double *p = w; p < w + n; p++) // truth: parallel
		total += *p;
	if (total > 0.0)
		for (double *p = w; p < w + n; p++) // truth: parallel
			*p /= total;
	*count = n;
	return w;
}

/* Links the elements of a pool into one free list. */
node *pool_init(node *pool, size_t n)
{
	if (n == 0)
		return NULL;
	node *const last = pool + n - 1;
	for (node *p = pool; p < last; p++) { // truth: parallel
		p->next = p + 1;
		p->id = (int)(p - pool);
		p->weight = 0.0;
	}
	last->next = NULL;
	last->id = (int)(n - 1);
	last->weight = 0.0;
	return pool;
}

void list_free(node *head)
{
	while (head != NULL) { // truth: sequential
		node *next = head->next;
		free(head);
		head = next;
	}
}
