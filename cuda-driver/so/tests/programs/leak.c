// A program whose kernel allocates a block of the device heap in each of its threads. Letters say what it does then:
// f frees the first thread's block, s waits for the device, r releases the context, d allocates 1000 bytes of device
// memory, m 200 bytes of managed memory, h pinned memory, x frees what d allocated last.
//
//   leak IMAGE THREADS LETTERS
#include <stdio.h>
#include <stdlib.h>

typedef void *Handle;

int cuInit(unsigned);
int cuDevicePrimaryCtxRetain(Handle *, int);
int cuDevicePrimaryCtxRelease_v2(int);
int cuCtxSetCurrent(Handle);
int cuCtxSynchronize(void);
int cuMemAlloc_v2(unsigned long long *, size_t);
int cuMemAllocManaged(unsigned long long *, size_t, unsigned);
int cuMemAllocHost_v2(void **, size_t);
int cuMemFree_v2(unsigned long long);
int cuModuleLoad(Handle *, const char *);
int cuModuleGetFunction(Handle *, Handle, const char *);
int cuLaunchKernel(Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Handle, void **,
                   void **);

int main(int count, char **arguments) {
    Handle context, module, take, give;
    unsigned long long device = 0, managed;
    void *pinned;
    if (count < 4 || cuInit(0) != 0 || cuDevicePrimaryCtxRetain(&context, 0) != 0 || cuCtxSetCurrent(context) != 0 ||
        cuModuleLoad(&module, arguments[1]) != 0 || cuModuleGetFunction(&take, module, "take") != 0 ||
        cuModuleGetFunction(&give, module, "give") != 0)
        return 1;
    if (cuLaunchKernel(take, 1, 1, 1, (unsigned)atoi(arguments[2]), 1, 1, 0, NULL, NULL, NULL) != 0) return 2;
    for (const char *letters = arguments[3]; *letters; letters++) {
        if (*letters == 'f' && cuLaunchKernel(give, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL) != 0) return 3;
        if (*letters == 'r' && cuDevicePrimaryCtxRelease_v2(0) != 0) return 4;
        if (*letters == 's' && cuCtxSynchronize() != 0) return 5;
        if (*letters == 'd' && cuMemAlloc_v2(&device, 1000) != 0) return 6;
        if (*letters == 'm' && cuMemAllocManaged(&managed, 200, 1) != 0) return 7;
        if (*letters == 'h' && cuMemAllocHost_v2(&pinned, 300) != 0) return 8;
        if (*letters == 'x' && cuMemFree_v2(device) != 0) return 9;
    }
    puts("done");
    return 0;
}
