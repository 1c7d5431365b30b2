// What the two files share.
#pragma once

extern __device__ int calls;
extern __constant__ int limits[3];
__device__ int transformed(int x);
void set_limits(const int *values);
int number_of_calls();
