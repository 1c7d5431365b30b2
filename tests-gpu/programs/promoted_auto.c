#define ATOMIC
#define SCHEDULE schedule(auto)
#include "promoted.c"
