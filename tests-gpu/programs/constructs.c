// Every reduction operator over one type, in the most frequent constructs.
#include "constructs.h"

#define OPERATOR(...) CHECK(__VA_ARGS__) MOST(__VA_ARGS__)
OPERATOR(double, add_f64, +, ADD, smaller, 3)
OPERATOR(long, multiply_i64, *, MULTIPLY, value, 5)
OPERATOR(float, min_f32, min, LESSER, smaller, 90)
OPERATOR(short, max_i16, max, GREATER, smaller, -90)
OPERATOR(unsigned, and_u32, &, AND, bits, 63)
OPERATOR(unsigned char, or_u8, |, OR, bits, 64)
OPERATOR(unsigned long, xor_u64, ^, XOR, bits, 128)
OPERATOR(signed char, both_i8, &&, BOTH, truth, 1)
OPERATOR(int, either_i32, ||, EITHER, untruth, 0)
static void (*const cases[])(int) = {add_f64, multiply_i64, min_f32, max_i16, and_u32,
                                     or_u8,   xor_u64,      both_i8, either_i32};

int main(void) { return RUN(cases); }
