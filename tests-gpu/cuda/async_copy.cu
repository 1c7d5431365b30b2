// Asynchronous copies from global to shared memory, in two stages.
#include "check.h"
#include <cuda_pipeline.h>

constexpr int Threads = 64;

__global__ void sums(const int4 *in, int *out, int batches) {
  __shared__ int4 stage[2][Threads];
  int thread = threadIdx.x, first = blockIdx.x * batches * Threads;
  __pipeline_memcpy_async(&stage[0][thread], &in[first + thread], sizeof(int4));
  __pipeline_commit();
  int sum = 0;
  for (int batch = 0; batch < batches; batch++) {
    if (batch + 1 < batches)
      __pipeline_memcpy_async(&stage[(batch + 1) % 2][thread], &in[first + (batch + 1) * Threads + thread],
                              sizeof(int4));
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    int4 value = stage[batch % 2][(thread + 1) % Threads];
    sum += value.x + 2 * value.y + 3 * value.z + 4 * value.w;
    __syncthreads();
  }
  out[blockIdx.x * Threads + thread] = sum;
}

int main() {
  const int blocks = 3, batches = 5;
  std::vector<int4> in(blocks * batches * Threads);
  for (int i = 0; i < static_cast<int>(in.size()); i++)
    in[i] = make_int4(i, i % 7, -i, 3);
  DeviceBuffer<int4> device(in);
  DeviceBuffer<int> out(blocks * Threads);
  sums<<<blocks, Threads>>>(device, out, batches);
  finish_launch();
  std::vector<int> found = out.host();
  for (int block = 0; block < blocks; block++)
    for (int thread = 0; thread < Threads; thread++) {
      int sum = 0;
      for (int batch = 0; batch < batches; batch++) {
        int4 value = in[(block * batches + batch) * Threads + (thread + 1) % Threads];
        sum += value.x + 2 * value.y + 3 * value.z + 4 * value.w;
      }
      REQUIRE(found[block * Threads + thread] == sum);
    }
  std::puts("async_copy: 2 stages");
}
