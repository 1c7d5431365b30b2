//! whole
#define T double _Complex
#include "constructs_complex.h"
