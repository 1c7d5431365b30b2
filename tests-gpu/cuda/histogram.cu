// A histogram: atomics in shared memory, then one atomic of each block for each bin.
#include "check.h"

constexpr int Bins = 61;

__global__ void count(const unsigned char *text, int n, unsigned *bins) {
  __shared__ unsigned of_block[Bins];
  for (int i = threadIdx.x; i < Bins; i += blockDim.x)
    of_block[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&of_block[text[i] % Bins], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < Bins; i += blockDim.x)
    if (of_block[i] != 0)
      atomicAdd(&bins[i], of_block[i]);
}

int main() {
  const int n = 9999;
  std::vector<unsigned char> text(n);
  std::vector<unsigned> expected(Bins, 0);
  Numbers numbers(7);
  for (unsigned char &letter : text) {
    letter = static_cast<unsigned char>(numbers.below(256));
    expected[letter % Bins]++;
  }
  DeviceBuffer<unsigned char> device_text(text);
  DeviceBuffer<unsigned> bins(Bins);
  CUDA(cudaMemset(bins, 0, Bins * sizeof(unsigned)));
  count<<<5, 128>>>(device_text, n, bins);
  finish_launch();
  REQUIRE(bins.host() == expected);
  std::puts("histogram: 61 bins");
}
