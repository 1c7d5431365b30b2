//! whole
#define T unsigned long
#define INTEGER
#include "constructs_type.h"
