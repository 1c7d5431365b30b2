// Block reductions of our own callbacks over any block size, with what the caller needs to check
// them: every thread's return code, and the record that the chosen thread holds.
//
// Compiled with -DFIELDS(F)=..., the list's variables as F(type, name) one after the other; the test
// links the callbacks of that list.

#define DECLARE(type, name) type name;
#define POINT(type, name) &mine.name,
typedef struct { FIELDS(DECLARE) } Record;

extern int __warpfold_block_reduce(void **list, void (*shuffle)(void **, short, short, short),
                                   void (*copy)(void **, int));
extern void gpu_irregular_block_reduce(void **list, void (*shuffle)(void **, short, short, short),
                                       void (*copy)(void **, int), int size);
extern void warpfold_shuffle_and_reduce(void **list, short lane, short offset, short algorithm);
extern void warpfold_inter_warp_copy(void **list, int warps);

// Two reductions back to back on the same scratch: the second must not disturb the first. Each has
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

// The first `size` threads alone have a value that counts.
__attribute__((nvptx_kernel)) void first_threads(const Record *values, Record *result, int size) {
  unsigned thread = __nvvm_read_ptx_sreg_tid_x();
  Record mine = values[thread];
  void *list[] = {FIELDS(POINT)};
  gpu_irregular_block_reduce(list, warpfold_shuffle_and_reduce, warpfold_inter_warp_copy, size);
  if (thread == 0)
    *result = mine;
}
