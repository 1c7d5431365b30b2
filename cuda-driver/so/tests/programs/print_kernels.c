// The kernels of print.c, compiled by clang for the device.
typedef __builtin_va_list va_list;
#define GLOBAL __attribute__((address_space(1)))
#define KERNEL __attribute__((device_kernel))

int vprintf(const char *, void *);
void *malloc(unsigned long);
__attribute__((noreturn)) void __assertfail(const char *, const char *, unsigned, const char *, unsigned long);

struct Arguments {
    int thread;
    double half;
    const char *text;
};

KERNEL void print(void) {
    struct Arguments arguments = {__nvvm_read_ptx_sreg_tid_x(), 0.5 * __nvvm_read_ptx_sreg_tid_x(), "done"};
    int used = vprintf("thread %d: %5.2f %s\n", &arguments);
    if (used != 3)
        __assertfail("used == 3", __FILE__, __LINE__, __func__, 1);
}

KERNEL void take(unsigned long bytes, void *GLOBAL *out) {
    *out = malloc(bytes);
}

KERNEL void fail(void) {
    if (__nvvm_read_ptx_sreg_tid_x() == 6)
        __assertfail("1 == 2", "fail.c", 7, "fail", 1);
}
