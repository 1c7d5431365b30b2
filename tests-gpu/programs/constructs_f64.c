//! whole
//! modes O0 O2-lto
//! orders in-order random
#define T double
#include "constructs_type.h"
