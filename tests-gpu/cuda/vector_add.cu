// The sum of two arrays, at sizes around whole blocks.
#include "check.h"

__global__ void add(const float *a, const float *b, float *sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    sum[i] = a[i] + b[i];
}

int main() {
  for (int n : {1, 255, 256, 1000, 10007}) {
    std::vector<float> a(n), b(n);
    for (int i = 0; i < n; i++) {
      a[i] = 0.5f * i;
      b[i] = static_cast<float>(i % 17);
    }
    DeviceBuffer<float> da(a), db(b), dsum(n);
    add<<<blocks_for(n, 256), 256>>>(da, db, dsum, n);
    finish_launch();
    std::vector<float> sum = dsum.host();
    for (int i = 0; i < n; i++)
      REQUIRE(sum[i] == a[i] + b[i]);
  }
  std::puts("vector_add: 5 sizes");
}
