//! whole
#define T int
#define INTEGER
#include "constructs_type.h"
