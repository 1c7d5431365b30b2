// Launches by cudaLaunchKernelEx, with attributes, and by cudaLaunchKernel with an array of arguments.
#include "check.h"
#include <cooperative_groups.h>

struct Pair {
  char tag;
  double value;
};

__global__ void combine(double *out, Pair pair, short factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = pair.value * factor + pair.tag + i;
}

__global__ void meet(int *sums, int *out) {
  cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  if (threadIdx.x == 0)
    sums[blockIdx.x] = static_cast<int>(blockIdx.x) + 1;
  grid.sync();
  if (grid.thread_rank() == 0) {
    int sum = 0;
    for (int i = 0; i < static_cast<int>(gridDim.x); i++)
      sum += sums[i];
    *out = sum;
  }
}

int main() {
  const int n = 300;
  DeviceBuffer<double> out(n);
  cudaStream_t stream;
  CUDA(cudaStreamCreate(&stream));
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(blocks_for(n, 96));
  config.blockDim = dim3(96);
  config.stream = stream;
  cudaLaunchAttribute attributes[2] = {};
  attributes[0].id = cudaLaunchAttributePriority;
  attributes[0].val.priority = 0;
  config.attrs = attributes;
  config.numAttrs = 1;
  Pair pair = {3, 1.5};
  CUDA(cudaLaunchKernelEx(&config, combine, out.data, pair, static_cast<short>(-4), n));
  CUDA(cudaStreamSynchronize(stream));
  std::vector<double> host = out.host();
  for (int i = 0; i < n; i++)
    REQUIRE(host[i] == i - 3);

  double *address = out;
  short factor = 2;
  int count = n;
  void *arguments[] = {&address, &pair, &factor, &count};
  CUDA(cudaLaunchKernel(reinterpret_cast<void *>(combine), dim3(4), dim3(80), arguments, 0, stream));
  CUDA(cudaStreamSynchronize(stream));
  host = out.host();
  for (int i = 0; i < n; i++)
    REQUIRE(host[i] == i + 6);

  DeviceBuffer<int> sums(11), sum(1);
  attributes[0].id = cudaLaunchAttributeCooperative;
  attributes[0].val.cooperative = 1;
  config.gridDim = dim3(11);
  CUDA(cudaLaunchKernelEx(&config, meet, sums.data, sum.data));
  CUDA(cudaStreamSynchronize(stream));
  REQUIRE(sum.host()[0] == 66);
  CUDA(cudaStreamDestroy(stream));
  std::puts("launch_ex: 3 launches");
}
