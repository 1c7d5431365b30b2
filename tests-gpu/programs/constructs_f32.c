//! whole
//! modes O0 O2-lto
//! orders in-order random
#define T float
#include "constructs_type.h"
