// cudaMemset of bytes, rectangles and boxes, in a stream and in order.
#include "check.h"

int main() {
  const int n = 1001;
  DeviceBuffer<unsigned char> bytes(n);
  CUDA(cudaMemset(bytes, 0x11, n));
  CUDA(cudaMemset(bytes + 100, 0xab, 301));
  std::vector<unsigned char> host = bytes.host();
  for (int i = 0; i < n; i++)
    REQUIRE(host[i] == (i >= 100 && i < 401 ? 0xab : 0x11));

  const int pitch = 64, width = 45, height = 13;
  CUDA(cudaMemset2D(bytes, pitch, 0x77, width, height));
  host = bytes.host();
  for (int i = 0; i < pitch * height; i++) {
    int before = i >= 100 && i < 401 ? 0xab : 0x11;
    REQUIRE(host[i] == (i % pitch < width ? 0x77 : before));
  }

  cudaPitchedPtr box = make_cudaPitchedPtr(bytes.data, 32, 32, 6);
  cudaStream_t stream;
  CUDA(cudaStreamCreate(&stream));
  CUDA(cudaMemsetAsync(bytes, 0, n, stream));
  CUDA(cudaMemset3DAsync(box, 0x05, make_cudaExtent(9, 4, 5), stream));
  CUDA(cudaStreamSynchronize(stream));
  CUDA(cudaStreamDestroy(stream));
  host = bytes.host();
  for (int i = 0; i < n; i++) {
    int x = i % 32, y = i / 32 % 6, z = i / (32 * 6);
    REQUIRE(host[i] == (x < 9 && y < 4 && z < 5 ? 5 : 0));
  }
  std::puts("memset: 1, 2 and 3 dimensions");
}
