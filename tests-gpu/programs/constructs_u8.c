//! whole
//! modes O0 O2-lto
//! orders in-order random
#define T unsigned char
#define INTEGER
#include "constructs_type.h"
