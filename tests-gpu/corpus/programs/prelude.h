// Declarations for every program of the corpus. A program reads ITEMS items of IN words and writes OUT words
// for each.

typedef signed char i8;
typedef unsigned char u8;
typedef short i16;
typedef unsigned short u16;
typedef int i32;
typedef unsigned u32;
typedef long long i64;
typedef unsigned long long u64;
typedef __SIZE_TYPE__ size;
#ifndef __cplusplus
typedef _Bool bool;
#endif

enum { IN = 64, OUT = 16, THREADS = 128, BLOCKS = 2, ITEMS = THREADS * BLOCKS };

#ifdef __cplusplus
#define C_LINKAGE extern "C"
#else
#define C_LINKAGE
#endif

// A program is either a function `item`, called for every item on the device and on the host ...
C_LINKAGE void item(const u32 *in, u32 *out);

// ... or `kernel`, run by BLOCKS blocks of THREADS threads, and on the host `reference`, which computes the
// expected output.
#ifdef __NVPTX__
#define KERNEL C_LINKAGE __attribute__((nvptx_kernel)) void
#define SHARED static __attribute__((address_space(3)))
#define thread_id() ((u32)__nvvm_read_ptx_sreg_tid_x())
#define block_id() ((u32)__nvvm_read_ptx_sreg_ctaid_x())
#define lane_id() ((u32)__nvvm_read_ptx_sreg_laneid())
#define barrier() __syncthreads()
#else
C_LINKAGE void reference(const u32 *in, u32 *out, u32 n);
#endif
