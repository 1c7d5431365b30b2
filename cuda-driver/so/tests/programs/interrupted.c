// A program that a signal ends in the middle of a launch of very many blocks, or while it loads modules.
//
//   interrupted launch|load IMAGE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void *Handle;

int cuInit(unsigned);
int cuCtxCreate_v2(Handle *, unsigned, int);
int cuCtxSynchronize(void);
int cuModuleLoad(Handle *, const char *);
int cuModuleUnload(Handle);
int cuModuleGetFunction(Handle *, Handle, const char *);
int cuLaunchKernel(Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Handle, void **,
                   void **);

int main(int count, char **arguments) {
    // A process that was started in the background may ignore it.
    signal(SIGINT, SIG_DFL);
    Handle context, module, function;
    if (count != 3 || cuInit(0) != 0 || cuCtxCreate_v2(&context, 0, 0) != 0)
        return 1;
    if (strcmp(arguments[1], "load") == 0) {
        puts("ready");
        fflush(stdout);
        while (cuModuleLoad(&module, arguments[2]) == 0)
            cuModuleUnload(module);
        return 2;
    }
    if (cuModuleLoad(&module, arguments[2]) != 0 || cuModuleGetFunction(&function, module, "empty") != 0)
        return 3;
    if (cuLaunchKernel(function, 0x7fffffff, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL) != 0)
        return 4;
    puts("ready");
    fflush(stdout);
    cuCtxSynchronize();
    // The signal ends the process once its launches are reported.
    for (;;)
        ;
}
