// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Disjoint sets as a forest of parent indices.
#include <stddef.h>
#include <stdint.h>

typedef struct {
	uint32_t *parent;
	uint32_t *size;
	uint32_t count;
} forest;

void forest_init(forest *f)
{
	uint32_t *parent = f->parent, *size = f->size;
	uint32_t n = f->count;

	while (n-- > 0) { // truth: parallel
		parent[n] = n;
		size[n] = 1;
	}
}

static uint32_t root_of(const uint32_t *parent, uint32_t v)
{
	while (parent[v] != v) // truth: sequential
		v = parent[v];
	return v;
}

void forest_join(forest *f, const uint32_t (*edge)[2], size_t edges)
{
	size_t e = 0;

	while (e < edges) { // truth: sequential
		uint32_t a = root_of(f->parent, edge[e][0]);
		uint32_t b = root_of(f->parent, edge[e][1]);
		e++;
		if (a == b)
			continue;
		if (f->size[a] < f->size[b]) {
			uint32_t t = a;
			a = b;
			b = t;
		}
		f->parent[b] = a;
		f->size[a] += f->size[b];
	}
}

/* The forest is only read here. */
void forest_labels(const uint32_t *parent, uint32_t n, uint32_t *label)
{
	uint32_t v = 0;
	while (v < n) { // truth: parallel
		label[v] = root_of(parent, v);
		v++;
	}
}

uint32_t forest_roots(const uint32_t *parent, uint32_t n)
{
	uint32_t roots = 0, v = 0;
	while (v < n) { // truth: parallel
		roots += parent[v] == v;
		++v;
	}
	return roots;
}
