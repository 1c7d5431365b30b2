// Reductions over teams of records of all sizes and alignments, with fewer, as many and more teams than records. clang
// takes every struct of a record to be aligned to 8 bytes, so the runtime aligns them.
#include "check.h"

#pragma omp begin declare target
struct Vector {
  float x, y, z;
};
static inline Vector add(const Vector &a, const Vector &b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
struct Bounds {
  int low, high;
};
static inline Bounds join(const Bounds &a, const Bounds &b) {
  return {a.low < b.low ? a.low : b.low, a.high < b.high ? b.high : a.high};
}
#pragma omp end declare target
#pragma omp declare reduction(add : Vector : omp_out = add(omp_out, omp_in)) initializer(omp_priv = Vector{0, 0, 0})
#pragma omp declare reduction(join : Bounds : omp_out = join(omp_out, omp_in)) initializer(omp_priv = omp_orig)

static void records(int teams) {
  // One iteration for each of 32 threads; teams beyond these have none.
  const int n = teams * 32 - 5;
  Vector vector = {64, 1, 9};
#pragma omp target teams distribute parallel for num_teams(teams) thread_limit(32) reduction(add : vector)
  for (int i = 0; i < n; i++) vector = add(vector, Vector{(float)(i % 7), (float)(i & 1), 1});
  Bounds bounds = {50, 60};
  char bits = 64;
#pragma omp target teams distribute parallel for num_teams(teams) thread_limit(32) reduction(join : bounds) reduction(| : bits)
  for (int i = 0; i < n; i++) {
    bounds = join(bounds, Bounds{i % 101, i % 103});
    bits |= 1 << i % 5;
  }
  short narrow = 3;
  unsigned char parity = 5;
#pragma omp target teams distribute parallel for num_teams(teams) thread_limit(32) reduction(+ : narrow) reduction(^ : parity)
  for (int i = 0; i < n; i++) narrow += i % 3 == 0, parity ^= i;
  float first = 1, second = 2, third = 3;
#pragma omp target teams distribute parallel for num_teams(teams) thread_limit(32) reduction(+ : first, second, third)
  for (int i = 0; i < n; i++) first += i % 3, second += i % 5, third += 1;

  Vector sum = {64, 1, 9};
  Bounds all = {50, 60};
  int seen = 64, thirds = 3, odd = 5, a = 1, b = 2;
  for (int i = 0; i < n; i++) {
    sum = add(sum, Vector{(float)(i % 7), (float)(i & 1), 1});
    all = join(all, Bounds{i % 101, i % 103});
    seen |= 1 << i % 5, thirds += i % 3 == 0, odd ^= i & 255, a += i % 3, b += i % 5;
  }
  check("vector.x", vector.x, sum.x);
  check("vector.y", vector.y, sum.y);
  check("vector.z", vector.z, sum.z);
  check("bounds.low", bounds.low, all.low);
  check("bounds.high", bounds.high, all.high);
  check("bits", bits, seen);
  check("narrow", narrow, thirds);
  check("parity", parity, odd);
  check("first", first, a);
  check("second", second, b);
  check("third", third, n + 3);
}

// Regions of one thread, while the kernel has more.
static void one_thread(int n, bool parallel) {
  Vector vector = {64, 1, 9};
#pragma omp target map(tofrom : vector)
  {
#pragma omp parallel for if (parallel) reduction(add : vector)
    for (int i = 0; i < n; i++) vector = add(vector, Vector{(float)(i % 7), (float)(i & 1), 1});
  }
  Vector sum = {64, 1, 9};
  for (int i = 0; i < n; i++) sum = add(sum, Vector{(float)(i % 7), (float)(i & 1), 1});
  check("x in order", vector.x, sum.x);
  check("y in order", vector.y, sum.y);
  check("z in order", vector.z, sum.z);
}

int main() {
  one_thread(100, false);
  one_thread(100, true);
  // Of 1024 records of 12 bytes 768 are used.
  const int counts[] = {1, 5, 33, 767, 769, 1025};
  for (int teams : counts) records(teams);
  return report();
}
