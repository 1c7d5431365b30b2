// A program whose kernels print, allocate memory and fail an assertion.
//
//   print IMAGE
#include <stdint.h>
#include <stdio.h>

typedef void *Handle;

int cuInit(unsigned);
int cuDevicePrimaryCtxRetain(Handle *, int);
int cuCtxSetCurrent(Handle);
int cuCtxSetLimit(int, size_t);
int cuCtxSynchronize(void);
int cuModuleLoad(Handle *, const char *);
int cuModuleGetFunction(Handle *, Handle, const char *);
int cuMemAlloc_v2(uint64_t *, size_t);
int cuMemcpyDtoH_v2(void *, uint64_t, size_t);
int cuLaunchKernel(Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Handle, void **,
                   void **);

enum { MALLOC_HEAP_SIZE = 2 };

static Handle module;

static int launch(const char *name, unsigned threads, void **parameters) {
    Handle kernel;
    int status = cuModuleGetFunction(&kernel, module, name);
    if (status == 0)
        status = cuLaunchKernel(kernel, 1, 1, 1, threads, 1, 1, 0, NULL, parameters, NULL);
    // What a kernel prints appears when the program waits for it.
    return status == 0 ? cuCtxSynchronize() : status;
}

int main(int count, char **arguments) {
    Handle context;
    uint64_t out, bytes = 1 << 20, address;
    void *take[] = {&bytes, &out};
    if (count != 2 || cuInit(0) != 0 || cuDevicePrimaryCtxRetain(&context, 0) != 0 ||
        cuCtxSetCurrent(context) != 0 || cuModuleLoad(&module, arguments[1]) != 0 || cuMemAlloc_v2(&out, 8) != 0)
        return 1;
    printf("before\n");
    printf("print: %d\n", launch("print", 3, NULL));
    printf("after\n");
    printf("take: %d", launch("take", 1, take));
    printf(", copy: %d", cuMemcpyDtoH_v2(&address, out, 8));
    printf(", %s\n", address == 0 ? "nothing" : "memory");
    printf("limit: %d", cuCtxSetLimit(MALLOC_HEAP_SIZE, 1 << 19));
    printf(", take: %d", launch("take", 1, take));
    printf(", copy: %d", cuMemcpyDtoH_v2(&address, out, 8));
    printf(", %s\n", address == 0 ? "nothing" : "memory");
    printf("fail: %d\n", launch("fail", 8, NULL));
    printf("synchronize: %d\n", cuCtxSynchronize());
    return 0;
}
