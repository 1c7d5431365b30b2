//! whole
#define T unsigned short
#define INTEGER
#include "constructs_type.h"
