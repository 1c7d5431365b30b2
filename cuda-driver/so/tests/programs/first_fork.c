// A program that forks while another of its threads is inside the first call of the driver.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int cuInit(unsigned);
int cuDeviceGetCount(int *);

static atomic_int inside, forked;

// The library calls this function of LLVM's in its first call, if the program has it.
void LLVMInitializeNVPTXTargetInfo(void) {
    inside = 1;
    while (!forked)
        usleep(1000);
}

static void *call(void *unused) {
    if (cuInit(0) != 0)
        printf("cuInit failed\n");
    return unused;
}

int main(void) {
    pthread_t thread;
    int status = -1, count = 0;
    pthread_create(&thread, NULL, call, NULL);
    while (!inside)
        usleep(1000);
    pid_t child = fork();
    if (child == 0) {
        // A call that waits ends with this signal.
        alarm(20);
        int first = cuInit(0), second = cuDeviceGetCount(&count);
        _exit(first == 3 && second == 3 ? 0 : 1);
    }
    waitpid(child, &status, 0);
    forked = 1;
    pthread_join(thread, NULL);
    printf("child: %d\n", status);
    printf("parent: %d", cuDeviceGetCount(&count));
    printf(" %d\n", count);
    return 0;
}
