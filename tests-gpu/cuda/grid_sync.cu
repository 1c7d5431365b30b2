// Cooperative launches: all blocks meet several times; too many blocks are rejected.
#include "check.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

// Each round, every element becomes the sum of its neighbours' values in the round before.
__global__ void rounds(int *now, int *next, int n, int count) {
  cg::grid_group grid = cg::this_grid();
  for (int round = 0; round < count; round++) {
    for (int i = static_cast<int>(grid.thread_rank()); i < n; i += static_cast<int>(grid.size()))
      next[i] = now[(i + 1) % n] + now[(i + n - 1) % n];
    grid.sync();
    int *other = now;
    now = next;
    next = other;
  }
}

int main() {
  const int n = 1009, threads = 64, count = 6;
  int supported, per_multiprocessor, multiprocessors;
  CUDA(cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, 0));
  REQUIRE(supported == 1);
  CUDA(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, rounds, threads, 0));

  std::vector<int> host(n), other(n);
  for (int i = 0; i < n; i++)
    host[i] = i % 13;
  DeviceBuffer<int> a(host), b(n);
  int *now = a, *next = b, elements = n, times = count;
  void *arguments[] = {&now, &next, &elements, &times};
  for (int blocks : {1, 5, 9}) {
    CUDA(cudaMemcpy(a, host.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CUDA(cudaLaunchCooperativeKernel(reinterpret_cast<void *>(rounds), blocks, threads, arguments, 0, 0));
    finish_launch();
    std::vector<int> expected = host;
    for (int round = 0; round < count; round++) {
      for (int i = 0; i < n; i++)
        other[i] = expected[(i + 1) % n] + expected[(i + n - 1) % n];
      expected.swap(other);
    }
    REQUIRE(a.host() == expected);
  }
  int too_many = per_multiprocessor * multiprocessors + 1;
  cudaError_t error =
      cudaLaunchCooperativeKernel(reinterpret_cast<void *>(rounds), too_many, threads, arguments, 0, 0);
  REQUIRE(error == cudaErrorCooperativeLaunchTooLarge);
  REQUIRE(cudaGetLastError() == cudaErrorCooperativeLaunchTooLarge);
  CUDA(cudaDeviceSynchronize());
  std::puts("grid_sync: 6 rounds");
}
