//! whole
// Reduction operators over one type, under every schedule, and in nested regions.
#include "constructs.h"

#define OPERATOR(...) CHECK(__VA_ARGS__) MORE(__VA_ARGS__)
OPERATOR(unsigned long, xor_u64, ^, XOR, bits, 128)
OPERATOR(signed char, both_i8, &&, BOTH, truth, 1)
OPERATOR(int, either_i32, ||, EITHER, untruth, 0)
static void (*const cases[])(int) = {xor_u64_more, both_i8_more, either_i32_more};

int main(void) { return RUN(cases); }
