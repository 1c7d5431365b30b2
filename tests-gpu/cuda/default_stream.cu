// The default stream waits for the other streams, and they for it, unless they do not want to.
#include "check.h"

__global__ void append(int *data, int *length, int value) { data[(*length)++] = value; }

int main() {
  int *data, *length;
  CUDA(cudaMallocManaged(&data, 64 * sizeof(int)));
  CUDA(cudaMallocManaged(&length, sizeof(int)));
  *length = 0;
  cudaStream_t first, second;
  CUDA(cudaStreamCreate(&first));
  CUDA(cudaStreamCreateWithPriority(&second, cudaStreamDefault, 0));
  for (int round = 0; round < 4; round++) {
    append<<<1, 1, 0, first>>>(data, length, 3 * round);
    append<<<1, 1>>>(data, length, 3 * round + 1);
    append<<<1, 1, 0, second>>>(data, length, 3 * round + 2);
    append<<<1, 1, 0, cudaStreamLegacy>>>(data, length, -round);
  }
  CUDA(cudaGetLastError());
  CUDA(cudaDeviceSynchronize());
  REQUIRE(*length == 16);
  for (int i = 0; i < 16; i++)
    REQUIRE(data[i] == (i % 4 == 3 ? -(i / 4) : i / 4 * 3 + i % 4));
  unsigned flags = 77;
  CUDA(cudaStreamGetFlags(first, &flags));
  REQUIRE(flags == cudaStreamDefault);
  int least, greatest, priority;
  CUDA(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  REQUIRE(greatest <= least);
  CUDA(cudaStreamGetPriority(second, &priority));
  REQUIRE(priority == 0);
  CUDA(cudaStreamDestroy(first));
  CUDA(cudaStreamDestroy(second));
  CUDA(cudaFree(data));
  CUDA(cudaFree(length));
  std::puts("default_stream: 16 launches in order");
}
