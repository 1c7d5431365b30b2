// Products of matrices: naive, with tiles in static and in dynamic shared memory, and with more than 48 KiB of it.
#include "check.h"

__global__ void naive(const float *a, const float *b, float *c, int m, int n, int k) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < m && column < n) {
    float sum = 0;
    for (int i = 0; i < k; i++)
      sum += a[row * k + i] * b[i * n + column];
    c[row * n + column] = sum;
  }
}

constexpr int Tile = 16;

__device__ void product_of_tiles(float *a_tile, float *b_tile, const float *a, const float *b, float *c, int m, int n,
                                 int k) {
  int column = blockIdx.x * Tile + threadIdx.x, row = blockIdx.y * Tile + threadIdx.y;
  int at = threadIdx.y * Tile + threadIdx.x;
  float sum = 0;
  for (int first = 0; first < k; first += Tile) {
    int i = first + threadIdx.x, j = first + threadIdx.y;
    a_tile[at] = row < m && i < k ? a[row * k + i] : 0;
    b_tile[at] = column < n && j < k ? b[j * n + column] : 0;
    __syncthreads();
    for (int i = 0; i < Tile; i++)
      sum += a_tile[threadIdx.y * Tile + i] * b_tile[i * Tile + threadIdx.x];
    __syncthreads();
  }
  if (row < m && column < n)
    c[row * n + column] = sum;
}

__global__ void tiled(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float a_tile[Tile * Tile], b_tile[Tile * Tile];
  product_of_tiles(a_tile, b_tile, a, b, c, m, n, k);
}

__global__ void tiled_dynamic(const float *a, const float *b, float *c, int m, int n, int k) {
  extern __shared__ float tiles[];
  product_of_tiles(tiles, tiles + Tile * Tile, a, b, c, m, n, k);
}

// A block keeps rows of b in shared memory, more than 48 KiB.
__global__ void whole_matrix(const float *a, const float *b, float *c, int m, int n, int k) {
  extern __shared__ float whole[];
  for (int i = threadIdx.x; i < k * n; i += blockDim.x)
    whole[i] = b[i];
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < m * n; i += gridDim.x * blockDim.x) {
    float sum = 0;
    for (int j = 0; j < k; j++)
      sum += a[i / n * k + j] * whole[j * n + i % n];
    c[i] = sum;
  }
}

int main() {
  const int m = 45, n = 131, k = 117;
  std::vector<float> a(m * k), b(k * n), expected(m * n, 0.0f);
  Numbers numbers(1);
  // Small integers: every order of the additions has the same sum.
  for (float &value : a)
    value = numbers.below(9) - 4;
  for (float &value : b)
    value = numbers.below(9) - 4;
  for (int row = 0; row < m; row++)
    for (int i = 0; i < k; i++)
      for (int column = 0; column < n; column++)
        expected[row * n + column] += a[row * k + i] * b[i * n + column];

  DeviceBuffer<float> da(a), db(b), dc(m * n);
  dim3 block(Tile, Tile), grid(blocks_for(n, Tile), blocks_for(m, Tile));
  auto check = [&] {
    finish_launch();
    REQUIRE(dc.host() == expected);
    CUDA(cudaMemset(dc, 0xff, m * n * sizeof(float)));
  };
  naive<<<grid, block>>>(da, db, dc, m, n, k);
  check();
  tiled<<<grid, block>>>(da, db, dc, m, n, k);
  check();
  tiled_dynamic<<<grid, block, 2 * Tile * Tile * sizeof(float)>>>(da, db, dc, m, n, k);
  check();

  int bytes = k * n * static_cast<int>(sizeof(float));
  REQUIRE(bytes > 48 << 10);
  whole_matrix<<<4, 256, bytes>>>(da, db, dc, m, n, k);
  REQUIRE(cudaGetLastError() == cudaErrorInvalidValue);
  CUDA(cudaFuncSetAttribute(whole_matrix, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  cudaFuncAttributes attributes;
  CUDA(cudaFuncGetAttributes(&attributes, whole_matrix));
  REQUIRE(attributes.maxDynamicSharedSizeBytes == bytes);
  whole_matrix<<<4, 256, bytes>>>(da, db, dc, m, n, k);
  check();
  std::puts("matrix_product: 4 kernels");
}
