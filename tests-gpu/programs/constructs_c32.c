//! whole
//! fails O0 O0-lto because clang 22 moves 8 bytes at a time of variables that are aligned to 4
#define T float _Complex
#include "constructs_complex.h"
