// A sum in two levels: shuffles in warps, shared memory in blocks; the last block adds the blocks' sums.
#include "check.h"

__device__ unsigned finished;

__device__ double sum_of_block(double value) {
  __shared__ double of_warps[32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int distance = 16; distance > 0; distance /= 2)
    value += __shfl_xor_sync(0xffffffff, value, distance);
  if (lane == 0)
    of_warps[warp] = value;
  __syncthreads();
  value = lane < static_cast<int>(blockDim.x / 32) ? of_warps[lane] : 0;
  for (int distance = 16; distance > 0; distance /= 2)
    value += __shfl_xor_sync(0xffffffff, value, distance);
  // The next call writes the array again.
  __syncthreads();
  return value;
}

__global__ void sum(const double *in, int n, volatile double *of_blocks, double *out) {
  __shared__ bool last;
  double value = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    value += in[i];
  value = sum_of_block(value);
  if (threadIdx.x == 0) {
    of_blocks[blockIdx.x] = value;
    __threadfence();
    last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (last) {
    value = 0;
    for (int i = threadIdx.x; i < static_cast<int>(gridDim.x); i += blockDim.x)
      value += of_blocks[i];
    value = sum_of_block(value);
    if (threadIdx.x == 0)
      *out = value;
  }
}

int main() {
  const int n = 12345;
  std::vector<double> host(n);
  double expected = 0;
  for (int i = 0; i < n; i++)
    expected += host[i] = i % 1000 - 300;
  DeviceBuffer<double> in(host), of_blocks(64), out(1);
  for (int threads : {32, 96, 256})
    for (int blocks : {1, 7, 40}) {
      sum<<<blocks, threads>>>(in, n, of_blocks.data, out);
      finish_launch();
      REQUIRE(out.host()[0] == expected);
    }
  std::printf("block_reduction: %.0f\n", expected);
}
