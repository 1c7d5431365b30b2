// reports
// A failed assertion of a kernel ends it, and the error stays.
#undef NDEBUG
#include "check.h"
#include <cassert>

__global__ void positive(const int *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    assert(data[i] > 0);
}

int main() {
  const int n = 100;
  std::vector<int> host(n, 1);
  DeviceBuffer<int> data(host);
  positive<<<2, 64>>>(data, n);
  finish_launch();
  host[71] = 0;
  CUDA(cudaMemcpy(data, host.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  positive<<<2, 64>>>(data, n);
  CUDA(cudaGetLastError());
  REQUIRE(cudaDeviceSynchronize() == cudaErrorAssert);
  REQUIRE(cudaMemset(data, 0, 4) == cudaErrorAssert);
  std::puts("device_assert: stopped");
}
