// reports
// Errors that the host makes: each has its code, is kept until it is asked for, and leaves the device usable.
#include "check.h"
#include <cstring>

__global__ void nothing(int *out) { *out = 1; }

int main() {
  DeviceBuffer<int> out(1);
  nothing<<<1, 2000>>>(out);
  REQUIRE(cudaPeekAtLastError() == cudaErrorInvalidConfiguration);
  REQUIRE(cudaPeekAtLastError() == cudaErrorInvalidConfiguration);
  REQUIRE(cudaGetLastError() == cudaErrorInvalidConfiguration);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  nothing<<<0, 32>>>(out);
  REQUIRE(cudaGetLastError() == cudaErrorInvalidConfiguration);
  nothing<<<dim3(1, 70000), 32>>>(out);
  REQUIRE(cudaGetLastError() == cudaErrorInvalidConfiguration);
  nothing<<<1, dim3(1, 1, 65)>>>(out);
  REQUIRE(cudaGetLastError() == cudaErrorInvalidConfiguration);

  void *much = &much;
  REQUIRE(cudaMalloc(&much, std::size_t(1) << 50) == cudaErrorMemoryAllocation);
  REQUIRE(cudaGetLastError() == cudaErrorMemoryAllocation);
  // A later success does not hide an error.
  REQUIRE(cudaMemcpy(out, &much, sizeof(int), static_cast<cudaMemcpyKind>(77)) == cudaErrorInvalidMemcpyDirection);
  CUDA(cudaMemset(out, 0, sizeof(int)));
  REQUIRE(cudaGetLastError() == cudaErrorInvalidMemcpyDirection);
  REQUIRE(cudaSetDevice(99) == cudaErrorInvalidDevice);
  cudaGetLastError();
  int device = -1;
  CUDA(cudaGetDevice(&device));
  REQUIRE(device == 0);
  REQUIRE(cudaFree(reinterpret_cast<void *>(16)) == cudaErrorInvalidValue);
  cudaGetLastError();
  CUDA(cudaFree(nullptr));
  cudaEvent_t event;
  CUDA(cudaEventCreate(&event));
  float time;
  REQUIRE(cudaEventElapsedTime(&time, event, event) == cudaErrorInvalidResourceHandle);
  REQUIRE(cudaGetLastError() == cudaErrorInvalidResourceHandle);
  CUDA(cudaEventDestroy(event));

  REQUIRE(!std::strcmp(cudaGetErrorName(cudaErrorMemoryAllocation), "cudaErrorMemoryAllocation"));
  REQUIRE(!std::strcmp(cudaGetErrorString(cudaSuccess), "no error"));
  REQUIRE(!std::strcmp(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory"));

  nothing<<<1, 1>>>(out);
  finish_launch();
  REQUIRE(out.host()[0] == 1);
  std::puts("errors: 9 kinds");
}
