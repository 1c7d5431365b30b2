// Functions of the host in streams: cudaLaunchHostFunc and callbacks run after what is before them.
#include "check.h"

__global__ void twice(int *value) { *value *= 2; }

struct Step {
  int *seen, *device_value, order;
};

static int calls = 0;

static void CUDART_CB record(void *data) {
  Step *step = static_cast<Step *>(data);
  step->order = ++calls;
  *step->seen = *step->device_value;
}

static void CUDART_CB callback(cudaStream_t, cudaError_t status, void *data) {
  REQUIRE(status == cudaSuccess);
  record(data);
}

int main() {
  int *value, seen[4];
  CUDA(cudaHostAlloc(&value, sizeof(int), cudaHostAllocMapped));
  *value = 3;
  cudaStream_t stream;
  CUDA(cudaStreamCreate(&stream));
  Step steps[4];
  for (int i = 0; i < 4; i++) {
    steps[i] = {&seen[i], value, 0};
    twice<<<1, 1, 0, stream>>>(value);
    if (i % 2 == 0)
      CUDA(cudaLaunchHostFunc(stream, record, &steps[i]));
    else
      CUDA(cudaStreamAddCallback(stream, callback, &steps[i], 0));
  }
  CUDA(cudaStreamSynchronize(stream));
  for (int i = 0; i < 4; i++)
    REQUIRE(seen[i] == 3 << (i + 1) && steps[i].order == i + 1);
  CUDA(cudaStreamDestroy(stream));
  CUDA(cudaFreeHost(value));
  std::puts("host_functions: 4 calls");
}
