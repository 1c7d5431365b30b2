// A kernel template with a grid-stride loop, for four element types and a factor known when it is compiled.
#include "check.h"

template <typename T, int Factor> __global__ void axpy(T a, const T *x, T *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = a * x[i] + static_cast<T>(Factor) * y[i];
}

template <typename T, int Factor> void run(int n) {
  std::vector<T> x(n), y(n);
  for (int i = 0; i < n; i++) {
    x[i] = static_cast<T>(i % 100);
    y[i] = static_cast<T>(i % 7);
  }
  DeviceBuffer<T> dx(x), dy(y);
  axpy<T, Factor><<<3, 96>>>(static_cast<T>(3), dx, dy, n);
  finish_launch();
  std::vector<T> result = dy.host();
  for (int i = 0; i < n; i++)
    REQUIRE(result[i] == static_cast<T>(3 * (i % 100) + Factor * (i % 7)));
}

int main() {
  run<float, 1>(1001);
  run<double, 2>(999);
  run<int, -5>(777);
  run<long long, 4>(1234);
  std::puts("saxpy: 4 types");
}
