// Block reductions with generated callbacks over any block size. Stores every thread's return code, and the
// record of the thread that gets 1.
//
// Compiled with -DFIELDS(F)=..., the list's variables as F(type, name) one after the other; the test links
// the list's callbacks.

#define DECLARE(type, name) type name;
#define POINT(type, name) &mine.name,
typedef struct { FIELDS(DECLARE) } Record;

extern int __warpfold_block_reduce(void **list, void (*shuffle)(void **, short, short, short),
                                   void (*copy)(void **, int));
extern void gpu_irregular_block_reduce(void **list, void (*shuffle)(void **, short, short, short),
                                       void (*copy)(void **, int), int size);
extern void warpfold_shuffle_and_reduce(void **list, short lane, short offset, short algorithm);
extern void warpfold_inter_warp_copy(void **list, int warps);

// Two consecutive reductions with the same shared memory: the second must not disturb the first. Each has
// `stride` values.
__attribute__((nvptx_kernel)) void block(const Record *values, Record *results, int *codes, int stride) {
  unsigned threads = __nvvm_read_ptx_sreg_ntid_x();
  unsigned thread = __nvvm_read_ptx_sreg_tid_x();
  for (int round = 0; round < 2; round++) {
    Record mine = values[round * stride + thread];
    void *list[] = {FIELDS(POINT)};
    int code = __warpfold_block_reduce(list, warpfold_shuffle_and_reduce, warpfold_inter_warp_copy);
    codes[round * threads + thread] = code;
    if (code == 1)
      results[round] = mine;
  }
}

// Only the values of the first `size` threads count.
__attribute__((nvptx_kernel)) void first_threads(const Record *values, Record *result, int size) {
  unsigned thread = __nvvm_read_ptx_sreg_tid_x();
  Record mine = values[thread];
  void *list[] = {FIELDS(POINT)};
  gpu_irregular_block_reduce(list, warpfold_shuffle_and_reduce, warpfold_inter_warp_copy, size);
  if (thread == 0)
    *result = mine;
}
