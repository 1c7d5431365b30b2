//! whole
// Reduction operators over one type, under every schedule, and in nested regions.
#include "constructs.h"

#define OPERATOR(...) CHECK(__VA_ARGS__) MORE(__VA_ARGS__)
OPERATOR(short, max_i16, max, GREATER, smaller, -90)
OPERATOR(unsigned, and_u32, &, AND, bits, 63)
OPERATOR(unsigned char, or_u8, |, OR, bits, 64)
static void (*const cases[])(int) = {max_i16_more, and_u32_more, or_u8_more};

int main(void) { return RUN(cases); }
