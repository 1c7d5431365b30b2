// Graphs: captured from two streams, made of nodes, updated, cloned, with a graph inside, and launched several times.
#include "check.h"

__global__ void add(int *data, int n, int value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] += value;
}

__global__ void twice(int *to, const int *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = 2 * from[i];
}

static void count(void *data) { ++*(int *)data; }

int main() {
  const int n = 1001;
  int *a, *b, host[n], calls = 0;
  CUDA(cudaMalloc(&a, sizeof host));
  CUDA(cudaMalloc(&b, sizeof host));
  CUDA(cudaMemset(a, 0, sizeof host));

  // Captured: the second stream joins by an event, and is joined again.
  cudaStream_t first, second;
  cudaEvent_t fork, join;
  CUDA(cudaStreamCreate(&first));
  CUDA(cudaStreamCreate(&second));
  CUDA(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  CUDA(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
  CUDA(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  add<<<8, 128, 0, first>>>(a, n, 1);
  CUDA(cudaEventRecord(fork, first));
  CUDA(cudaStreamWaitEvent(second, fork, 0));
  twice<<<8, 128, 0, second>>>(b, a, n);
  CUDA(cudaEventRecord(join, second));
  CUDA(cudaStreamWaitEvent(first, join, 0));
  CUDA(cudaMemcpyAsync(host, b, sizeof host, cudaMemcpyDeviceToHost, first));
  CUDA(cudaLaunchHostFunc(first, count, &calls));
  cudaStreamCaptureStatus status;
  CUDA(cudaStreamIsCapturing(second, &status));
  REQUIRE(status == cudaStreamCaptureStatusActive);
  cudaGraph_t graph;
  CUDA(cudaStreamEndCapture(first, &graph));
  size_t nodes = 0;
  CUDA(cudaGraphGetNodes(graph, nullptr, &nodes));
  REQUIRE(nodes == 4);
  REQUIRE(calls == 0);
  cudaGraphExec_t ready;
  CUDA(cudaGraphInstantiate(&ready, graph, 0));
  for (int k = 1; k <= 3; k++) {
    CUDA(cudaGraphLaunch(ready, first));
    CUDA(cudaStreamSynchronize(first));
    REQUIRE(calls == k);
    for (int i = 0; i < n; i++)
      REQUIRE(host[i] == 2 * k);
  }

  // Another value for the kernel that adds, in the graph that is ready.
  cudaGraphNode_t root;
  size_t roots = 1;
  CUDA(cudaGraphGetRootNodes(graph, &root, &roots));
  REQUIRE(roots == 1);
  cudaGraphNodeType type;
  CUDA(cudaGraphNodeGetType(root, &type));
  REQUIRE(type == cudaGraphNodeTypeKernel);
  cudaKernelNodeParams kernel;
  CUDA(cudaGraphKernelNodeGetParams(root, &kernel));
  REQUIRE(kernel.func == (void *)add && kernel.gridDim.x == 8 && kernel.blockDim.x == 128);
  REQUIRE(*(int *)kernel.kernelParams[2] == 1);
  int length = n, value = 10;
  void *arguments[] = {&a, &length, &value};
  kernel.kernelParams = arguments;
  CUDA(cudaGraphExecKernelNodeSetParams(ready, root, &kernel));
  CUDA(cudaGraphLaunch(ready, first));
  CUDA(cudaStreamSynchronize(first));
  for (int i = 0; i < n; i++)
    REQUIRE(host[i] == 26);

  // Made of nodes: a fill, then two launches in turn, one of them in a graph of its own.
  cudaGraph_t made, inner;
  cudaGraphNode_t fill, child, last, copy;
  CUDA(cudaGraphCreate(&made, 0));
  CUDA(cudaGraphCreate(&inner, 0));
  value = 5;
  CUDA(cudaGraphAddKernelNode(&child, inner, nullptr, 0, &kernel));
  cudaMemsetParams zero = {};
  zero.dst = a, zero.elementSize = 4, zero.width = n, zero.height = 1, zero.value = 7;
  CUDA(cudaGraphAddMemsetNode(&fill, made, nullptr, 0, &zero));
  CUDA(cudaGraphAddChildGraphNode(&child, made, &fill, 1, inner));
  void *others[] = {&b, &a, &length};
  cudaKernelNodeParams doubling = kernel;
  doubling.func = (void *)twice, doubling.kernelParams = others;
  CUDA(cudaGraphAddKernelNode(&last, made, &child, 1, &doubling));
  CUDA(cudaGraphAddMemcpyNode1D(&copy, made, &last, 1, host, b, sizeof host, cudaMemcpyDeviceToHost));
  cudaGraphExec_t other;
  CUDA(cudaGraphInstantiate(&other, made, 0));
  CUDA(cudaGraphLaunch(other, second));
  CUDA(cudaStreamSynchronize(second));
  for (int i = 0; i < n; i++)
    REQUIRE(host[i] == 24);

  // A clone of it with another fill, and an update of the graph that is ready.
  cudaGraph_t clone;
  cudaGraphNode_t cloned;
  CUDA(cudaGraphClone(&clone, made));
  CUDA(cudaGraphNodeFindInClone(&cloned, fill, clone));
  zero.value = 100;
  CUDA(cudaGraphMemsetNodeSetParams(cloned, &zero));
  cudaGraphExecUpdateResultInfo result;
  CUDA(cudaGraphExecUpdate(other, clone, &result));
  REQUIRE(result.result == cudaGraphExecUpdateSuccess);
  CUDA(cudaGraphLaunch(other, second));
  CUDA(cudaStreamSynchronize(second));
  for (int i = 0; i < n; i++)
    REQUIRE(host[i] == 210);
  REQUIRE(cudaGraphExecUpdate(other, graph, &result) == cudaErrorGraphExecUpdateFailure);

  // What a capture does not allow.
  CUDA(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  REQUIRE(cudaStreamSynchronize(first) == cudaErrorStreamCaptureUnsupported);
  cudaGraph_t none;
  REQUIRE(cudaStreamEndCapture(first, &none) == cudaErrorStreamCaptureInvalidated && none == nullptr);
  CUDA(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  CUDA(cudaEventRecord(fork, first));
  CUDA(cudaStreamWaitEvent(second, fork, 0));
  add<<<8, 128, 0, second>>>(a, n, 1);
  REQUIRE(cudaStreamEndCapture(second, &none) == cudaErrorStreamCaptureUnmatched);
  REQUIRE(cudaStreamEndCapture(first, &none) == cudaErrorStreamCaptureUnjoined);
  REQUIRE(cudaStreamBeginCapture(cudaStreamLegacy, cudaStreamCaptureModeGlobal) == cudaErrorStreamCaptureUnsupported);
  cudaGetLastError();

  CUDA(cudaGraphExecDestroy(other));
  CUDA(cudaGraphExecDestroy(ready));
  for (cudaGraph_t each : {graph, made, inner, clone})
    CUDA(cudaGraphDestroy(each));
  CUDA(cudaDeviceSynchronize());
  std::printf("graph: %d launches\n", calls + 2);
}
