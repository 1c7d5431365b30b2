//! note Chunks of 64, the threads of a block; a team has the next one after the last of all teams.
//! options -DROUND_ROBIN
//! prints 1 16 79
#include "chunks.c"
