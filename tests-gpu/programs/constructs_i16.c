//! whole
#define T short
#define INTEGER
#include "constructs_type.h"
