// The operators over a complex type, T, in the most frequent constructs.
#include "constructs.h"

#pragma omp begin declare target
// Whole numbers, whose sums are exact in any order.
static inline double _Complex point(int i) { return smaller(i) + bits(i) * 1i; }
// Powers of i, sometimes with a factor: products of these are exact, too.
static inline double _Complex turn(int i) {
  return i % 61 == 7 ? 1 + 1i : i % 3 == 0 ? 1i : i % 7 == 0 ? -1 : 1;
}
// Values of which sometimes only one part is 0.
static inline double _Complex lit(int i) { return i % 50 != 49 ? i % 2 * 1i + (i + 1) % 2 : 0; }
static inline double _Complex unlit(int i) { return i % 50 == 49 ? 1i : 0; }
#pragma omp end declare target

#define OPERATOR(...) CHECK(__VA_ARGS__) MOST(__VA_ARGS__) MORE(__VA_ARGS__)
OPERATOR(T, add, +, ADD, point, 3 - 2i)
OPERATOR(T, multiply, *, MULTIPLY, turn, 5 + 1i)
OPERATOR(T, both, &&, BOTH, lit, 1)
OPERATOR(T, either, ||, EITHER, unlit, 0)

int main(void) {
  static void (*const cases[])(int) = {add, add_more, multiply, multiply_more, both, both_more, either, either_more};
  return RUN(cases);
}
