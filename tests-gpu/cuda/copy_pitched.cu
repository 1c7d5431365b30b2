// Copies of rectangles and boxes between pitched memory and the host.
#include "check.h"

__global__ void negate(char *base, std::size_t pitch, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) {
    float *row = reinterpret_cast<float *>(base + y * pitch);
    row[x] = -row[x];
  }
}

__global__ void add_index(cudaPitchedPtr box, cudaExtent extent) {
  int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
  char *slice = static_cast<char *>(box.ptr) + z * box.pitch * extent.height;
  int *row = reinterpret_cast<int *>(slice + y * box.pitch);
  row[x] += 100 * y + 10000 * z;
}

void two_dimensions() {
  const int width = 37, height = 19;
  std::vector<float> host(width * height), result(width * height, 0.0f);
  for (int i = 0; i < width * height; i++)
    host[i] = i + 1;
  char *device;
  std::size_t pitch;
  CUDA(cudaMallocPitch(&device, &pitch, width * sizeof(float), height));
  REQUIRE(pitch >= width * sizeof(float) && pitch % 16 == 0);
  CUDA(cudaMemcpy2D(device, pitch, host.data(), width * sizeof(float), width * sizeof(float), height,
                    cudaMemcpyHostToDevice));
  negate<<<dim3(2, 3), dim3(32, 8)>>>(device, pitch, width, height);
  CUDA(cudaGetLastError());
  // The rectangle of 20 x 10 at (3, 4), into the same place.
  CUDA(cudaMemcpy2D(&result[4 * width + 3], width * sizeof(float), device + 4 * pitch + 3 * sizeof(float), pitch,
                    20 * sizeof(float), 10, cudaMemcpyDeviceToHost));
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      bool inside = x >= 3 && x < 23 && y >= 4 && y < 14;
      REQUIRE(result[y * width + x] == (inside ? -host[y * width + x] : 0));
    }
  CUDA(cudaFree(device));
}

void three_dimensions() {
  const int width = 21, height = 5, depth = 3;
  std::vector<int> host(width * height * depth), result(host.size());
  for (std::size_t i = 0; i < host.size(); i++)
    host[i] = static_cast<int>(i);
  cudaExtent extent = make_cudaExtent(width * sizeof(int), height, depth);
  cudaPitchedPtr device;
  CUDA(cudaMalloc3D(&device, extent));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(host.data(), width * sizeof(int), width, height);
  copy.dstPtr = device;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  CUDA(cudaMemcpy3D(&copy));
  add_index<<<dim3(height, depth), width>>>(device, extent);
  CUDA(cudaGetLastError());
  copy = {};
  copy.srcPtr = device;
  copy.dstPtr = make_cudaPitchedPtr(result.data(), width * sizeof(int), width, height);
  copy.extent = extent;
  copy.kind = cudaMemcpyDeviceToHost;
  CUDA(cudaMemcpy3DAsync(&copy, nullptr));
  CUDA(cudaStreamSynchronize(nullptr));
  for (int z = 0; z < depth; z++)
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++) {
        int i = (z * height + y) * width + x;
        REQUIRE(result[i] == host[i] + 100 * y + 10000 * z);
      }
  CUDA(cudaFree(device.ptr));
}

int main() {
  two_dimensions();
  three_dimensions();
  std::puts("copy_pitched: 2 and 3 dimensions");
}
