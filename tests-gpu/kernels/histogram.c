// Histograms: each thread counts into a private array whose length is known at run time; generated functions
// for lists of such arrays reduce them.

typedef unsigned long long u64;

extern int warpfold_block_reduce_batches(void **list, u64 n);
extern void warpfold_grid_reduce_batches(void *workspace, void **list, u64 n, void **results);

static unsigned *count(const unsigned char *data, u64 length, unsigned bins, unsigned *scratch) {
  unsigned thread = __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x();
  unsigned threads = __nvvm_read_ptx_sreg_nctaid_x() * __nvvm_read_ptx_sreg_ntid_x();
  unsigned *mine = scratch + (u64)thread * bins;
  for (unsigned bin = 0; bin < bins; bin++)
    mine[bin] = 0;
  for (u64 at = thread; at < length; at += threads)
    mine[data[at] % bins] += 1;
  return mine;
}

__attribute__((nvptx_kernel)) void of_block(const unsigned char *data, u64 length, unsigned bins, unsigned *scratch,
                                            unsigned *result, int *codes) {
  void *list[1] = {count(data, length, bins, scratch)};
  int code = warpfold_block_reduce_batches(list, bins);
  codes[__nvvm_read_ptx_sreg_tid_x()] = code;
  if (code == 1)
    for (unsigned bin = 0; bin < bins; bin++)
      result[bin] = ((unsigned *)list[0])[bin];
}

__attribute__((nvptx_kernel)) void of_grid(const unsigned char *data, u64 length, unsigned bins, unsigned *scratch,
                                           unsigned *result, void *workspace) {
  void *list[1] = {count(data, length, bins, scratch)};
  void *results[1] = {result};
  warpfold_grid_reduce_batches(workspace, list, bins, results);
}
