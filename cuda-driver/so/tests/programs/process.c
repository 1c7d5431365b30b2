// A program that forks, and ends while a kernel runs.
//
//   process IMAGE
#include <stdint.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

typedef void *Handle;

int cuInit(unsigned);
int cuDeviceGetCount(int *);
int cuDevicePrimaryCtxRetain(Handle *, int);
int cuCtxSetCurrent(Handle);
int cuCtxSynchronize(void);
int cuGetErrorName(int, const char **);
int cuMemAlloc_v2(uint64_t *, size_t);
int cuMemcpyHtoD_v2(uint64_t, const void *, size_t);
int cuModuleLoad(Handle *, const char *);
int cuModuleGetFunction(Handle *, Handle, const char *);
int cuLaunchKernel(Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Handle, void **,
                   void **);
int cuStreamCreate(Handle *, unsigned);
int cuStreamQuery(Handle);

int main(int count, char **arguments) {
    Handle context, module, kernel, stream;
    uint64_t flag;
    uint32_t one = 1;
    void *parameters[] = {&flag};
    if (count != 2 || cuInit(0) != 0 || cuDevicePrimaryCtxRetain(&context, 0) != 0 || cuCtxSetCurrent(context) != 0 ||
        cuModuleLoad(&module, arguments[1]) != 0 || cuModuleGetFunction(&kernel, module, "wait") != 0 ||
        cuMemAlloc_v2(&flag, 4) != 0 || cuStreamCreate(&stream, 1) != 0)
        return 1;
    printf("launch: %d\n", cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, stream, parameters, NULL));
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        const char *name = "?";
        int devices, status = cuCtxSynchronize();
        cuGetErrorName(status, &name);
        printf("child: %d %s, %d, %d\n", status, name, cuInit(0), cuDeviceGetCount(&devices));
        fflush(stdout);
        _exit(0);
    }
    int status = 1;
    waitpid(child, &status, 0);
    printf("child ended: %d, query: %d\n", status, cuStreamQuery(stream));
    printf("copy: %d\n", cuMemcpyHtoD_v2(flag, &one, 4));
    printf("synchronize: %d\n", cuCtxSynchronize());
    one = 0;
    printf("copy: %d\n", cuMemcpyHtoD_v2(flag, &one, 4));
    // This kernel never ends, and nobody waits for it.
    printf("launch: %d\n", cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, stream, parameters, NULL));
    return 0;
}
