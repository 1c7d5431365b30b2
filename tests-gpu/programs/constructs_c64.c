//! whole
//! reports O2-lto data-race 17 because LLVM 22 lets all threads assign a variable of 16 bytes that one thread assigns
//! reports O2-lto data-race 20 because LLVM 22 lets all threads assign a variable of 16 bytes that one thread assigns
#define T double _Complex
#include "constructs_complex.h"
