/* Gravity between bodies, by the velocity Verlet method; energy and momentum are conserved.
 * warpfold cc -O2 nbody.c -o nbody -lm && warpfold run ./nbody */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 96, STEPS = 6 };

typedef struct {
  double x, y, z;
} Vector;

#pragma omp begin declare target
static const double softening = 0.05;

static Vector pull(const Vector *at, const double *mass, int i) {
  Vector sum = {0, 0, 0};
  for (int j = 0; j < N; j++) {
    double x = at[j].x - at[i].x, y = at[j].y - at[i].y, z = at[j].z - at[i].z;
    double squared = x * x + y * y + z * z + softening * softening;
    double by = mass[j] / (squared * sqrt(squared));
    sum.x += by * x, sum.y += by * y, sum.z += by * z;
  }
  return sum;
}

/* The energy of body i: its kinetic energy, and half the potential energy of each of its pairs. */
static double energy_of(const Vector *at, const Vector *speed, const double *mass, int i) {
  Vector v = speed[i];
  double sum = 0.5 * mass[i] * (v.x * v.x + v.y * v.y + v.z * v.z);
  for (int j = 0; j < N; j++) {
    if (j == i) continue;
    double x = at[j].x - at[i].x, y = at[j].y - at[i].y, z = at[j].z - at[i].z;
    sum -= 0.5 * mass[i] * mass[j] / sqrt(x * x + y * y + z * z + softening * softening);
  }
  return sum;
}
#pragma omp end declare target

static double energy(const Vector *at, const Vector *speed, const double *mass) {
  double sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum)
  for (int i = 0; i < N; i++) sum += energy_of(at, speed, mass, i);
  return sum;
}

static void step(Vector *at, Vector *speed, const double *mass, double dt) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++) {
    Vector a = pull(at, mass, i);
    speed[i].x += dt / 2 * a.x, speed[i].y += dt / 2 * a.y, speed[i].z += dt / 2 * a.z;
  }
  /* A separate region, because bodies move after all forces are computed. */
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++)
    at[i].x += dt * speed[i].x, at[i].y += dt * speed[i].y, at[i].z += dt * speed[i].z;
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++) {
    Vector a = pull(at, mass, i);
    speed[i].x += dt / 2 * a.x, speed[i].y += dt / 2 * a.y, speed[i].z += dt / 2 * a.z;
  }
}

static double random_unit(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return (*state >> 8) / 16777216.0 - 0.5;
}

int main(void) {
  Vector at[N], speed[N];
  double mass[N];
  unsigned state = 7;
  for (int i = 0; i < N; i++) {
    at[i] = (Vector){random_unit(&state), random_unit(&state), random_unit(&state)};
    speed[i] = (Vector){random_unit(&state), random_unit(&state), random_unit(&state)};
    mass[i] = (1.5 + random_unit(&state)) / N;
  }
  double on_host = 0;
  for (int i = 0; i < N; i++) on_host += energy_of(at, speed, mass, i);

  double before, after, x = 0, y = 0, z = 0;
#pragma omp target data map(tofrom : at, speed) map(to : mass)
  {
    before = energy(at, speed, mass);
    for (int i = 0; i < STEPS; i++) step(at, speed, mass, 1e-3);
    after = energy(at, speed, mass);
#pragma omp target teams distribute parallel for reduction(+ : x, y, z) map(tofrom : x, y, z)
    for (int i = 0; i < N; i++) x += mass[i] * speed[i].x, y += mass[i] * speed[i].y, z += mass[i] * speed[i].z;
  }
  printf("energy %.6f, momentum %.6f %.6f %.6f\n", before, x, y, z);
  /* Sums in another order: within 1e-12. The method's error is of the order of the step squared. */
  int same = fabs(before - on_host) < 1e-12 * fabs(on_host), kept = fabs(after - before) < 1e-5 * fabs(before);
  printf("energy is the host's: %s; is kept: %s\n", same ? "yes" : "no", kept ? "yes" : "no");
  return !(same && kept);
}
