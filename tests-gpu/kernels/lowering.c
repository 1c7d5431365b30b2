// A loop nest with two reductions, lowered by hand; explained in docs/lowering.md.
//
//   double foo = ...; float bar = ...;
//   #pragma omp target teams distribute parallel for collapse(2) reduction(+ : foo) reduction(max : bar)
//   for (int i = 0; i < n; i++)
//     for (int j = 0; j < m; j++) {
//       double product = a[i] * b[j];
//       foo += product;
//       bar = fmaxf(bar, (float)product);
//     }

#include "warpfold.h"

// [record]
typedef struct { double foo; float bar; } Record;
typedef struct { double *foo; float *bar; } List;

static void combine(List *list, double foo, float bar) {
  *list->foo += foo;
  *list->bar = __builtin_fmaxf(*list->bar, bar);
}
// [end]

// [shuffle]
static float shuffle_float(float value, int offset) { return __nvvm_shfl_sync_down_f32(-1, value, offset, 31); }

static double shuffle_double(double value, int offset) {
  int word[2];
  __builtin_memcpy(word, &value, sizeof value);
  word[0] = __nvvm_shfl_sync_down_i32(-1, word[0], offset, 31);
  word[1] = __nvvm_shfl_sync_down_i32(-1, word[1], offset, 31);
  __builtin_memcpy(&value, word, sizeof value);
  return value;
}

WARPFOLD_CONVERGENT static void shuffle_and_reduce(void *opaque, int16_t lane, int16_t offset,
                                                   int16_t algorithm) {
  List *list = opaque;
  double foo = shuffle_double(*list->foo, offset);
  float bar = shuffle_float(*list->bar, offset);
  if (algorithm == WARPFOLD_FULL || (algorithm == WARPFOLD_CONTIGUOUS && lane < offset)) {
    combine(list, foo, bar);
  } else if (algorithm == WARPFOLD_CONTIGUOUS) {
    *list->foo = foo;
    *list->bar = bar;
  }
}
// [end]

// [inter-warp]
static __attribute__((address_space(3))) Record warp_values[32];

WARPFOLD_CONVERGENT static void inter_warp_copy(void *opaque, int32_t warps) {
  List *list = opaque;
  int thread = __nvvm_read_ptx_sreg_tid_x();
  if (thread % 32 == 0) {
    warp_values[thread / 32].foo = *list->foo;
    warp_values[thread / 32].bar = *list->bar;
  }
  __syncthreads();
  if (thread < warps) {
    *list->foo = warp_values[thread].foo;
    *list->bar = warp_values[thread].bar;
  }
  __syncthreads();
}
// [end]

// [records]
static void list_to_record(void *buffer, int32_t record, void *opaque) {
  List *list = opaque;
  ((Record *)buffer)[record].foo = *list->foo;
  ((Record *)buffer)[record].bar = *list->bar;
}

static void record_to_list(void *buffer, int32_t record, void *opaque) {
  List *list = opaque;
  *list->foo = ((Record *)buffer)[record].foo;
  *list->bar = ((Record *)buffer)[record].bar;
}

static void fold_record(void *buffer, int32_t record, void *opaque) {
  Record *from = (Record *)buffer + record;
  combine(opaque, from->foo, from->bar);
}
// [end]

// [loop]
// The thread's share of the nest, into its private copies.
static void loop(const double *a, const double *b, int n, int m, List *list) {
  *list->foo = 0;
  *list->bar = -__builtin_inff();
  int64_t threads = (int64_t)__nvvm_read_ptx_sreg_nctaid_x() * __nvvm_read_ptx_sreg_ntid_x();
  int64_t first = (int64_t)__nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x();
  for (int64_t k = first + __nvvm_read_ptx_sreg_tid_x(); k < (int64_t)n * m; k += threads) {
    double product = a[k / m] * b[k % m];
    combine(list, product, (float)product);
  }
}
// [end]

// [kernel]
__attribute__((nvptx_kernel)) void nest(const double *a, const double *b, int n, int m, void *workspace,
                                        Record *original) {
  double foo;
  float bar;
  List list = {&foo, &bar};
  loop(a, b, n, m, &list);
  if (__warpfold_grid_reduce(workspace, &list, shuffle_and_reduce, inter_warp_copy, list_to_record, record_to_list,
                             fold_record) == 1) {
    List into = {&original->foo, &original->bar};
    combine(&into, foo, bar);
  }
}
// [end]

// [two launches]
__attribute__((nvptx_kernel)) void nest_store(const double *a, const double *b, int n, int m, void *workspace) {
  double foo;
  float bar;
  List list = {&foo, &bar};
  loop(a, b, n, m, &list);
  __warpfold_grid_store(workspace, &list, shuffle_and_reduce, inter_warp_copy, list_to_record);
}

__attribute__((nvptx_kernel)) void nest_finalize(void *workspace, int slots, Record *original) {
  double foo;
  float bar;
  List list = {&foo, &bar};
  if (__warpfold_grid_finalize(workspace, slots, &list, shuffle_and_reduce, inter_warp_copy, record_to_list,
                               fold_record) == 1) {
    List into = {&original->foo, &original->bar};
    combine(&into, foo, bar);
  }
}
// [end]
