//! note With the header, clang defines the same functions, weak, in the program; the two get along.
#include <complex.h>
#include "complex.c"
