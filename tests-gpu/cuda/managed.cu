// Managed memory: host and device use it at one address; lists, hints and prefetches.
#include "check.h"

struct Node {
  int value;
  Node *next;
};

__global__ void fill(int *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] = data[i] * 3 + 1;
}

__global__ void walk(Node *head, int *total) {
  for (Node *node = head; node; node = node->next) {
    *total += node->value;
    node->value = -node->value;
  }
}

int main() {
  const int n = 777;
  int *data;
  CUDA(cudaMallocManaged(&data, n * sizeof(int)));
  for (int i = 0; i < n; i++)
    data[i] = i;
  fill<<<blocks_for(n, 128), 128>>>(data, n);
  finish_launch();
  for (int i = 0; i < n; i++)
    REQUIRE(data[i] == 3 * i + 1);
  cudaPointerAttributes attributes;
  CUDA(cudaPointerGetAttributes(&attributes, data));
  REQUIRE(attributes.type == cudaMemoryTypeManaged);

  // A list that the host makes and the device walks.
  Node *nodes;
  int *total;
  CUDA(cudaMallocManaged(&nodes, 5 * sizeof(Node)));
  CUDA(cudaMallocManaged(&total, sizeof(int), cudaMemAttachGlobal));
  for (int i = 0; i < 5; i++)
    nodes[i] = {i + 1, i < 4 ? &nodes[i + 1] : nullptr};
  *total = 5;
  cudaMemLocation device = {};
  device.type = cudaMemLocationTypeDevice;
  CUDA(cudaMemAdvise(nodes, 5 * sizeof(Node), cudaMemAdviseSetPreferredLocation, device));
  CUDA(cudaMemPrefetchAsync(nodes, 5 * sizeof(Node), device, 0, 0));
  walk<<<1, 1>>>(nodes, total);
  finish_launch();
  REQUIRE(*total == 5 + 15);
  for (int i = 0; i < 5; i++)
    REQUIRE(nodes[i].value == -(i + 1));
  CUDA(cudaFree(total));
  CUDA(cudaFree(nodes));
  CUDA(cudaFree(data));
  std::puts("managed: memory of host and device");
}
