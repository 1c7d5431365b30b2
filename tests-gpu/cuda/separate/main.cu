// options: -rdc=true
// Separate compilation: this file calls a device function of the other and uses its variables.
#include "../check.h"
#include "part.h"

__global__ void run(int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = transformed(i) + limits[i % 3];
    atomicAdd(&calls, 1);
  }
}

int main() {
  const int n = 200;
  int host_limits[3] = {7, -1, 100};
  set_limits(host_limits);
  DeviceBuffer<int> out(n);
  run<<<2, 128>>>(out, n);
  finish_launch();
  std::vector<int> host = out.host();
  for (int i = 0; i < n; i++)
    REQUIRE(host[i] == i * i + 3 + host_limits[i % 3]);
  REQUIRE(number_of_calls() == n);
  std::puts("separate: 2 files");
}
