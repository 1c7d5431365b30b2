// Every operator over one type, T, in the most frequent constructs.
#include "constructs.h"

#define OPERATOR(...) CHECK(__VA_ARGS__) MOST(__VA_ARGS__)
OPERATOR(T, add, +, ADD, value, 3)
OPERATOR(T, multiply, *, MULTIPLY, value, 5)
OPERATOR(T, minimum, min, LESSER, bits, 99)
OPERATOR(T, maximum, max, GREATER, bits, 1)
OPERATOR(T, both, &&, BOTH, truth, 1)
OPERATOR(T, either, ||, EITHER, untruth, 0)
#ifdef INTEGER
OPERATOR(T, and, &, AND, bits, 63)
OPERATOR(T, or, |, OR, bits, 64)
OPERATOR(T, xor, ^, XOR, bits, 64)
#endif

int main(void) {
  static void (*const cases[])(int) = {
      add, multiply, minimum, maximum, both, either,
#ifdef INTEGER
      and, or, xor,
#endif
  };
  return RUN(cases);
}
