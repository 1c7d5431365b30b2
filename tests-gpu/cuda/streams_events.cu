// Four streams, ordered by events: each stage waits for the stage of its left neighbour.
#include "check.h"

__global__ void start(int *data, int n, int value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] = value + i;
}

__global__ void add_from(int *to, const int *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] += 2 * from[i];
}

int main() {
  const int streams = 4, n = 1003, rounds = 3;
  cudaStream_t stream[streams];
  cudaEvent_t done[streams], begin, end;
  int *data[streams], *host;
  CUDA(cudaMallocHost(&host, n * sizeof(int)));
  CUDA(cudaEventCreate(&begin));
  CUDA(cudaEventCreate(&end));
  for (int s = 0; s < streams; s++) {
    CUDA(cudaStreamCreateWithFlags(&stream[s], cudaStreamNonBlocking));
    CUDA(cudaEventCreateWithFlags(&done[s], cudaEventDisableTiming));
    CUDA(cudaMalloc(&data[s], n * sizeof(int)));
  }
  CUDA(cudaEventRecord(begin, stream[0]));
  for (int s = 0; s < streams; s++) {
    start<<<blocks_for(n, 128), 128, 0, stream[s]>>>(data[s], n, s);
    CUDA(cudaEventRecord(done[s], stream[s]));
  }
  for (int round = 0; round < rounds; round++)
    for (int s = 0; s < streams; s++) {
      int left = (s + streams - 1) % streams;
      CUDA(cudaStreamWaitEvent(stream[s], done[left], 0));
      add_from<<<blocks_for(n, 128), 128, 0, stream[s]>>>(data[s], data[left], n);
      CUDA(cudaEventRecord(done[s], stream[s]));
      // The neighbour must not go on before this one has read its data.
      CUDA(cudaStreamWaitEvent(stream[left], done[s], 0));
    }
  CUDA(cudaStreamWaitEvent(stream[0], done[streams - 1], 0));
  CUDA(cudaEventRecord(end, stream[0]));
  CUDA(cudaMemcpyAsync(host, data[streams - 1], n * sizeof(int), cudaMemcpyDeviceToHost, stream[streams - 1]));
  CUDA(cudaStreamSynchronize(stream[streams - 1]));
  CUDA(cudaEventSynchronize(end));
  REQUIRE(cudaEventQuery(end) == cudaSuccess);
  float milliseconds = -1;
  CUDA(cudaEventElapsedTime(&milliseconds, begin, end));
  REQUIRE(milliseconds >= 0);
  for (int i = 0; i < n; i++) {
    int expected[streams];
    for (int s = 0; s < streams; s++)
      expected[s] = s + i;
    for (int round = 0; round < rounds; round++)
      for (int s = 0; s < streams; s++)
        expected[s] += 2 * expected[(s + streams - 1) % streams];
    REQUIRE(host[i] == expected[streams - 1]);
  }
  for (int s = 0; s < streams; s++) {
    CUDA(cudaStreamSynchronize(stream[s]));
    REQUIRE(cudaStreamQuery(stream[s]) == cudaSuccess);
    CUDA(cudaEventDestroy(done[s]));
    CUDA(cudaStreamDestroy(stream[s]));
    CUDA(cudaFree(data[s]));
  }
  CUDA(cudaEventDestroy(begin));
  CUDA(cudaEventDestroy(end));
  CUDA(cudaFreeHost(host));
  std::puts("streams_events: 4 streams");
}
