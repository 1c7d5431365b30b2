// Grid reductions with generated callbacks that also check who uses a slot: a block exchanges the slot's
// owner word with its number before the access and with 0 afterwards, and expects the old value to be 0 and
// its number. `seen` counts conflicts, loaded records, and records folded into a thread's value.
//
// Compiled with -DFIELDS(F)=..., the list's variables as F(type, name) one after the other; the test links
// the list's callbacks.

#define DECLARE(type, name) type name;
#define POINT(type, name) &mine.name,
#define ONE(type, name) +1
typedef struct { FIELDS(DECLARE) } Record;
// After the variables, the list has one more pointer, which the linked callbacks do not use.
enum { WATCH = FIELDS(ONE) };
typedef struct { int *owners; int *seen; } Watch;
enum { CONFLICTS, LOADED, FOLDED };

typedef void Shuffle(void **, short, short, short);
typedef void InterWarpCopy(void **, int);
typedef void BufferCallback(void *, int, void **);

extern int __warpfold_grid_reduce(void *, void **, Shuffle *, InterWarpCopy *, BufferCallback *, BufferCallback *,
                                  BufferCallback *);
extern void __warpfold_grid_store(void *, void **, Shuffle *, InterWarpCopy *, BufferCallback *);
extern int __warpfold_grid_finalize(void *, int, void **, Shuffle *, InterWarpCopy *, BufferCallback *,
                                    BufferCallback *);
extern int __warpfold_slots_reduce(void *, int, int, void **, Shuffle *, InterWarpCopy *, BufferCallback *,
                                   BufferCallback *, BufferCallback *, BufferCallback *);
extern void __warpfold_slots_accumulate(void *, int, int, void **, Shuffle *, InterWarpCopy *, BufferCallback *,
                                        BufferCallback *);
extern int __warpfold_slots_finalize(void *, int, int, void **, Shuffle *, InterWarpCopy *, BufferCallback *,
                                     BufferCallback *);
extern Shuffle warpfold_shuffle_and_reduce;
extern InterWarpCopy warpfold_inter_warp_copy;
extern BufferCallback warpfold_list_to_global_copy, warpfold_list_to_global_reduce, warpfold_global_to_list_copy,
    warpfold_global_to_list_reduce;

static int me(void) { return __nvvm_read_ptx_sreg_ctaid_x() + 1; }

static void count(Watch *watch, int what) { __atomic_fetch_add(&watch->seen[what], 1, __ATOMIC_RELAXED); }

static void expect(Watch *watch, int slot, int before, int after) {
  if (__atomic_exchange_n(&watch->owners[slot], after, __ATOMIC_RELAXED) != before)
    count(watch, CONFLICTS);
}

#define WATCHED(name, callback, counted)                                                                        \
  static void name(void *buffer, int slot, void **list) {                                                       \
    expect(list[WATCH], slot, 0, me());                                                                         \
    callback(buffer, slot, list);                                                                               \
    counted;                                                                                                    \
    expect(list[WATCH], slot, me(), 0);                                                                         \
  }
WATCHED(to_copy, warpfold_list_to_global_copy, )
WATCHED(to_reduce, warpfold_list_to_global_reduce, )
WATCHED(from_copy, warpfold_global_to_list_copy, count(list[WATCH], LOADED))
WATCHED(from_reduce, warpfold_global_to_list_reduce, count(list[WATCH], FOLDED))

#define BEGIN                                                                                                   \
  unsigned thread = __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x(); \
  Watch watch = {owners, seen};                                                                              \
  Record mine = values[thread];                                                                                 \
  void *list[] = {FIELDS(POINT) & watch};
#define END                                                                                                     \
  codes[thread] = code;                                                                                         \
  if (code == 1)                                                                                                \
    *result = mine;

// A slot for each block; the last block folds them, or a second launch does.
__attribute__((nvptx_kernel)) void own(const Record *values, void *workspace, int *owners, int *seen,
                                       Record *result, signed char *codes) {
  BEGIN
  int code = __warpfold_grid_reduce(workspace, list, warpfold_shuffle_and_reduce, warpfold_inter_warp_copy, to_copy,
                                    from_copy, from_reduce);
  END
}

__attribute__((nvptx_kernel)) void own_store(const Record *values, void *workspace, int *owners, int *seen) {
  BEGIN
  __warpfold_grid_store(workspace, list, warpfold_shuffle_and_reduce, warpfold_inter_warp_copy, to_copy);
}

__attribute__((nvptx_kernel)) void own_finalize(const Record *values, void *workspace, int *owners, int *seen,
                                                Record *result, signed char *codes, int slots) {
  BEGIN
  int code = __warpfold_grid_finalize(workspace, slots, list, warpfold_shuffle_and_reduce, warpfold_inter_warp_copy,
                                      from_copy, from_reduce);
  END
}

// Rows of slots that several blocks use, one after the other; likewise.
__attribute__((nvptx_kernel)) void shared_slots(const Record *values, void *workspace, int *owners, int *seen,
                                                Record *result, signed char *codes, int rows, int per_row) {
  BEGIN
  int code = __warpfold_slots_reduce(workspace, rows, per_row, list, warpfold_shuffle_and_reduce,
                                     warpfold_inter_warp_copy, to_copy, to_reduce, from_copy, from_reduce);
  END
}

__attribute__((nvptx_kernel)) void shared_accumulate(const Record *values, void *workspace, int *owners, int *seen,
                                                     int rows, int per_row) {
  BEGIN
  __warpfold_slots_accumulate(workspace, rows, per_row, list, warpfold_shuffle_and_reduce, warpfold_inter_warp_copy,
                              to_copy, to_reduce);
}

__attribute__((nvptx_kernel)) void shared_finalize(const Record *values, void *workspace, int *owners, int *seen,
                                                   Record *result, signed char *codes, int rows, int per_row) {
  BEGIN
  int code = __warpfold_slots_finalize(workspace, rows, per_row, list, warpfold_shuffle_and_reduce,
                                       warpfold_inter_warp_copy, from_copy, from_reduce);
  END
}

// Without the checks, for the PTX of the reductions themselves.
__attribute__((nvptx_kernel)) void unwatched_own(const Record *values, void *workspace, Record *result) {
  Record mine = values[__nvvm_read_ptx_sreg_tid_x()];
  void *list[] = {FIELDS(POINT)};
  if (__warpfold_grid_reduce(workspace, list, warpfold_shuffle_and_reduce, warpfold_inter_warp_copy,
                             warpfold_list_to_global_copy, warpfold_global_to_list_copy,
                             warpfold_global_to_list_reduce) == 1)
    *result = mine;
}

__attribute__((nvptx_kernel)) void unwatched_slots(const Record *values, void *workspace, Record *result, int rows,
                                                   int per_row) {
  Record mine = values[__nvvm_read_ptx_sreg_tid_x()];
  void *list[] = {FIELDS(POINT)};
  if (__warpfold_slots_reduce(workspace, rows, per_row, list, warpfold_shuffle_and_reduce, warpfold_inter_warp_copy,
                              warpfold_list_to_global_copy, warpfold_list_to_global_reduce,
                              warpfold_global_to_list_copy, warpfold_global_to_list_reduce) == 1)
    *result = mine;
}
