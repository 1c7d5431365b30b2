// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Validates index lists, meshes and tables before they are used.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum mesh_error { MESH_OK, MESH_RANGE, MESH_DEGENERATE, MESH_MEMORY };

typedef struct {
	uint32_t (*tri)[3];
	size_t triangles;
	size_t vertices;
} mesh;

enum mesh_error mesh_check(const mesh *m)
{
	const size_t n = m->triangles;

	for (size_t t = 0; t < n; t++) { // truth: parallel
		const uint32_t *v = m->tri[t];
		for (int k = 0; k < 3; k++) // truth: parallel
			if (v[k] >= m->vertices)
				return MESH_RANGE;
		if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0])
			return MESH_DEGENERATE;
	}
	return MESH_OK;
}

/* Number of triangles at each vertex. */
enum mesh_error mesh_degrees(const mesh *m, uint16_t *degree)
{
	enum mesh_error err = mesh_check(m);
	if (err != MESH_OK)
		return err;
	for (size_t v = 0; v < m->vertices; v++) // truth: parallel
		degree[v] = 0;
	for (size_t t = 0; t < m->triangles; t++) { // truth: parallel
		degree[m->tri[t][0]]++;
		degree[m->tri[t][1]]++;
		degree[m->tri[t][2]]++;
	}
	return MESH_OK;
}

/* Converts the indices; stops at the first one that does not fit. */
size_t mesh_narrow(const mesh *m, uint16_t (*out)[3])
{
	size_t t;
	for (t = 0; t < m->triangles; t++) { // truth: sequential
		const uint32_t *v = m->tri[t];
		if ((v[0] | v[1] | v[2]) > 0xffff)
			break;
		out[t][0] = (uint16_t)v[0];
		out[t][1] = (uint16_t)v[1];
		out[t][2] = (uint16_t)v[2];
	}
	return t;
}

/* A permutation marks each place once; every step looks at the marks so far. */
int is_permutation(const uint32_t *p, uint32_t n, uint8_t *seen)
{
	for (uint32_t i = 0; i < n; i++) // truth: parallel
		seen[i] = 0;
	for (uint32_t i = 0; i < n; i++) { // truth: sequential
		if (p[i] >= n || seen[p[i]])
			return 0;
		seen[p[i]] = 1;
	}
	return 1;
}
