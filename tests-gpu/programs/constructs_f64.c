//! whole
#define T double
#include "constructs_type.h"
