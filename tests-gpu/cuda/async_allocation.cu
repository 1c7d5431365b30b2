// Memory of streams: cudaMallocAsync, cudaFreeAsync, the default pool and a pool of the program.
#include "check.h"

__global__ void fill(int *data, int n, int value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] = value + i;
}

__global__ void add(int *to, const int *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] += from[i];
}

int main() {
  const int n = 1017, bytes = n * static_cast<int>(sizeof(int));
  int supported;
  CUDA(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0));
  REQUIRE(supported == 1);
  cudaStream_t stream;
  CUDA(cudaStreamCreate(&stream));
  std::vector<int> host(n);
  int *sum;
  CUDA(cudaMallocAsync(&sum, bytes, stream));
  CUDA(cudaMemsetAsync(sum, 0, bytes, stream));
  for (int round = 0; round < 5; round++) {
    int *part;
    CUDA(cudaMallocAsync(&part, bytes, stream));
    fill<<<blocks_for(n, 128), 128, 0, stream>>>(part, n, round);
    add<<<blocks_for(n, 128), 128, 0, stream>>>(sum, part, n);
    CUDA(cudaFreeAsync(part, stream));
  }
  CUDA(cudaMemcpyAsync(host.data(), sum, bytes, cudaMemcpyDeviceToHost, stream));
  CUDA(cudaFreeAsync(sum, stream));
  CUDA(cudaStreamSynchronize(stream));
  for (int i = 0; i < n; i++)
    REQUIRE(host[i] == 5 * i + 10);

  cudaMemPool_t standard, pool;
  CUDA(cudaDeviceGetDefaultMemPool(&standard, 0));
  unsigned long long threshold = 1 << 20, seen = 0;
  CUDA(cudaMemPoolSetAttribute(standard, cudaMemPoolAttrReleaseThreshold, &threshold));
  CUDA(cudaMemPoolGetAttribute(standard, cudaMemPoolAttrReleaseThreshold, &seen));
  REQUIRE(seen == threshold);
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = 0;
  CUDA(cudaMemPoolCreate(&pool, &properties));
  int *data;
  CUDA(cudaMallocFromPoolAsync(&data, bytes, pool, stream));
  fill<<<blocks_for(n, 128), 128, 0, stream>>>(data, n, 7);
  CUDA(cudaMemcpyAsync(host.data(), data, bytes, cudaMemcpyDeviceToHost, stream));
  CUDA(cudaStreamSynchronize(stream));
  REQUIRE(host[0] == 7 && host[n - 1] == 7 + n - 1);
  CUDA(cudaFreeAsync(data, stream));
  CUDA(cudaStreamSynchronize(stream));
  CUDA(cudaMemPoolTrimTo(pool, 0));
  CUDA(cudaMemPoolDestroy(pool));
  CUDA(cudaStreamDestroy(stream));
  std::puts("async_allocation: 2 pools");
}
