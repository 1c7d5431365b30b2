#define ATOMIC
#define SCHEDULE schedule(guided)
#include "promoted.c"
