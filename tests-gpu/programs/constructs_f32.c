//! whole
#define T float
#include "constructs_type.h"
