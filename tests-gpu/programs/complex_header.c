//! note With the header, clang defines the same functions as weak ones in the program; there is no conflict.
#include <complex.h>
#include "complex.c"
