//! whole
#define T signed char
#define INTEGER
#include "constructs_type.h"
