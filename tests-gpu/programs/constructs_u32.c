//! whole
//! modes O0 O2-lto
//! orders in-order random
#define T unsigned
#define INTEGER
#include "constructs_type.h"
