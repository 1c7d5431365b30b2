// Functors, lambdas of kernels, and templates that take them.
#include "check.h"

struct Polynomial {
  int a, b, c;
  __host__ __device__ int operator()(int x) const { return (a * x + b) * x + c; }
};

struct Identity {
  template <typename T> __host__ __device__ T operator()(T x) const { return x; }
};

template <typename First, typename Second> struct Composed {
  First first;
  Second second;
  __host__ __device__ int operator()(int x) const { return second(first(x)); }
};

template <typename F> __global__ void apply(int *data, int n, F function) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] = function(data[i]);
}

template <typename F> __device__ int fold(const int *data, int n, int start, F combine) {
  for (int i = 0; i < n; i++)
    start = combine(start, data[i]);
  return start;
}

__global__ void folds(const int *data, int n, int *out) {
  int offset = static_cast<int>(threadIdx.x);
  auto plus = [](int a, int b) { return a + b; };
  auto greatest = [](int a, int b) { return a > b ? a : b; };
  auto count_above = [offset](int count, int value) { return count + (value > offset * 10); };
  out[3 * threadIdx.x] = fold(data, n, 0, plus);
  out[3 * threadIdx.x + 1] = fold(data, n, -1000, greatest);
  out[3 * threadIdx.x + 2] = fold(data, n, 0, count_above);
}

int main() {
  const int n = 513, threads = 7;
  std::vector<int> host(n), expected(n);
  Composed<Polynomial, Composed<Identity, Polynomial>> function = {{1, -2, 3}, {{}, {0, 5, -1}}};
  for (int i = 0; i < n; i++) {
    host[i] = i % 50 - 20;
    expected[i] = function(host[i]);
  }
  DeviceBuffer<int> data(host), out(3 * threads);
  apply<<<blocks_for(n, 96), 96>>>(data.data, n, function);
  finish_launch();
  REQUIRE(data.host() == expected);
  apply<<<blocks_for(n, 96), 96>>>(data.data, n, Identity());
  folds<<<1, threads>>>(data, n, out);
  finish_launch();
  std::vector<int> folded = out.host();
  for (int thread = 0; thread < threads; thread++) {
    int sum = 0, greatest = -1000, above = 0;
    for (int value : expected) {
      sum += value;
      greatest = value > greatest ? value : greatest;
      above += value > thread * 10;
    }
    REQUIRE(folded[3 * thread] == sum && folded[3 * thread + 1] == greatest && folded[3 * thread + 2] == above);
  }
  std::puts("functors: 3 kernels");
}
