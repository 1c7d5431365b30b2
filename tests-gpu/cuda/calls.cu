// Calls on the device: recursion, pointers to functions, virtual functions, large parameters, vector types.
#include "check.h"

struct Large {
  double values[40];
  int3 offset;
  char tag;
};

__device__ __noinline__ int ackermann(int m, int n) {
  if (m == 0)
    return n + 1;
  return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

__device__ int plus_one(int x) { return x + 1; }
__device__ int negated(int x) { return -x; }
__device__ int squared(int x) { return x * x; }

using Function = int (*)(int);
__device__ Function table[] = {plus_one, negated, squared};

struct Animal {
  __device__ virtual int legs() const { return 4; }
};

struct Bird : Animal {
  __device__ int legs() const override { return 2; }
};

__global__ void run(int *out, Large large, Function from_host) {
  int i = threadIdx.x;
  Animal animal;
  Bird bird;
  const Animal *chosen = i % 2 ? &bird : &animal;
  double sum = 0;
  for (int j = 0; j < 40; j++)
    sum += large.values[(i + j) % 40] * j;
  float4 vector = make_float4(i, 1, 2, 3);
  out[6 * i] = ackermann(2, i % 4);
  out[6 * i + 1] = table[i % 3](i + 5);
  out[6 * i + 2] = chosen->legs();
  out[6 * i + 3] = static_cast<int>(sum) + large.offset.x + large.offset.y * large.offset.z + large.tag;
  out[6 * i + 4] = static_cast<int>(vector.x + vector.y + vector.z * vector.w);
  out[6 * i + 5] = from_host(i);
}

__device__ Function chosen_function = negated;

int main() {
  const int threads = 33;
  Large large = {};
  for (int i = 0; i < 40; i++)
    large.values[i] = i * 0.5;
  large.offset = make_int3(1, 2, 3);
  large.tag = 'x';
  Function function;
  CUDA(cudaMemcpyFromSymbol(&function, chosen_function, sizeof function));
  CUDA(cudaDeviceSetLimit(cudaLimitStackSize, 16 << 10));
  DeviceBuffer<int> out(6 * threads);
  run<<<1, threads>>>(out, large, function);
  finish_launch();
  std::vector<int> host = out.host();
  for (int i = 0; i < threads; i++) {
    int called[] = {i + 6, -(i + 5), (i + 5) * (i + 5)};
    double sum = 0;
    for (int j = 0; j < 40; j++)
      sum += large.values[(i + j) % 40] * j;
    REQUIRE(host[6 * i] == 2 * (i % 4) + 3);
    REQUIRE(host[6 * i + 1] == called[i % 3]);
    REQUIRE(host[6 * i + 2] == (i % 2 ? 2 : 4));
    REQUIRE(host[6 * i + 3] == static_cast<int>(sum) + 7 + 'x');
    REQUIRE(host[6 * i + 4] == i + 7);
    REQUIRE(host[6 * i + 5] == -i);
  }
  std::puts("calls: 6 kinds");
}
