//! whole
// Reduction operators over one type, under every schedule, and in nested regions.
#include "constructs.h"

#define OPERATOR(...) CHECK(__VA_ARGS__) MORE(__VA_ARGS__)
OPERATOR(double, add_f64, +, ADD, smaller, 3)
OPERATOR(long, multiply_i64, *, MULTIPLY, value, 5)
OPERATOR(float, min_f32, min, LESSER, smaller, 90)
static void (*const cases[])(int) = {add_f64_more, multiply_i64_more, min_f32_more};

int main(void) { return RUN(cases); }
