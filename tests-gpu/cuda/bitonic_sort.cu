// A bitonic sort: steps in shared memory where they stay in a block, in global memory otherwise.
#include "check.h"
#include <algorithm>

constexpr int Threads = 128;

__device__ void order(int &a, int &b, bool ascending) {
  if (a > b == ascending) {
    int other = a;
    a = b;
    b = other;
  }
}

__global__ void in_global_memory(int *data, int length, int distance) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int low = 2 * i - (i & (distance - 1));
  order(data[low], data[low + distance], (low & length) == 0);
}

__global__ void in_shared_memory(int *data, int first_length, int last_length) {
  __shared__ int values[2 * Threads];
  int base = blockIdx.x * 2 * Threads, thread = threadIdx.x;
  values[thread] = data[base + thread];
  values[thread + Threads] = data[base + thread + Threads];
  for (int length = first_length; length <= last_length; length *= 2)
    for (int distance = length / 2 < Threads ? length / 2 : Threads; distance > 0; distance /= 2) {
      __syncthreads();
      int low = 2 * thread - (thread & (distance - 1));
      order(values[low], values[low + distance], (base + low & length) == 0);
    }
  __syncthreads();
  data[base + thread] = values[thread];
  data[base + thread + Threads] = values[thread + Threads];
}

int main() {
  const int n = 2048, used = 1501;
  std::vector<int> host(n, 0x7fffffff);
  Numbers numbers(21);
  for (int i = 0; i < used; i++)
    host[i] = numbers.below(100000) - 50000;
  DeviceBuffer<int> data(host);
  in_shared_memory<<<n / 2 / Threads, Threads>>>(data, 2, 2 * Threads);
  for (int length = 4 * Threads; length <= n; length *= 2) {
    for (int distance = length / 2; distance > Threads; distance /= 2)
      in_global_memory<<<n / 2 / Threads, Threads>>>(data, length, distance);
    in_shared_memory<<<n / 2 / Threads, Threads>>>(data, length, length);
  }
  finish_launch();
  std::sort(host.begin(), host.end());
  REQUIRE(data.host() == host);
  std::puts("bitonic_sort: 1501 numbers");
}
