//! whole
#define T long
#define INTEGER
#include "constructs_type.h"
