// Transposed matrices through tiles of shared memory, with one and four rows a thread, and in place.
#include "check.h"

constexpr int Tile = 32, Rows = 8;

__global__ void transpose(const double *in, double *out, int width, int height) {
  __shared__ double tile[Tile][Tile + 1];
  int x = blockIdx.x * Tile + threadIdx.x, y = blockIdx.y * Tile + threadIdx.y;
  for (int row = 0; row < Tile; row += Rows)
    if (x < width && y + row < height)
      tile[threadIdx.y + row][threadIdx.x] = in[(y + row) * width + x];
  __syncthreads();
  x = blockIdx.y * Tile + threadIdx.x;
  y = blockIdx.x * Tile + threadIdx.y;
  for (int row = 0; row < Tile; row += Rows)
    if (x < height && y + row < width)
      out[(y + row) * height + x] = tile[threadIdx.x][threadIdx.y + row];
}

__global__ void in_place(double *data, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < y && y < n) {
    double value = data[y * n + x];
    data[y * n + x] = data[x * n + y];
    data[x * n + y] = value;
  }
}

int main() {
  const int width = 77, height = 45, n = 51;
  std::vector<double> host(width * height), square(n * n);
  for (int i = 0; i < width * height; i++)
    host[i] = i * 0.5;
  for (int i = 0; i < n * n; i++)
    square[i] = -i;
  DeviceBuffer<double> in(host), out(host.size()), device_square(square);
  transpose<<<dim3(blocks_for(width, Tile), blocks_for(height, Tile)), dim3(Tile, Rows)>>>(in, out, width, height);
  in_place<<<dim3(blocks_for(n, 16), blocks_for(n, 16)), dim3(16, 16)>>>(device_square, n);
  finish_launch();
  std::vector<double> found = out.host(), found_square = device_square.host();
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      REQUIRE(found[x * height + y] == host[y * width + x]);
  for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++)
      REQUIRE(found_square[y * n + x] == square[x * n + y]);
  std::puts("transpose: 2 kernels");
}
