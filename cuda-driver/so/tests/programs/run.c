// A program of the driver interface: loads an image, runs its kernel `fill`, and frees everything when the
// process ends, after main.
//
//   run IMAGE data|ex|fatbin|wrapper|file
//
// With -DOPEN="name" the library is opened by that name, else the program is linked with it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef void *Handle;
typedef uint64_t Address;

#define ENTRIES(E)                                                                                              \
    E(cuInit, unsigned)                                                                                          \
    E(cuDeviceGet, int *, int)                                                                                   \
    E(cuDevicePrimaryCtxRetain, Handle *, int)                                                                   \
    E(cuDevicePrimaryCtxRelease_v2, int)                                                                         \
    E(cuCtxSetCurrent, Handle)                                                                                   \
    E(cuModuleLoad, Handle *, const char *)                                                                      \
    E(cuModuleLoadData, Handle *, const void *)                                                                  \
    E(cuModuleLoadDataEx, Handle *, const void *, unsigned, int *, void **)                                      \
    E(cuModuleLoadFatBinary, Handle *, const void *)                                                             \
    E(cuModuleGetFunction, Handle *, Handle, const char *)                                                       \
    E(cuModuleGetGlobal_v2, Address *, size_t *, Handle, const char *)                                           \
    E(cuModuleUnload, Handle)                                                                                    \
    E(cuMemAlloc_v2, Address *, size_t)                                                                          \
    E(cuMemFree_v2, Address)                                                                                     \
    E(cuMemcpyHtoD_v2, Address, const void *, size_t)                                                            \
    E(cuMemcpyDtoH_v2, void *, Address, size_t)                                                                  \
    E(cuLaunchKernel, Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Handle,      \
      void **, void **)                                                                                          \
    E(cuGetProcAddress_v2, const char *, void **, int, uint64_t, int *)                                          \
    E(cuGetExportTable, const void **, const void *)                                                             \
    E(cuParamSetf, Handle, int, float)

#ifdef OPEN
#define DECLARE(name, ...) static int (*name)(__VA_ARGS__);
#else
#define DECLARE(name, ...) extern int name(__VA_ARGS__);
#endif
ENTRIES(DECLARE)

#define CHECK(call)                                                                                              \
    do {                                                                                                         \
        int status = (call);                                                                                     \
        if (status != 0) {                                                                                       \
            printf("%s: %d\n", #call, status);                                                                   \
            exit(3);                                                                                             \
        }                                                                                                        \
    } while (0)

enum { THREADS = 64, BLOCKS = 3, COUNT = THREADS * BLOCKS };

static Handle module;
static Address numbers;

static void report(const char *what, int status) {
    dprintf(1, "%s: %d\n", what, status);
}

static void at_exit(void) {
    if (numbers != 0)
        report("at exit", cuMemFree_v2(numbers));
}

__attribute__((destructor)) static void destructor(void) {
    if (module != NULL) {
        report("destructor unloads", cuModuleUnload(module));
        report("destructor releases", cuDevicePrimaryCtxRelease_v2(0));
        report("destructor after release", cuMemFree_v2(numbers));
    }
}

static void *read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        exit(4);
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *data = calloc(1, (size_t)size + 1);
    if (fread(data, 1, (size_t)size, file) != (size_t)size)
        exit(4);
    fclose(file);
    return data;
}

int main(int argc, char **argv) {
    if (argc != 3)
        return 2;
#ifdef OPEN
    void *library = dlopen(OPEN, RTLD_NOW);
    if (library == NULL) {
        puts(dlerror());
        return 5;
    }
#define FIND(name, ...) name = (int (*)(__VA_ARGS__))dlsym(library, #name);
    ENTRIES(FIND)
#endif
    int device;
    Handle context;
    CHECK(cuInit(0));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxSetCurrent(context));
    atexit(at_exit);

    const char *way = argv[2];
    if (strcmp(way, "data") == 0)
        CHECK(cuModuleLoadData(&module, read_file(argv[1])));
    else if (strcmp(way, "ex") == 0)
        CHECK(cuModuleLoadDataEx(&module, read_file(argv[1]), 0, NULL, NULL));
    else if (strcmp(way, "fatbin") == 0)
        CHECK(cuModuleLoadFatBinary(&module, read_file(argv[1])));
    else if (strcmp(way, "file") == 0)
        CHECK(cuModuleLoad(&module, argv[1]));
    else {
        struct {
            unsigned magic, version;
            const void *data;
            void *name;
        } wrapper = {0x466243b1, 1, read_file(argv[1]), NULL};
        CHECK(cuModuleLoadFatBinary(&module, &wrapper));
    }

    Handle fill;
    CHECK(cuModuleGetFunction(&fill, module, "fill"));
    CHECK(cuMemAlloc_v2(&numbers, COUNT * sizeof(unsigned)));
    // The table of the image, then one that the program writes.
    Address table;
    size_t bytes;
    CHECK(cuModuleGetGlobal_v2(&table, &bytes, module, "table"));
    printf("table: %zu bytes\n", bytes);
    unsigned first = 1000, got[COUNT];
    void *pointers[] = {&numbers, &first};
    CHECK(cuLaunchKernel(fill, BLOCKS, 1, 1, THREADS, 1, 1, 0, NULL, pointers, NULL));
    CHECK(cuMemcpyDtoH_v2(got, numbers, sizeof got));
    for (unsigned i = 0; i < COUNT; i++)
        if (got[i] != first + 1 + i)
            return 6;

    const unsigned second_table[3] = {40, 50, 60};
    CHECK(cuMemcpyHtoD_v2(table, second_table, sizeof second_table));
    struct {
        Address numbers;
        unsigned first;
    } block = {numbers, 77};
    size_t size = 12;
    void *extra[] = {(void *)1, &block, (void *)2, &size, (void *)0};
    CHECK(cuLaunchKernel(fill, BLOCKS, 1, 1, THREADS, 1, 1, 0, NULL, NULL, extra));
    CHECK(cuMemcpyDtoH_v2(got, numbers, sizeof got));
    for (unsigned i = 0; i < COUNT; i++)
        if (got[i] != 77 + 40 + i)
            return 7;

    void *entry;
    int found;
    CHECK(cuGetProcAddress_v2("cuMemFree", &entry, 12000, 0, &found));
    printf("found: %d %d\n", entry != NULL, found);
    const void *private_table;
    printf("export table: %d\n", cuGetExportTable(&private_table, "0123456789abcdef"));
    printf("no such entry: %d\n", cuParamSetf(fill, 0, 1.0f));
    fflush(stdout);
    return 0;
}
