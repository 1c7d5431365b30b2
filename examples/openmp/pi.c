/* Pi by a Monte Carlo method; each point's coordinates are a hash of its number, so that the count does not
 * depend on the device.
 * warpfold cc -O2 pi.c -o pi && warpfold run ./pi [POINTS] */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#pragma omp begin declare target
static uint64_t hash(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

static int inside(uint64_t number) {
  uint64_t bits = hash(number), x = bits >> 32, y = bits & 0xffffffff;
  /* Sums of squares of 31 bits do not overflow. */
  x >>= 1, y >>= 1;
  return x * x + y * y < UINT64_C(1) << 62;
}
#pragma omp end declare target

int main(int argc, char **argv) {
  long points = argc > 1 ? atol(argv[1]) : 200000, hits = 0, expected = 0;
#pragma omp target teams distribute parallel for reduction(+ : hits)
  for (long i = 0; i < points; i++) hits += inside(i);
  for (long i = 0; i < points; i++) expected += inside(i);
  printf("%ld of %ld points: pi is about %.4f\n", hits, points, 4.0 * hits / points);
  printf("the host counts %s\n", hits == expected ? "the same" : "differently");
  return hits != expected;
}
