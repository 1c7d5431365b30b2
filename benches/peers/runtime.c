// The part of CUDA's runtime API that the CUDA peers call, over the driver API: NVIDIA's own runtime library asks the
// driver for tables that no document describes, which the emulated driver does not have.
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>

enum { MODULES = 8, FUNCTIONS = 1024 };

static CUmodule modules[MODULES];
static int module_count;
static struct {
  const void *host;
  CUfunction kernel;
} functions[FUNCTIONS];
static int function_count;
static cudaError_t last;

// The results of both APIs have the same numbers where they are used here.
static cudaError_t result(CUresult error) { return error ? last = (cudaError_t)error : cudaSuccess; }

static void require(CUresult error, const char *what) {
  if (!error) return;
  fprintf(stderr, "%s: CUDA error %d\n", what, (int)error);
  exit(1);
}

static void start(void) {
  static int started;
  CUdevice device;
  CUcontext context;
  if (started++) return;
  require(cuInit(0), "cuInit");
  require(cuDeviceGet(&device, 0), "cuDeviceGet");
  require(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
  require(cuCtxSetCurrent(context), "cuCtxSetCurrent");
}

struct image {
  int magic, version;
  const void *data;
  void *unused;
};

void **__cudaRegisterFatBinary(void *image) {
  start();
  if (module_count == MODULES) abort();
  require(cuModuleLoadData(&modules[module_count], ((struct image *)image)->data), "cuModuleLoadData");
  return (void **)&modules[module_count++];
}

void __cudaRegisterFatBinaryEnd(void **module) { (void)module; }
void __cudaUnregisterFatBinary(void **module) { (void)module; }

void __cudaRegisterFunction(void **module, const char *host, char *device, const char *name, int limit, void *tid,
                            void *bid, void *block, void *grid, int *warp) {
  (void)device, (void)limit, (void)tid, (void)bid, (void)block, (void)grid, (void)warp;
  if (function_count == FUNCTIONS) abort();
  functions[function_count].host = host;
  require(cuModuleGetFunction(&functions[function_count++].kernel, *(CUmodule *)module, name), name);
}

void __cudaRegisterVar(void **module, char *host, char *device, const char *name, int external, size_t size,
                       int constant, int global) {
  (void)module, (void)host, (void)device, (void)name, (void)external, (void)size, (void)constant, (void)global;
}

static CUfunction kernel_of(const void *host) {
  for (int i = 0; i < function_count; i++)
    if (functions[i].host == host) return functions[i].kernel;
  fprintf(stderr, "a kernel that is not registered\n");
  exit(1);
}

static struct {
  dim3 grid, block;
  size_t shared;
  void *stream;
} next;

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream) {
  next.grid = grid, next.block = block, next.shared = shared, next.stream = stream;
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream) {
  *grid = next.grid, *block = next.block, *shared = next.shared, *(void **)stream = next.stream;
  return cudaSuccess;
}

static cudaError_t launch(CUfunction kernel, dim3 grid, dim3 block, void **arguments, size_t shared, void *stream) {
  return result(cuLaunchKernel(kernel, grid.x, grid.y, grid.z, block.x, block.y, block.z, shared, stream, arguments, 0));
}

cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *host) {
  *kernel = (cudaKernel_t)kernel_of(host);
  return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
                               cudaStream_t stream) {
  return launch((CUfunction)kernel, grid, block, arguments, shared, stream);
}

cudaError_t cudaLaunchKernel(const void *host, dim3 grid, dim3 block, void **arguments, size_t shared,
                             cudaStream_t stream) {
  return launch(kernel_of(host), grid, block, arguments, shared, stream);
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device) {
  start();
  return result(cuDeviceGetAttribute(value, (CUdevice_attribute)attribute, device));
}

cudaError_t cudaGetDevice(int *device) {
  *device = 0;
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) { return device ? cudaErrorInvalidDevice : cudaSuccess; }

cudaError_t cudaGetDeviceCount(int *count) {
  *count = 1;
  return cudaSuccess;
}

const char *cudaGetErrorString(cudaError_t error) {
  const char *text = "unknown error";
  cuGetErrorString((CUresult)error, &text);
  return text;
}

cudaError_t cudaGetLastError(void) {
  cudaError_t error = last;
  last = cudaSuccess;
  return error;
}

cudaError_t cudaPeekAtLastError(void) { return last; }

cudaError_t cudaMalloc(void **memory, size_t bytes) {
  start();
  return result(cuMemAlloc((CUdeviceptr *)memory, bytes));
}

cudaError_t cudaMallocAsync(void **memory, size_t bytes, cudaStream_t stream) {
  start();
  return result(cuMemAllocAsync((CUdeviceptr *)memory, bytes, stream));
}

cudaError_t cudaFreeAsync(void *memory, cudaStream_t stream) {
  return result(cuMemFreeAsync((CUdeviceptr)memory, stream));
}

cudaError_t cudaFree(void *memory) { return result(cuMemFree((CUdeviceptr)memory)); }

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
  return kind == cudaMemcpyHostToDevice ? result(cuMemcpyHtoD((CUdeviceptr)to, from, bytes))
                                        : result(cuMemcpyDtoH(to, (CUdeviceptr)from, bytes));
}

cudaError_t cudaMemsetAsync(void *memory, int value, size_t bytes, cudaStream_t stream) {
  return result(cuMemsetD8Async((CUdeviceptr)memory, value, bytes, stream));
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return result(cuStreamSynchronize(stream)); }

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *host, int threads,
                                                                   size_t shared, unsigned flags) {
  return result(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, kernel_of(host), threads, shared, flags));
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *found, const void *host) {
  CUfunction kernel = kernel_of(host);
  const struct cudaFuncAttributes none = {0};
  *found = none;
  cudaError_t error = result(cuFuncGetAttribute(&found->maxThreadsPerBlock, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel));
  if (!error) error = result(cuFuncGetAttribute(&found->numRegs, CU_FUNC_ATTRIBUTE_NUM_REGS, kernel));
  if (!error) error = result(cuFuncGetAttribute(&found->ptxVersion, CU_FUNC_ATTRIBUTE_PTX_VERSION, kernel));
  if (!error) error = result(cuFuncGetAttribute(&found->binaryVersion, CU_FUNC_ATTRIBUTE_BINARY_VERSION, kernel));
  return error;
}
