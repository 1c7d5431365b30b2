// prints: number 0 of 3: 0.00 a 0x123456789ab; number 1 of 3: 0.25 b 0x123456789ac; number 2 of 3: 0.50 c 0x123456789ad
// printf in kernels: its output comes in the order of one thread's calls, when the host waits.
#include "check.h"

__global__ void greet(int count, const char *word) {
  for (int i = 0; i < count; i++)
    printf("%s %d of %d: %.2f %c %#llx%s", word, i, count, i / 4.0, 'a' + i, 0x123456789abull + i,
           i + 1 < count ? "; " : "\n");
}

__global__ void quiet(int *out) { *out = printf("%d", 1) > 0; }

int main() {
  char *word;
  CUDA(cudaMallocManaged(&word, 16));
  std::snprintf(word, 16, "number");
  std::size_t bytes;
  CUDA(cudaDeviceGetLimit(&bytes, cudaLimitPrintfFifoSize));
  REQUIRE(bytes >= 4096);
  greet<<<1, 1>>>(3, word);
  finish_launch();
  CUDA(cudaFree(word));
}
