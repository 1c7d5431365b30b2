// compilers: nvcc
// Managed variables: host and device use them at one address. (clang 22 has none for NVIDIA GPUs.)
#include "check.h"

struct Node {
  int value;
  Node *next;
};

__managed__ int total = 5;
__managed__ double table[33];
__device__ __managed__ Node *head;

__global__ void fill() {
  if (threadIdx.x < 33)
    table[threadIdx.x] += threadIdx.x * 0.25;
}

__global__ void walk() {
  for (Node *node = head; node; node = node->next) {
    total += node->value;
    node->value = -node->value;
  }
}

int main() {
  for (int i = 0; i < 33; i++)
    table[i] = i;
  fill<<<1, 64>>>();
  finish_launch();
  for (int i = 0; i < 33; i++)
    REQUIRE(table[i] == i * 1.25);

  // A list that the host makes and the device walks.
  Node *nodes;
  CUDA(cudaMallocManaged(&nodes, 5 * sizeof(Node)));
  for (int i = 0; i < 5; i++)
    nodes[i] = {i + 1, i < 4 ? &nodes[i + 1] : nullptr};
  head = nodes;
  REQUIRE(total == 5);
  walk<<<1, 1>>>();
  finish_launch();
  REQUIRE(total == 5 + 15);
  for (int i = 0; i < 5; i++)
    REQUIRE(nodes[i].value == -(i + 1));
  cudaPointerAttributes attributes;
  CUDA(cudaPointerGetAttributes(&attributes, &total));
  REQUIRE(attributes.type == cudaMemoryTypeManaged && attributes.devicePointer == &total);
  CUDA(cudaFree(nodes));
  std::puts("managed_variables: 3 variables");
}
