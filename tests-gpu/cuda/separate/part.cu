// The other file: variables, a device function, and functions of the host that copy the variables.
#include "../check.h"
#include "part.h"

__device__ int calls;
__constant__ int limits[3];

__device__ __noinline__ int transformed(int x) { return x * x + 3; }

void set_limits(const int *values) { CUDA(cudaMemcpyToSymbol(limits, values, sizeof limits)); }

int number_of_calls() {
  int count;
  CUDA(cudaMemcpyFromSymbol(&count, calls, sizeof count));
  return count;
}
