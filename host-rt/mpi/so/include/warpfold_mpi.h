/* Reductions of arrays on GPUs, alone and by the processes of an MPI job: libwarpfold_mpi.so.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
 *
 * One array is divided among the processes of a communicator, in the order of their ranks: the elements of process 0 are
 * the first. Each process gives its part, of any length, 0 included. The result has the same bits however many processes
 * there are, whatever parts they have, and on whatever devices they reduce them: those of `warpfold reduce
 * --reproducible` on one process.
 *
 *   double total;
 *   if (warpfold_allreduce(x, n, WARPFOLD_F64, WARPFOLD_SUM, &total, MPI_COMM_WORLD))
 *     fprintf(stderr, "%s\n", warpfold_error()), MPI_Abort(MPI_COMM_WORLD, 1);
 *
 * Elements are at an address of the host, from which they are copied, or of a device: one of `omp_target_alloc`, of `target data
 * use_device_ptr`, or of CUDA. MPI need not know of devices: elements that one process has to send to another are copied to the
 * host, fewer than 8192. What still writes the elements must have ended: target regions that are `nowait`, operations on
 * streams.
 *
 * Elements in device memory are reduced on that device. Others are reduced on the device whose context is current on the
 * thread, or else on the device that has the process's number among those of its host, counted round. Where there is no GPU, they
 * are reduced by the emulator: that of the program, if `warpfold run` started it, or the library's own. A reduction is compiled
 * by LLVM when a type and operator are first used, once per user: it is kept in warpfold's cache.
 *
 * Every function returns 0, or 1 after a failure, which warpfold_error() describes. Functions may be called by any thread, those
 * with a communicator by the threads that may call MPI.
 */

#ifndef WARPFOLD_MPI_H
#define WARPFOLD_MPI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The type of the elements. */
typedef enum warpfold_type {
  WARPFOLD_I8 = 0,
  WARPFOLD_I16 = 1,
  WARPFOLD_I32 = 2,
  WARPFOLD_I64 = 3,
  WARPFOLD_U8 = 4,
  WARPFOLD_U16 = 5,
  WARPFOLD_U32 = 6,
  WARPFOLD_U64 = 7,
  WARPFOLD_F32 = 8,
  WARPFOLD_F64 = 9,
  WARPFOLD_COMPLEX_F32 = 10, /* float _Complex */
  WARPFOLD_COMPLEX_F64 = 11  /* double _Complex */
} warpfold_type;

/* The operator. Unless it says otherwise, the result has the type of the elements. Without elements, the result is the
 * operator's identity: 0 for sums (-0.0 for floating-point numbers, which no addition changes), 1 for products, the type's extreme
 * for minima and maxima of integers, NaN for those of floating-point numbers. An operator that is not defined for the type is a
 * failure. */
typedef enum warpfold_op {
  WARPFOLD_SUM = 0,     /* of integers modulo 2^bits */
  WARPFOLD_PRODUCT = 1, /* likewise */
  WARPFOLD_MIN = 2,     /* NaN is ignored, and -0 is below +0; not of complex numbers, nor are those below */
  WARPFOLD_MAX = 3,
  WARPFOLD_AND = 4,     /* of the bits of integers */
  WARPFOLD_OR = 5,
  WARPFOLD_XOR = 6,
  WARPFOLD_ALL = 7,     /* 1 if all elements differ from 0, else 0 */
  WARPFOLD_ANY = 8,     /* 1 if some element differs from 0, else 0 */
  WARPFOLD_ARGMIN = 9,  /* struct { T value; int64_t index; }: the first of the smallest, with its index among all elements, from */
  WARPFOLD_ARGMAX = 10  /* 0 on; -1 without elements. The first of the largest */
} warpfold_op;

/* What the last failure of this thread was, until its next call of a function of this library; "" before the first. */
const char *warpfold_error(void);

/* Partial results: what is known of some of the elements, as values that merge. They need no MPI. One thread at a time uses one. */
typedef struct warpfold_partial warpfold_partial;

/* Reduces `count` elements, and waits for that. `first` is the index of the first one among all, a multiple of 8192; a count that is
 * no multiple ends the array: nothing can follow. `*partial` is to be freed. */
int warpfold_partial_create(const void *elements, size_t count, uint64_t first, warpfold_type type, warpfold_op op,
                            warpfold_partial **partial);

/* Adds what `from` knows, of other elements, to `into`. `from` is as before. If both have an element, nothing is added, and that is
 * a failure. The order of merging does not matter. */
int warpfold_partial_merge(warpfold_partial *into, const warpfold_partial *from);

/* Writes the partial result as bytes, for a file or another process: some tens of records. `*size` is how many bytes there is room
 * for, and then how many it has; with `bytes` NULL only that is asked. */
int warpfold_partial_write(const warpfold_partial *partial, void *bytes, size_t *size);

/* The partial result that warpfold_partial_write made these bytes of, for the same type and operator. `*partial` is to be freed. */
int warpfold_partial_read(const void *bytes, size_t size, warpfold_type type, warpfold_op op, warpfold_partial **partial);

/* The result, if all elements from index 0 on are known; it is a failure if some are missing before others. */
int warpfold_partial_finish(const warpfold_partial *partial, void *result);

/* Frees a partial result; NULL is none. */
void warpfold_partial_free(warpfold_partial *partial);

/* With a communicator's handle in Fortran, which is an integer in every implementation of MPI. In C, include mpi.h first, and call
 * the functions below. */
int warpfold_reduce_fortran(const void *elements, size_t count, warpfold_type type, warpfold_op op, void *result, int root,
                            int comm);
int warpfold_allreduce_fortran(const void *elements, size_t count, warpfold_type type, warpfold_op op, void *result, int comm);
int warpfold_partial_allreduce_fortran(warpfold_partial *partial, int comm);

#ifdef MPI_VERSION

/* Collective functions: every process of the communicator calls the same ones in the same order, with the same type, operator and
 * root, after MPI_Init and before MPI_Finalize. If one of them fails on one process, it fails on all, with the reason and the number
 * of that process. Messages do not mix with the program's: the communicator is duplicated for each call. */

/* Reduces the elements of all processes. Process `root` gets the result; elsewhere `result` may be NULL. */
static inline int warpfold_reduce(const void *elements, size_t count, warpfold_type type, warpfold_op op, void *result, int root,
                                  MPI_Comm comm) {
  return warpfold_reduce_fortran(elements, count, type, op, result, root, (int)MPI_Comm_c2f(comm));
}

/* Reduces the elements of all processes, which all get the result. */
static inline int warpfold_allreduce(const void *elements, size_t count, warpfold_type type, warpfold_op op, void *result,
                                     MPI_Comm comm) {
  return warpfold_allreduce_fortran(elements, count, type, op, result, (int)MPI_Comm_c2f(comm));
}

/* Merges the partial results of all processes, which all then have everything. After a failure they are as before. */
static inline int warpfold_partial_allreduce(warpfold_partial *partial, MPI_Comm comm) {
  return warpfold_partial_allreduce_fortran(partial, (int)MPI_Comm_c2f(comm));
}

#endif

#ifdef __cplusplus
}
#endif

#endif
