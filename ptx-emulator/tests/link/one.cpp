// Made to PTX by: clang-22 --target=nvptx64-nvidia-cuda -march=sm_90 -Xclang -target-feature -Xclang +ptx83 -nogpulib
// -fno-exceptions -gline-tables-only -O0 or -O2 -S. The PTX is kept beside this file; nvlink links it too.
#define GLOBAL __attribute__((address_space(1)))
#define SHARED __attribute__((address_space(3)))
extern "C" {
typedef int (*Function)(int);
struct Pair { int a; double b; };
int twice(int);                       // defined in the other unit
extern int table[4];                  // defined in the other unit, with addresses
extern Function chosen;               // pointer to a static function of the other unit
Pair swap(Pair);                      // aggregates across units
__attribute__((weak)) int level() { return 1; }       // the other unit has a strong one
inline __attribute__((noinline)) int shared_inline(int x) { return x * 3 + 1; }
static int counter = 100;             // static in both
static __attribute__((noinline)) int hidden(int x) { return x + 1000; }
SHARED int weak_room __attribute__((weak));
int total(int n, ...);
Function here = hidden;

__attribute__((device_kernel)) void first(int GLOBAL *out, int x) {
    weak_room = x;
    Pair p = swap({x, 2.5});
    out[0] = twice(x);
    out[1] = table[2];
    out[2] = chosen(x);
    out[3] = p.a + (int)(10 * p.b);
    out[4] = level();
    out[5] = shared_inline(x);
    out[6] = hidden(x) + counter++;
    out[7] = weak_room;
    out[8] = total(3, x, 2 * x, 3 * x);
}
}
