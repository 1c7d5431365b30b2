// Constant and device variables: copies to and from symbols, with offsets, and their addresses.
#include "check.h"

struct Settings {
  int shift;
  float scale;
};

__constant__ int weights[37];
__constant__ Settings settings = {1, 0.5f};
__device__ float results[101];
__device__ unsigned long long calls = 1000;
__device__ int *pointer_to_weights_copy;
static __device__ int file_local = 7;

__global__ void compute(int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    results[i] = settings.scale * (weights[i % 37] << settings.shift) + file_local;
    atomicAdd(&calls, 1ull);
  }
}

int main() {
  const int n = 101;
  int host_weights[37];
  for (int i = 0; i < 37; i++)
    host_weights[i] = i * i;
  CUDA(cudaMemcpyToSymbol(weights, host_weights, sizeof host_weights));
  // Only the element 5.
  int other = -4;
  CUDA(cudaMemcpyToSymbol(weights, &other, sizeof other, 5 * sizeof(int)));
  host_weights[5] = other;
  compute<<<2, 64>>>(n);
  finish_launch();

  float host_results[n];
  CUDA(cudaMemcpyFromSymbol(host_results, results, sizeof host_results));
  for (int i = 0; i < n; i++)
    REQUIRE(host_results[i] == 0.5f * (host_weights[i % 37] * 2) + 7);
  unsigned long long count;
  CUDA(cudaMemcpyFromSymbol(&count, calls, sizeof count));
  REQUIRE(count == 1000 + n);

  Settings changed = {0, 2};
  CUDA(cudaMemcpyToSymbol(settings, &changed, sizeof changed));
  void *address;
  std::size_t size;
  CUDA(cudaGetSymbolAddress(&address, results));
  CUDA(cudaGetSymbolSize(&size, results));
  REQUIRE(size == sizeof host_results);
  CUDA(cudaMemset(address, 0, size));
  CUDA(cudaGetSymbolAddress(&address, file_local));
  int nine = 9;
  CUDA(cudaMemcpy(address, &nine, sizeof nine, cudaMemcpyHostToDevice));
  compute<<<1, 64>>>(50);
  finish_launch();
  float last;
  CUDA(cudaMemcpyFromSymbol(&last, results, sizeof last, 49 * sizeof(float)));
  REQUIRE(last == 2.0f * host_weights[12] + 9);
  CUDA(cudaMemcpyFromSymbol(&last, results, sizeof last, 50 * sizeof(float)));
  REQUIRE(last == 0);
  std::puts("symbols: constant and device variables");
}
