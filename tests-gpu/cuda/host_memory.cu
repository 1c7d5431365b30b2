// Page-locked and registered memory of the host, mapped for kernels.
#include "check.h"

__global__ void add(int *data, int n, int value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] += value;
}

int main() {
  const int n = 1234, bytes = n * static_cast<int>(sizeof(int));
  int *pinned, *mapped;
  CUDA(cudaHostAlloc(&pinned, bytes, cudaHostAllocMapped | cudaHostAllocPortable));
  for (int i = 0; i < n; i++)
    pinned[i] = i;
  CUDA(cudaHostGetDevicePointer(&mapped, pinned, 0));
  add<<<blocks_for(n, 256), 256>>>(mapped, n, 5);
  finish_launch();
  for (int i = 0; i < n; i++)
    REQUIRE(pinned[i] == i + 5);
  unsigned flags = 0;
  CUDA(cudaHostGetFlags(&flags, pinned));
  REQUIRE(flags & cudaHostAllocMapped);
  cudaPointerAttributes attributes;
  CUDA(cudaPointerGetAttributes(&attributes, pinned));
  REQUIRE(attributes.type == cudaMemoryTypeHost && attributes.hostPointer == pinned);

  std::vector<int> own(n, 1);
  CUDA(cudaPointerGetAttributes(&attributes, own.data()));
  REQUIRE(attributes.type == cudaMemoryTypeUnregistered);
  CUDA(cudaHostRegister(own.data(), bytes, cudaHostRegisterMapped));
  CUDA(cudaHostGetDevicePointer(&mapped, own.data(), 0));
  add<<<blocks_for(n, 256), 256>>>(mapped, n, 8);
  finish_launch();
  CUDA(cudaHostUnregister(own.data()));
  for (int i = 0; i < n; i++)
    REQUIRE(own[i] == 9);

  // An asynchronous round trip through the device.
  DeviceBuffer<int> device(n);
  cudaStream_t stream;
  CUDA(cudaStreamCreate(&stream));
  CUDA(cudaMemcpyAsync(device, pinned, bytes, cudaMemcpyHostToDevice, stream));
  add<<<blocks_for(n, 256), 256, 0, stream>>>(device, n, -10);
  CUDA(cudaMemcpyAsync(pinned, device, bytes, cudaMemcpyDefault, stream));
  CUDA(cudaStreamSynchronize(stream));
  for (int i = 0; i < n; i++)
    REQUIRE(pinned[i] == i - 5);
  CUDA(cudaStreamDestroy(stream));
  CUDA(cudaFreeHost(pinned));
  std::puts("host_memory: pinned and registered");
}
