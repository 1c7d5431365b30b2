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
