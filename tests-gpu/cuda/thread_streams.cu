// options: -DCUDA_API_PER_THREAD_DEFAULT_STREAM
// Host threads with a default stream each: they work side by side, each in its own order.
#include "check.h"
#include <thread>

__global__ void step(int *data, int n, int factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] = data[i] * factor + 1;
}

static void work(int thread, bool *right) {
  const int n = 701;
  std::vector<int> host(n);
  for (int i = 0; i < n; i++)
    host[i] = i + thread;
  int *data;
  CUDA(cudaMalloc(&data, n * sizeof(int)));
  CUDA(cudaMemcpyAsync(data, host.data(), n * sizeof(int), cudaMemcpyHostToDevice, cudaStreamPerThread));
  for (int round = 0; round < 4; round++)
    step<<<blocks_for(n, 64), 64>>>(data, n, 3);
  CUDA(cudaGetLastError());
  CUDA(cudaMemcpy(host.data(), data, n * sizeof(int), cudaMemcpyDeviceToHost));
  CUDA(cudaStreamSynchronize(0));
  CUDA(cudaFree(data));
  *right = true;
  for (int i = 0; i < n; i++)
    *right = *right && host[i] == 81 * (i + thread) + 40;
}

int main() {
  const int count = 4;
  bool right[count] = {};
  std::vector<std::thread> threads;
  for (int i = 0; i < count; i++)
    threads.emplace_back(work, i, &right[i]);
  for (std::thread &thread : threads)
    thread.join();
  for (bool answer : right)
    REQUIRE(answer);
  std::puts("thread_streams: 4 threads");
}
