// Schemes that reduce the values of a block's threads, each in a separate kernel that does so `rounds` times.
// Each time the result is combined into `*result` in the scheme's way: by the one thread that gets 1, or by
// all threads atomically.
//
// Compiled with -DFIELDS(F)=..., the list's variables as F(type, name) one after the other; all are summed.
// The callbacks of that list are linked.

#include "warpfold.h"

#define DECLARE(type, name) type name;
#define POINT(type, name) &mine.name,
#define COMBINE(type, name) result->name += mine.name;
typedef struct { FIELDS(DECLARE) } Record;

extern warpfold_shuffle_reduce_fn warpfold_shuffle_and_reduce;
extern warpfold_inter_warp_copy_fn warpfold_inter_warp_copy;
extern warpfold_buffer_fn warpfold_list_to_global_copy, warpfold_list_to_global_reduce,
    warpfold_global_to_list_copy, warpfold_global_to_list_reduce;

static unsigned thread_id(void) { return __nvvm_read_ptx_sreg_tid_x(); }
static unsigned block_threads(void) { return __nvvm_read_ptx_sreg_ntid_x(); }

#define KERNEL(name) __attribute__((nvptx_kernel)) void name(const Record *values, Record *result, int rounds)
// The lanes of a warp begin a round together: otherwise the lane that combines is late, and a shuffle counts twice.
#define EACH_ROUND                                                                                              \
  _Pragma("clang loop unroll(disable)") for (int round = 0; round < rounds; round++, __nvvm_bar_warp_sync(-1))
// Loaded again in each round. (A volatile copy of the whole record would stay in memory.)
#define FETCH(type, name) mine.name = ((const volatile Record *)values)[thread_id()].name;
#define BEGIN                                                                                                   \
  Record mine;                                                                                                  \
  FIELDS(FETCH)                                                                                                 \
  void *list[] = {FIELDS(POINT)};

// The baseline of the measurement: loads the values; thread 0 combines its value.
KERNEL(nothing) {
  EACH_ROUND {
    BEGIN (void)list;
    if (thread_id() == 0) {
      FIELDS(COMBINE)
    }
  }
}

// This runtime.
KERNEL(tree) {
  EACH_ROUND {
    BEGIN
    if (__warpfold_block_reduce(list, warpfold_shuffle_and_reduce, warpfold_inter_warp_copy) == 1) {
      FIELDS(COMBINE)
    }
  }
}

// An inter-warp copy that does not know the record's layout: it moves the words one after the other through
// 32 words of shared memory, with a barrier before each is written and one before it is read.
static __attribute__((address_space(3))) unsigned transfer[32];
#define COPY_WORDS(type, name)                                                                                  \
  for (unsigned word = 0; word < sizeof(type) / 4; word++) {                                                    \
    unsigned *at = (unsigned *)list[field] + word;                                                              \
    __syncthreads();                                                                                            \
    if (thread_id() % 32 == 0)                                                                                  \
      ((volatile __attribute__((address_space(3))) unsigned *)transfer)[thread_id() / 32] = *at;                \
    __syncthreads();                                                                                            \
    if (thread_id() < (unsigned)warps)                                                                          \
      *at = ((volatile __attribute__((address_space(3))) unsigned *)transfer)[thread_id()];                     \
  }                                                                                                             \
  field++;
static void copy_words(void *opaque, int warps) {
  void **list = opaque;
  int field = 0;
  FIELDS(COPY_WORDS)
}

// The scheme of LLVM's runtime: trees in the warps, then word by word into the first warp.
static int reduce_by_words(void **list) {
  unsigned thread = thread_id(), threads = block_threads(), lane = thread % 32, tail = threads % 32;
  if (thread / 32 < threads / 32)
    for (short offset = 16; offset > 0; offset /= 2)
      warpfold_shuffle_and_reduce(list, lane, offset, WARPFOLD_FULL);
  else
    for (short size = tail, offset = size / 2; offset > 0; size = (size + 1) / 2, offset = size / 2)
      warpfold_shuffle_and_reduce(list, lane, offset, WARPFOLD_CONTIGUOUS);
  if (threads > 32) {
    unsigned warps = (threads + 31) / 32;
    copy_words(list, warps);
    if (thread < 32)
      for (short size = warps, offset = size / 2; offset > 0; size = (size + 1) / 2, offset = size / 2)
        warpfold_shuffle_and_reduce(list, lane, offset, WARPFOLD_CONTIGUOUS);
  }
  return thread == 0;
}

KERNEL(words) {
  EACH_ROUND {
    BEGIN
    if (reduce_by_words(list)) {
      FIELDS(COMBINE)
    }
  }
}

// The per-variable path: trees in the warps for all variables at once, then a block stage for each variable.
#define SWAP(type, name)                                                                                        \
  {                                                                                                             \
    unsigned word[sizeof(type) / 4];                                                                            \
    type *own = list[field++], remote;                                                                          \
    __builtin_memcpy(word, own, sizeof(type));                                                                  \
    for (unsigned i = 0; i < sizeof(type) / 4; i++)                                                             \
      word[i] = __nvvm_shfl_sync_down_i32(-1, word[i], offset, 31);                                             \
    __builtin_memcpy(&remote, word, sizeof(type));                                                              \
    if ((int)(thread_id() % 32) + offset < size)                                                                \
      *own += remote;                                                                                           \
  }
