// Properties and attributes of the device and of kernels agree with each other.
#include "check.h"

__global__ void __launch_bounds__(192) bounded(int *out) {
  __shared__ int values[100];
  if (threadIdx.x < 100)
    values[threadIdx.x] = static_cast<int>(threadIdx.x) * 2;
  __syncthreads();
  if (threadIdx.x == 0)
    *out = values[7];
}

int attribute(cudaDeviceAttr which) {
  int value = -1;
  CUDA(cudaDeviceGetAttribute(&value, which, 0));
  return value;
}

int main() {
  int count = 0, driver = 0, runtime = 0;
  CUDA(cudaGetDeviceCount(&count));
  REQUIRE(count >= 1);
  CUDA(cudaDriverGetVersion(&driver));
  CUDA(cudaRuntimeGetVersion(&runtime));
  REQUIRE(driver >= 12000 && runtime >= 12000);
  cudaDeviceProp p;
  CUDA(cudaGetDeviceProperties(&p, 0));
  REQUIRE(p.name[0] != 0 && p.warpSize == 32);
  REQUIRE(p.major == attribute(cudaDevAttrComputeCapabilityMajor));
  REQUIRE(p.minor == attribute(cudaDevAttrComputeCapabilityMinor));
  REQUIRE(p.multiProcessorCount == attribute(cudaDevAttrMultiProcessorCount) && p.multiProcessorCount > 0);
  REQUIRE(p.maxThreadsPerBlock == 1024 && attribute(cudaDevAttrMaxThreadsPerBlock) == 1024);
  REQUIRE(p.maxThreadsDim[2] == attribute(cudaDevAttrMaxBlockDimZ));
  REQUIRE(p.maxGridSize[0] == attribute(cudaDevAttrMaxGridDimX));
  REQUIRE(p.sharedMemPerBlock == static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlock)));
  REQUIRE(p.sharedMemPerBlockOptin == static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin)));
  REQUIRE(p.regsPerBlock == attribute(cudaDevAttrMaxRegistersPerBlock));
  REQUIRE(p.maxThreadsPerMultiProcessor == attribute(cudaDevAttrMaxThreadsPerMultiProcessor));
  REQUIRE(p.unifiedAddressing == 1 && p.managedMemory == 1 && p.cooperativeLaunch == 1);
  std::size_t unused, total;
  CUDA(cudaMemGetInfo(&unused, &total));
  REQUIRE(unused <= total && total == p.totalGlobalMem);

  cudaFuncAttributes a;
  CUDA(cudaFuncGetAttributes(&a, bounded));
  REQUIRE(a.maxThreadsPerBlock == 192 && a.sharedSizeBytes >= 400 && a.numRegs > 0 && a.constSizeBytes == 0);
  DeviceBuffer<int> out(1);
  bounded<<<1, 192>>>(out);
  finish_launch();
  REQUIRE(out.host()[0] == 14);
  bounded<<<1, 193>>>(out);
  REQUIRE(cudaGetLastError() == cudaErrorLaunchOutOfResources);

  cudaPointerAttributes pointer;
  CUDA(cudaPointerGetAttributes(&pointer, out));
  REQUIRE(pointer.type == cudaMemoryTypeDevice && pointer.devicePointer == out.data && pointer.device == 0);
  std::puts("properties: consistent");
}
