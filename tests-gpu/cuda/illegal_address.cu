// reports
// An illegal access ends the kernel; the error stays until the device is reset.
#include "check.h"

__global__ void store(int *to) { *to = 1; }

int main() {
  int *data;
  CUDA(cudaMalloc(&data, sizeof(int)));
  store<<<1, 1>>>(reinterpret_cast<int *>(64));
  CUDA(cudaGetLastError());
  REQUIRE(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  REQUIRE(cudaGetLastError() == cudaErrorIllegalAddress);
  REQUIRE(cudaMalloc(&data, sizeof(int)) == cudaErrorIllegalAddress);
  REQUIRE(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  store<<<1, 1>>>(data);
  REQUIRE(cudaGetLastError() == cudaErrorIllegalAddress);
  cudaDeviceReset();
  std::puts("illegal_address: the error stays");
}
