// malloc, new and delete in kernels: lists that threads make, keep, and free in a second kernel.
#include "check.h"

struct Node {
  int value;
  Node *next;
};

struct Shape {
  __device__ virtual ~Shape() {}
  __device__ virtual int area() const = 0;
};

struct Square : Shape {
  int side;
  __device__ explicit Square(int side) : side(side) {}
  __device__ int area() const override { return side * side; }
};

struct Rectangle : Shape {
  int width, height;
  __device__ Rectangle(int width, int height) : width(width), height(height) {}
  __device__ int area() const override { return width * height; }
};

__device__ Node *lists[70];

__global__ void make(int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  lists[i] = nullptr;
  for (int j = 0; j <= i % 5; j++) {
    Node *node = static_cast<Node *>(malloc(sizeof(Node)));
    node->value = i * 10 + j;
    node->next = lists[i];
    lists[i] = node;
  }
}

__global__ void take(int *sums, int *areas, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int sum = 0;
  while (Node *node = lists[i]) {
    sum += node->value;
    lists[i] = node->next;
    free(node);
  }
  sums[i] = sum;
  Shape *shape = i % 2 ? static_cast<Shape *>(new Square(i)) : new Rectangle(i, 3);
  areas[i] = shape->area();
  delete shape;
  int *array = new int[i + 1];
  for (int j = 0; j <= i; j++)
    array[j] = j;
  areas[i] += 1000 * array[i];
  delete[] array;
}

int main() {
  const int n = 70;
  std::size_t heap;
  CUDA(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 4 << 20));
  CUDA(cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize));
  REQUIRE(heap >= 4 << 20);
  DeviceBuffer<int> sums(n), areas(n);
  make<<<3, 32>>>(n);
  take<<<3, 32>>>(sums, areas, n);
  finish_launch();
  std::vector<int> host_sums = sums.host(), host_areas = areas.host();
  for (int i = 0; i < n; i++) {
    int sum = 0;
    for (int j = 0; j <= i % 5; j++)
      sum += i * 10 + j;
    REQUIRE(host_sums[i] == sum);
    REQUIRE(host_areas[i] == (i % 2 ? i * i : i * 3) + 1000 * i);
  }
  std::puts("device_heap: 70 lists");
}
