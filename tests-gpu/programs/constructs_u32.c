//! whole
#define T unsigned
#define INTEGER
#include "constructs_type.h"
