#define ATOMIC
#define SCHEDULE schedule(runtime)
#include "promoted.c"
