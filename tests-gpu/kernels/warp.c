// Warp reductions whose results show the order of combination.
//
// The operator is the product of 2x2 matrices modulo 2^64: associative but not commutative, so different
// orders of the same lanes give different results. Every call of the callback writes the lane's value to a
// log.

typedef unsigned long long u64;
typedef struct { u64 a, b, c, d; } Matrix;
typedef void ShuffleReduce(void **list, short lane, short offset, short algorithm);

extern void __warpfold_warp_reduce_full(void **list, ShuffleReduce *);
extern void __warpfold_warp_reduce_contiguous(void **list, ShuffleReduce *, int size, int lane);

// The log has one entry for each step and lane; the step is counted in the private copy, after the value.
typedef struct { Matrix value; int steps; Matrix *log; } Private;

static u64 shuffle_down(u64 value, int offset) {
  unsigned low = __nvvm_shfl_sync_down_i32(-1, (int)value, offset, 31);
  unsigned high = __nvvm_shfl_sync_down_i32(-1, (int)(value >> 32), offset, 31);
  return (u64)high << 32 | low;
}

static Matrix product(Matrix x, Matrix y) {
  return (Matrix){x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c, x.c * y.b + x.d * y.d};
}

static void shuffle_and_reduce(void **list, short lane, short offset, short algorithm) {
  Private *mine = list[0];
  int self = __nvvm_read_ptx_sreg_laneid();
  int existing = __nvvm_read_ptx_sreg_ntid_x();
  Matrix remote = {shuffle_down(mine->value.a, offset), shuffle_down(mine->value.b, offset),
                   shuffle_down(mine->value.c, offset), shuffle_down(mine->value.d, offset)};
  // A lane that never started has no value to fetch.
  if (self + offset < existing) {
    if (algorithm == 0 || (algorithm == 1 && lane < offset))
      mine->value = product(mine->value, remote);
    else if (algorithm == 1)
      mine->value = remote;
  }
  mine->log[mine->steps++ * 32 + self] = mine->value;
}

static Private begin(const Matrix *values, Matrix *log) {
  return (Private){values[__nvvm_read_ptx_sreg_laneid()], 0, log};
}

__attribute__((nvptx_kernel)) void full(const Matrix *values, Matrix *log, int *steps) {
  Private mine = begin(values, log);
  void *list[1] = {&mine};
  __warpfold_warp_reduce_full(list, shuffle_and_reduce);
  steps[__nvvm_read_ptx_sreg_laneid()] = mine.steps;
}

__attribute__((nvptx_kernel)) void contiguous(const Matrix *values, Matrix *log, int *steps, int size) {
  Private mine = begin(values, log);
  void *list[1] = {&mine};
  __warpfold_warp_reduce_contiguous(list, shuffle_and_reduce, size, __nvvm_read_ptx_sreg_laneid());
  steps[__nvvm_read_ptx_sreg_laneid()] = mine.steps;
}

// Reductions over the lanes of a mask.
typedef void ShuffleReduceMasked(void **list, unsigned mask, short lane, short offset, short algorithm);
extern int __warpfold_warp_reduce_dispersed(void **list, ShuffleReduceMasked *, unsigned mask);

static u64 shuffle_down_masked(unsigned mask, u64 value, int offset) {
  unsigned low = __nvvm_shfl_sync_down_i32(mask, (int)value, offset, 31);
  unsigned high = __nvvm_shfl_sync_down_i32(mask, (int)(value >> 32), offset, 31);
  return (u64)high << 32 | low;
}

// The fetched value of a lane without a partner is not used.
static void shuffle_and_reduce_masked(void **list, unsigned mask, short lane, short offset, short algorithm) {
  Private *mine = list[0];
  int self = __nvvm_read_ptx_sreg_laneid();
  Matrix remote = {
      shuffle_down_masked(mask, mine->value.a, offset), shuffle_down_masked(mask, mine->value.b, offset),
      shuffle_down_masked(mask, mine->value.c, offset), shuffle_down_masked(mask, mine->value.d, offset)};
  if (algorithm == 2 && lane % 2 == 0 && offset > 0)
    mine->value = product(mine->value, remote);
  if (mine->log)
    mine->log[mine->steps * 32 + self] = mine->value;
  mine->steps++;
}

// Each warp has a mask: its lanes reduce, and at the same time the others reduce separately. Stores two
// results for each warp, with their numbers of steps, and every lane's return code. The first warp writes a
// log.
__attribute__((nvptx_kernel)) void dispersed(const Matrix *values, const unsigned *masks, int warps, Matrix *log,
                                             Matrix *results, int *steps, signed char *codes) {
  unsigned thread = __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x();
  int warp = thread / 32, lane = thread % 32;
  if (warp >= warps)
    return;
  int side = masks[warp] >> lane & 1 ? 0 : 1;
  unsigned mask = side ? ~masks[warp] : masks[warp];
  Private mine = begin(values, warp ? 0 : log);
  void *list[1] = {&mine};
  int code = __warpfold_warp_reduce_dispersed(list, shuffle_and_reduce_masked, mask);
  codes[thread] = code;
  if (code == 1) {
    results[2 * warp + side] = mine.value;
    steps[2 * warp + side] = mine.steps;
  }
}
