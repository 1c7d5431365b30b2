//! whole
// Local tables that nothing writes, which LLVM 22 replaces by constants in global memory: docs/pitfalls.md.
#include "each_construct.h"

typedef struct { short a; double b; } Pair;

static double look(const int *table, int i) { return table[i & 3]; }

static double bytes(int i) {
  const unsigned char table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
  return table[i & 7];
}
static double doubles(int i) {
  double table[5] = {0.5, 1.5, 2.25, 8, 16};
  return table[i % 5];
}
static double pairs(int i) {
  const Pair table[3] = {{1, 2.5}, {-7, 8}, {3, 4}};
  return table[i % 3].a + table[(i + 1) % 3].b;
}
static double grid(int i) {
  const float table[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
  return table[i % 3][i & 3];
}
static double argument(int i) {
  const int table[4] = {10, 20, 30, 40};
  return look(table, i) + look(table, i + 1);
}
static double changed(int i) {
  int table[4] = {10, 20, 30, 40};
  if (i % 3 == 0) table[i & 3] = i;
  return look(table, i) + look(table, i + 1);
}
static double kept(int i) {
  static const long table[4] = {1L << 40, 2, 3, -5};
  return table[i & 3];
}

int main(void) {
  static double out[N];
#define EACH(F)                                                                                                \
  LOOP(F);                                                                                                     \
  ALL(#F, F, )
  EACH(bytes);
  EACH(doubles);
  EACH(pairs);
  EACH(grid);
  EACH(argument);
  EACH(changed);
  EACH(kept);
  // In the region itself, and outside of its loop.
  for (int i = 0; i < N; i++) out[i] = bytes(i);
  compare("in the region", "host", out);
#pragma omp target teams distribute parallel for map(tofrom : out)
  for (int i = 0; i < N; i++) {
    const unsigned char table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
    out[i] = table[i & 7];
  }
  compare("in the region", "loop", out);
#pragma omp target teams map(tofrom : out)
  {
    const unsigned char table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
#pragma omp distribute parallel for
    for (int i = 0; i < N; i++) out[i] = table[i & 7];
  }
  compare("in the region", "teams", out);
#pragma omp target map(tofrom : out)
  {
    const unsigned char table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
#pragma omp parallel for
    for (int i = 0; i < N; i++) out[i] = table[i & 7];
  }
  compare("in the region", "target", out);
  return report();
}
