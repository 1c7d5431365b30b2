// A program whose threads call the driver while it forks. Children call the driver, or end at once.
//
//   fork COUNT
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

typedef void *Handle;

int cuInit(unsigned);
int cuDevicePrimaryCtxRetain(Handle *, int);
int cuCtxSetCurrent(Handle);
int cuMemAlloc_v2(unsigned long *, size_t);
int cuMemFree_v2(unsigned long);
int cuMemGetInfo_v2(size_t *, size_t *);

static Handle context;
static volatile int stop;

static void *call(void *unused) {
    size_t free, total;
    unsigned long address;
    cuCtxSetCurrent(context);
    while (!stop) {
        cuMemAlloc_v2(&address, 64);
        cuMemGetInfo_v2(&free, &total);
        cuMemFree_v2(address);
    }
    return unused;
}

int main(int count, char **arguments) {
    pthread_t threads[2];
    int ended = 0, hung = 0, other = 0;
    if (count != 2 || cuInit(0) != 0 || cuDevicePrimaryCtxRetain(&context, 0) != 0)
        return 1;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, call, NULL);
    for (int i = 0; i < atoi(arguments[1]) && hung < 3; i++) {
        pid_t child = fork();
        if (child == 0) {
            size_t free, total;
            if (i % 2 == 1 && cuMemGetInfo_v2(&free, &total) != 3)
                _exit(9);
            // What is registered for the end of the process runs.
            exit(0);
        }
        int status = 0, waited = 0;
        while (waitpid(child, &status, WNOHANG) == 0 && ++waited < 20000)
            usleep(1000);
        if (waited == 20000) {
            hung++;
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
        } else if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
            ended++;
        } else {
            other++;
        }
    }
    stop = 1;
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d ended, %d hung, %d failed\n", ended, hung, other);
    return 0;
}