static void swap_and_reduce(void *opaque, int16_t offset, int16_t size) {
  void **list = opaque;
  int field = 0;
  FIELDS(SWAP)
}
#define BLOCK_STAGE(type, name)                                                                                 \
  if (_Generic(mine.name, int: kmpc_reduce_block_int32, long long: kmpc_reduce_block_int64,                     \
               float: kmpc_reduce_block_float, double: kmpc_reduce_block_double)((void *)&mine.name) == 1)      \
    result->name += mine.name;

KERNEL(per_variable) {
  EACH_ROUND {
    BEGIN
    if (kmpc_reduce_warp(list, swap_and_reduce, 0) == 3) {
      FIELDS(BLOCK_STAGE)
    }
  }
}

static void add_int(int *to, int value) { __atomic_fetch_add(to, value, __ATOMIC_RELAXED); }
static void add_float(float *to, float value) { __nvvm_atom_add_gen_f(to, value); }
static void add_double(double *to, double value) { __nvvm_atom_add_gen_d(to, value); }
#define ADD(type, name)                                                                                         \
  _Generic(mine.name, int: add_int, float: add_float, double: add_double)((void *)&result->name, mine.name);

// The first LLVM GPU runtime: a tree if all threads of the block are in the region and all lanes of its warps exist,
// otherwise atomics of every thread. The tree is that of the per-variable path.
KERNEL(first) {
  EACH_ROUND {
    BEGIN
    unsigned tail = block_threads() % 32;
    // The lanes of the last warp, so that all threads take the same decision.
    unsigned active = tail ? (1u << tail) - 1 : ~0u;
    if (can_block_reduce(block_threads(), active)) {
      if (kmpc_reduce_warp(list, swap_and_reduce, 0) == 3) {
        FIELDS(BLOCK_STAGE)
      }
    } else {
      FIELDS(ADD)
    }
  }
}

// Grids. Every block adds its threads' values; `*result` gets the sum of all of them.
#define GRID(name)                                                                                              \
  __attribute__((nvptx_kernel)) void name(const Record *values, Record *result, void *workspace)
#define BEGIN_IN_GRID                                                                                           \
  Record mine = values[thread_id()];                                                                            \
  void *list[] = {FIELDS(POINT)};

// The baseline of the measurement.
GRID(grid_nothing) {
  BEGIN_IN_GRID (void)list, (void)workspace;
  if (thread_id() == 0 && __nvvm_read_ptx_sreg_ctaid_x() == 0) {
    FIELDS(COMBINE)
  }
}

GRID(grid_tree) {
  BEGIN_IN_GRID
  if (__warpfold_grid_reduce(workspace, list, warpfold_shuffle_and_reduce, warpfold_inter_warp_copy,
                             warpfold_list_to_global_copy, warpfold_global_to_list_copy,
                             warpfold_global_to_list_reduce) == 1) {
    FIELDS(COMBINE)
  }
}

// LLVM's scheme for teams: 1024 records, which teams use in rounds. A team of a later round waits until all teams
// of the earlier rounds have delivered; the last team folds with whole warps of threads, or with one thread.
// The workspace begins with the count of the round's deliveries and the first team of the round.
enum { RECORDS = 1024 };
static __attribute__((address_space(3))) unsigned shared_words[2];

GRID(grid_rounds) {
  BEGIN_IN_GRID
  unsigned *count = workspace, *round = count + 1;
  void *records = (char *)workspace + WARPFOLD_WORKSPACE_HEADER_BYTES;
  unsigned thread = thread_id(), threads = block_threads();
  unsigned team = __nvvm_read_ptx_sreg_ctaid_x(), teams = __nvvm_read_ptx_sreg_nctaid_x();
  reduce_by_words(list);
  if (thread == 0) {
    unsigned bound;
    do
      bound = __atomic_load_n(round, __ATOMIC_RELAXED);
    while (team >= bound + RECORDS);
    if (team < RECORDS)
      warpfold_list_to_global_copy(records, team % RECORDS, list);
    else
      warpfold_list_to_global_reduce(records, team % RECORDS, list);
    __nvvm_membar_gl();
    ((volatile __attribute__((address_space(3))) unsigned *)shared_words)[0] = __nvvm_atom_inc_gen_ui(count, RECORDS - 1);
    ((volatile __attribute__((address_space(3))) unsigned *)shared_words)[1] = bound;
  }
  __syncthreads();
  unsigned earlier = ((volatile __attribute__((address_space(3))) unsigned *)shared_words)[0];
  unsigned bound = ((volatile __attribute__((address_space(3))) unsigned *)shared_words)[1];
  if (earlier == teams - bound - 1) {
    __nvvm_membar_gl();
    unsigned used = teams < RECORDS ? teams : RECORDS, active = threads < used ? threads : used;
    active = active < 32 ? 1 : active / 32 * 32;
    if (thread >= active)
      return;
    warpfold_global_to_list_copy(records, thread, list);
    for (unsigned record = thread + active; record < used; record += active)
      warpfold_global_to_list_reduce(records, record, list);
    if (active > 1) {
      for (short offset = 16; offset > 0; offset /= 2)
        warpfold_shuffle_and_reduce(list, thread % 32, offset, WARPFOLD_FULL);
      if (active > 32) {
        copy_words(list, active / 32);
        if (thread < 32)
          for (short size = active / 32, offset = size / 2; offset > 0; size = (size + 1) / 2, offset = size / 2)
            warpfold_shuffle_and_reduce(list, thread % 32, offset, WARPFOLD_CONTIGUOUS);
      }
    }
    if (thread == 0) {
      *count = *round = 0;
      FIELDS(COMBINE)
    }
  } else if (earlier == RECORDS - 1 && thread == 0) {
    __atomic_fetch_add(round, RECORDS, __ATOMIC_RELAXED);
  }
}
