// The older paths (docs/reduction-algorithms.md): the per-variable path and the first LLVM GPU runtime's
// precondition.

#include "warpfold.h"

static void swap_and_reduce(void *opaque, int16_t offset, int16_t size) {
  void **list = opaque;
  double *sum = list[0], remote;
  int *count = list[1], word[2];
  __builtin_memcpy(word, sum, sizeof word);
  word[0] = __nvvm_shfl_sync_down_i32(-1, word[0], offset, 31);
  word[1] = __nvvm_shfl_sync_down_i32(-1, word[1], offset, 31);
  __builtin_memcpy(&remote, word, sizeof remote);
  int more = __nvvm_shfl_sync_down_i32(-1, *count, offset, 31);
  if (__nvvm_read_ptx_sreg_tid_x() % 32 + offset < (unsigned)size) {
    *sum += remote;
    *count += more;
  }
}

// Stores each thread's return codes: of the warp stage and, if that is 3, of the block stages of the two
// variables; and the thread's values afterwards.
__attribute__((nvptx_kernel)) void baseline(const double *values, int simd, int *codes, double *sums, int *counts) {
  unsigned thread = __nvvm_read_ptx_sreg_tid_x();
  double sum = values[thread];
  int count = thread + 1;
  void *list[] = {&sum, &count};
  int code = kmpc_reduce_warp(list, swap_and_reduce, simd);
  codes[3 * thread] = code;
  if (code == 3) {
    codes[3 * thread + 1] = kmpc_reduce_block_double(&sum);
    codes[3 * thread + 2] = kmpc_reduce_block_int32(&count);
  }
  sums[thread] = sum;
  counts[thread] = count;
}

// Whether a tree can reduce a region with this number of threads and these active lanes.
__attribute__((nvptx_kernel)) void precondition(const unsigned *regions, const unsigned *lanes, int *results) {
  unsigned thread = __nvvm_read_ptx_sreg_tid_x();
  results[thread] = can_block_reduce(regions[thread], lanes[thread]);
}

static void shuffle_and_reduce(void *opaque, int16_t lane, int16_t offset, int16_t algorithm) {
  int *own = ((void **)opaque)[0];
  int remote = __nvvm_shfl_sync_down_i32(-1, *own, offset, 31);
  if (algorithm == WARPFOLD_FULL || (algorithm == WARPFOLD_CONTIGUOUS && lane < offset))
    *own += remote;
  else if (algorithm == WARPFOLD_CONTIGUOUS)
    *own = remote;
}

static __attribute__((address_space(3))) int transfer[32];

static void copy_between_warps(void *opaque, int warps) {
  int *own = ((void **)opaque)[0];
  unsigned thread = __nvvm_read_ptx_sreg_tid_x();
  __syncthreads();
  if (thread % 32 == 0)
    ((volatile __attribute__((address_space(3))) int *)transfer)[thread / 32] = *own;
  __syncthreads();
  if (thread < (unsigned)warps)
    *own = ((volatile __attribute__((address_space(3))) int *)transfer)[thread];
}

// The sum over a region of the block's first threads, twice: as the first LLVM GPU runtime computed it, by a tree or else
// by an atomic of each thread, and by the tree for any number of threads. Stores the first sum, the atomics that it took,
// and the second sum.
__attribute__((nvptx_kernel)) void both_paths(const int *values, unsigned region, int *results) {
  unsigned thread = __nvvm_read_ptx_sreg_tid_x();
  unsigned before = thread / 32 * 32, left = region > before ? region - before : 0;
  unsigned active = left >= 32 ? ~0u : (1u << left) - 1;
  int mine = thread < region ? values[thread] : 0;
  void *list[] = {&mine};
  // All threads decide alike: by the region's last warp.
  unsigned tail = region % 32;
  if (can_block_reduce(region, tail ? (1u << tail) - 1 : ~0u)) {
    int sum = mine;
    void *copies[] = {&sum};
    for (int16_t offset = 16; offset > 0; offset /= 2)
      shuffle_and_reduce(copies, thread % 32, offset, WARPFOLD_FULL);
    if (kmpc_reduce_block_int32(&sum) == 1)
      results[0] = sum;
  } else if (active >> thread % 32 & 1) {
    __atomic_fetch_add(&results[0], mine, __ATOMIC_RELAXED);
    __atomic_fetch_add(&results[1], 1, __ATOMIC_RELAXED);
  }
  __syncthreads();
  gpu_irregular_block_reduce(list, shuffle_and_reduce, copy_between_warps, region);
  if (thread == 0)
    results[2] = mine;
}
