// A blur of an image with a border of shared memory, repeated with two buffers.
#include "check.h"
#include <algorithm>

constexpr int Tile = 16, Radius = 2;
__constant__ int kernel_weights[2 * Radius + 1];

__global__ void blur(const int *in, int *out, int width, int height) {
  __shared__ int tile[Tile + 2 * Radius][Tile + 2 * Radius + 1];
  int x0 = blockIdx.x * Tile - Radius, y0 = blockIdx.y * Tile - Radius;
  for (int y = threadIdx.y; y < Tile + 2 * Radius; y += Tile)
    for (int x = threadIdx.x; x < Tile + 2 * Radius; x += Tile) {
      int from_x = min(max(x0 + x, 0), width - 1), from_y = min(max(y0 + y, 0), height - 1);
      tile[y][x] = in[from_y * width + from_x];
    }
  __syncthreads();
  int x = blockIdx.x * Tile + threadIdx.x, y = blockIdx.y * Tile + threadIdx.y;
  if (x < width && y < height) {
    int sum = 0;
#pragma unroll
    for (int dy = 0; dy <= 2 * Radius; dy++)
#pragma unroll
      for (int dx = 0; dx <= 2 * Radius; dx++)
        sum += kernel_weights[dy] * kernel_weights[dx] * tile[threadIdx.y + dy][threadIdx.x + dx];
    out[y * width + x] = sum >> 8;
  }
}

int main() {
  const int width = 53, height = 41, weights[] = {1, 4, 6, 4, 1};
  std::vector<int> image(width * height), next(image.size());
  Numbers numbers(11);
  for (int &pixel : image)
    pixel = numbers.below(256) << 8;
  DeviceBuffer<int> a(image), b(image.size());
  CUDA(cudaMemcpyToSymbol(kernel_weights, weights, sizeof weights));
  int *from = a, *to = b;
  for (int round = 0; round < 3; round++) {
    blur<<<dim3(blocks_for(width, Tile), blocks_for(height, Tile)), dim3(Tile, Tile)>>>(from, to, width, height);
    std::swap(from, to);
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++) {
        int sum = 0;
        for (int dy = -Radius; dy <= Radius; dy++)
          for (int dx = -Radius; dx <= Radius; dx++) {
            int at_x = std::min(std::max(x + dx, 0), width - 1), at_y = std::min(std::max(y + dy, 0), height - 1);
            sum += weights[dy + Radius] * weights[dx + Radius] * image[at_y * width + at_x];
          }
        next[y * width + x] = sum >> 8;
      }
    image.swap(next);
  }
  finish_launch();
  REQUIRE(b.host() == image);
  std::puts("stencil: 3 rounds");
}
