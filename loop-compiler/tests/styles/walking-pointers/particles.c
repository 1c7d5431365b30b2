// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Advances particles in a box and reports on them.
#include <math.h>
#include <stddef.h>
#include <stdio.h>

typedef struct particle {
	float x, y, z;
	float vx, vy, vz;
	float mass;
	int   hits;
} particle;

static void bounce(float *pos, float *vel, float limit, int *hits)
{
	if (*pos < 0.0f) {
		*pos = -*pos;
		*vel = -*vel;
		++*hits;
	} else if (*pos > limit) {
		*pos = 2.0f * limit - *pos;
		*vel = -*vel;
		++*hits;
	}
}

void particles_step(particle *first, size_t count, float dt, float box)
{
	particle *const last = first + count;

	for (particle *p = first; p < last; p++) { // truth: parallel
		p->x += p->vx * dt;
		p->y += p->vy * dt;
		p->z += p->vz * dt;
		bounce(&p->x, &p->vx, box, &p->hits);
		bounce(&p->y, &p->vy, box, &p->hits);
		bounce(&p->z, &p->vz, box, &p->hits);
	}
}

double particles_energy(const particle *p, size_t count, float *fastest)
{
	double sum = 0.0;
	float  top = 0.0f;

	while (count-- > 0) { // truth: parallel
		float sq = p->vx * p->vx + p->vy * p->vy + p->vz * p->vz;
		sum += 0.5 * p->mass * sq;
		top = fmaxf(top, sq);
		p++;
	}
	*fastest = sqrtf(top);
	return sum;
}

void particles_dump(FILE *f, const particle *p, const particle *end)
{
	int line = 0;
	while (p != end) { // truth: sequential
		fprintf(f, "%d: %g %g %g\n", ++line, p->x, p->y, p->z);
		++p;
	}
}
