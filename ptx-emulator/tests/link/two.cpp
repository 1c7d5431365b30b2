// Made to PTX by: clang-22 --target=nvptx64-nvidia-cuda -march=sm_90 -Xclang -target-feature -Xclang +ptx83 -nogpulib
// -fno-exceptions -gline-tables-only -O0 or -O2 -S. The PTX is kept beside this file; nvlink links it too.
#define GLOBAL __attribute__((address_space(1)))
#define SHARED __attribute__((address_space(3)))
extern "C" {
typedef int (*Function)(int);
struct Pair { int a; double b; };
int table[4] = {10, 20, 30, 40};
int *middle = &table[1];
static __attribute__((noinline)) int hidden(int x) { return x - 1000; }
Function chosen = hidden;
extern Function here;
Function *across = &here;
int twice(int x) { return 2 * x; }
Pair swap(Pair p) { return {(int)p.b, (double)p.a}; }
int level() { return 2; }
inline __attribute__((noinline)) int shared_inline(int x) { return x * 3 + 1; }
static int counter = 500;
SHARED int weak_room __attribute__((weak));

int total(int n, ...) {
    __builtin_va_list list;
    __builtin_va_start(list, n);
    int sum = 0;
    while (n-- > 0)
        sum += __builtin_va_arg(list, int);
    __builtin_va_end(list);
    return sum;
}

__attribute__((device_kernel)) void second(int GLOBAL *out, int x) {
    weak_room = 7;
    out[0] = (*across)(x);
    out[1] = *middle;
    out[2] = shared_inline(x) + hidden(x);
    out[3] = counter++;
    out[4] = weak_room;
    out[5] = level();
}
}
