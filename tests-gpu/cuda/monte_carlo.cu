// Pi from pseudo-random points: each thread has its own generator; a vote counts the points of a warp.
#include "check.h"

__host__ __device__ unsigned next(unsigned &state) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

__host__ __device__ bool inside(unsigned &state) {
  unsigned long long x = next(state) >> 8, y = next(state) >> 8;
  return x * x + y * y < 1ull << 48;
}

__global__ void throw_points(unsigned long long *hits, int rounds) {
  unsigned state = (blockIdx.x * blockDim.x + threadIdx.x + 1) * 2654435761u;
  int of_warp = 0;
  for (int i = 0; i < rounds; i++)
    of_warp += __popc(__ballot_sync(0xffffffff, inside(state)));
  if (threadIdx.x % 32 == 0)
    atomicAdd(hits, static_cast<unsigned long long>(of_warp));
}

int main() {
  const int blocks = 6, threads = 96, rounds = 50;
  DeviceBuffer<unsigned long long> hits(1);
  CUDA(cudaMemset(hits, 0, sizeof(unsigned long long)));
  throw_points<<<blocks, threads>>>(hits, rounds);
  finish_launch();
  unsigned long long expected = 0;
  for (int thread = 0; thread < blocks * threads; thread++) {
    unsigned state = (thread + 1) * 2654435761u;
    for (int i = 0; i < rounds; i++)
      expected += inside(state);
  }
  REQUIRE(hits.host()[0] == expected);
  double pi = 4.0 * expected / (blocks * threads * rounds);
  REQUIRE(pi > 3.1 && pi < 3.2);
  std::printf("monte_carlo: %.3f\n", pi);
}
