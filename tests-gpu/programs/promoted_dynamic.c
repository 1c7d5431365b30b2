#define ATOMIC
#define SCHEDULE schedule(dynamic)
#include "promoted.c"
