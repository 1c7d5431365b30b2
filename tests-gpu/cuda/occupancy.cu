// Occupancy: blocks of a multiprocessor, the best block size, and launches of that size.
#include "check.h"

__global__ void square(int *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] = i * i;
}

__global__ void with_shared(int *data) {
  extern __shared__ int values[];
  values[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = values[blockDim.x - 1 - threadIdx.x];
}

int main() {
  const int n = 5003;
  cudaDeviceProp device;
  CUDA(cudaGetDeviceProperties(&device, 0));
  int blocks, grid, threads;
  CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, square, 256, 0));
  REQUIRE(blocks == device.maxThreadsPerMultiProcessor / 256);
  CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, with_shared, 32, 40 << 10));
  REQUIRE(blocks >= 1 && static_cast<std::size_t>(blocks) <= device.sharedMemPerMultiprocessor / (40 << 10));
  CUDA(cudaOccupancyMaxPotentialBlockSize(&grid, &threads, square, 0, 0));
  REQUIRE(threads >= 32 && threads <= device.maxThreadsPerBlock && grid >= device.multiProcessorCount);
  int limited_grid, limited;
  CUDA(cudaOccupancyMaxPotentialBlockSize(&limited_grid, &limited, square, 0, 128));
  REQUIRE(limited <= 128);
  std::size_t shared;
  CUDA(cudaOccupancyAvailableDynamicSMemPerBlock(&shared, with_shared, 2, 64));
  REQUIRE(shared > 0 && 2 * shared <= device.sharedMemPerMultiprocessor);
  DeviceBuffer<int> data(n);
  square<<<blocks_for(n, threads), threads>>>(data, n);
  finish_launch();
  std::vector<int> host = data.host();
  for (int i = 0; i < n; i++)
    REQUIRE(host[i] == i * i);
  std::puts("occupancy: consistent");
}
