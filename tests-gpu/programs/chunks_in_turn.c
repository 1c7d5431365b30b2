//! note Chunks of 64, the number of threads of a block, distributed to the teams round-robin.
//! options -DROUND_ROBIN
//! prints 1 16 79
#include "chunks.c"
