//! whole
#define T unsigned char
#define INTEGER
#include "constructs_type.h"
