/* Uses every function of warpfold_mpi.h, in C and as C++. Process 0 prints the results, which cli/tests/mpi.rs compares with those of
 * the host. */

#include <inttypes.h>
#include <math.h>
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "warpfold_mpi.h"

enum { CHUNK = 8192, DIVISIONS = 4 };

static int rank, size;

static void check(int condition, const char *what) {
  if (!condition) {
    printf("process %d of %d: %s: %s\n", rank, size, what, warpfold_error());
    fflush(stdout);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

/* How many elements a process has. */
static size_t count_of(int division, int process) {
  static const size_t some[] = {CHUNK + 1, 0, 700, CHUNK - 9, 2 * CHUNK, 1};
  switch (division) {
    case 0: return 0;
    case 1: return 1000;
    case 2: return some[process % 6];
    default: return process + 1 == size ? 3 * CHUNK + 5 : 0;
  }
}

static uint64_t mixed(uint64_t i) { return (i + 1) * 0x9e3779b97f4a7c15u; }

static double real(uint64_t i) {
  uint64_t bits = mixed(i);
  return ((double)(bits >> 20) - 8e12) * ldexp(1, (int)(bits % 40) - 60);
}

static size_t size_of(warpfold_type type) {
  return type == WARPFOLD_U8 ? 1 : type == WARPFOLD_I32 || type == WARPFOLD_F32 ? 4 : type == WARPFOLD_F64 ? 8 : 16;
}

static void set(warpfold_type type, void *all, size_t at, uint64_t i) {
  switch (type) {
    case WARPFOLD_U8: ((uint8_t *)all)[at] = (uint8_t)(mixed(i) >> 56); break;
    case WARPFOLD_I32: ((int32_t *)all)[at] = (int32_t)(mixed(i) >> 32); break;
    case WARPFOLD_F32: ((float *)all)[at] = (float)real(i); break;
    case WARPFOLD_F64: ((double *)all)[at] = real(i); break;
    default: ((double *)all)[2 * at] = real(i), ((double *)all)[2 * at + 1] = real(i + 7);
  }
}

typedef struct {
  const char *name;
  warpfold_type type;
  warpfold_op op;
  size_t bytes; /* of the result */
} Case;

static const Case cases[] = {
    {"f64 sum", WARPFOLD_F64, WARPFOLD_SUM, 8},       {"f32 sum", WARPFOLD_F32, WARPFOLD_SUM, 4},
    {"f32 argmax", WARPFOLD_F32, WARPFOLD_ARGMAX, 16}, {"i32 min", WARPFOLD_I32, WARPFOLD_MIN, 4},
    {"u8 xor", WARPFOLD_U8, WARPFOLD_XOR, 1},         {"complex sum", WARPFOLD_COMPLEX_F64, WARPFOLD_SUM, 16},
};

/* The address of elements on the device, or of a copy on the host. */
static void *moved(const void *elements, size_t bytes, int to_device) {
  int host = omp_get_initial_device(), place = to_device ? omp_get_default_device() : host;
  void *copy = omp_target_alloc(bytes + 1, place);
  check(copy != NULL, "memory");
  check(bytes == 0 || omp_target_memcpy(copy, elements, bytes, 0, 0, place, host) == 0, "copy");
  return copy;
}

static void reduced(const Case *one, int division) {
  size_t count = count_of(division, rank), element = size_of(one->type), first = 0, all = 0;
  for (int r = 0; r < size; r++) first += r < rank ? count_of(division, r) : 0, all += count_of(division, r);
  char *elements = (char *)malloc(count * element + 1);
  for (size_t i = 0; i < count; i++) set(one->type, elements, i, first + i);
  int on_device = (rank + division) % 2;
  void *own = moved(elements, count * element, on_device);
  free(elements);

  int root = division % size;
  char result[16] = {0}, at_root[16] = {0}, of_first[16];
  check(warpfold_allreduce(own, count, one->type, one->op, result, MPI_COMM_WORLD) == 0, one->name);
  int status = warpfold_reduce(own, count, one->type, one->op, rank == root ? at_root : NULL, root, MPI_COMM_WORLD);
  check(status == 0, one->name);
  check(rank != root || memcmp(result, at_root, one->bytes) == 0, "the root has another result");
  memcpy(of_first, result, 16);
  MPI_Bcast(of_first, 16, MPI_BYTE, 0, MPI_COMM_WORLD);
  check(memcmp(result, of_first, one->bytes) == 0, "processes have different results");
  omp_target_free(own, on_device ? omp_get_default_device() : omp_get_initial_device());
  if (rank == 0) {
    printf("%s of %zu:", one->name, all);
    for (size_t i = 0; i < one->bytes; i++) printf(" %02x", (unsigned char)result[i]);
    printf("\n");
  }
}

/* Three parts for each process, the next one's between them; then all together. */
static void merged(void) {
  size_t chunks = 3 * (size_t)size, all = (chunks - 1) * CHUNK + 77;
  double *x = (double *)malloc(CHUNK * sizeof(double)), sum = 0, expected = 0;
  warpfold_partial *own = NULL;
  for (size_t part = rank; part < chunks; part += size) {
    size_t first = part * CHUNK, count = all - first < CHUNK ? all - first : CHUNK;
    for (size_t i = 0; i < count; i++) x[i] = real(first + i);
    warpfold_partial *next, *again;
    check(warpfold_partial_create(x, count, first, WARPFOLD_F64, WARPFOLD_SUM, &next) == 0, "create");
    /* Through bytes. */
    size_t bytes = 0;
    check(warpfold_partial_write(next, NULL, &bytes) == 0 && bytes > 0, "size");
    void *written = malloc(bytes);
    check(warpfold_partial_write(next, written, &bytes) == 0, "write");
    check(warpfold_partial_read(written, bytes, WARPFOLD_F64, WARPFOLD_SUM, &again) == 0, "read");
    check(warpfold_partial_read(written, bytes - 1, WARPFOLD_F64, WARPFOLD_SUM, &next) == 1, "fewer bytes");
    free(written);
    warpfold_partial_free(next);
    if (own == NULL) {
      own = again;
      continue;
    }
    check(warpfold_partial_merge(own, again) == 0, "merge");
    check(warpfold_partial_merge(own, again) == 1, "merge twice");
    check(strstr(warpfold_error(), "both have element") != NULL, "the reason");
    warpfold_partial_free(again);
  }
  check(size == 1 || warpfold_partial_finish(own, &sum) == 1, "finish without all");
  check(warpfold_partial_allreduce(own, MPI_COMM_WORLD) == 0, "merge all");
  check(warpfold_partial_finish(own, &sum) == 0, "finish");
  warpfold_partial_free(own);

  /* The same as one array. */
  size_t begin = all * rank / size, end = all * (rank + 1) / size;
  double *y = (double *)malloc((end - begin + 1) * sizeof(double));
  for (size_t i = begin; i < end; i++) y[i - begin] = real(i);
  check(warpfold_allreduce(y, end - begin, WARPFOLD_F64, WARPFOLD_SUM, &expected, MPI_COMM_WORLD) == 0, "reduce");
  check(memcmp(&sum, &expected, sizeof sum) == 0, "parts have another sum");
  free(x), free(y);
}

/* What fails on one process fails on all. */
static void failing(void) {
  int one = 1, none = -1, last = size - 1;
  char who[32];
  snprintf(who, sizeof who, "process %d of %d: ", last, size);
  warpfold_op op = rank == last ? (warpfold_op)99 : WARPFOLD_SUM;
  check(warpfold_allreduce(&one, 1, WARPFOLD_I32, op, &none, MPI_COMM_WORLD) == 1, "no operator");
  check(strstr(warpfold_error(), who) && strstr(warpfold_error(), "99 is no operator"), "the reason");
  const void *elements = rank == last ? NULL : &one;
  check(warpfold_reduce(elements, 1, WARPFOLD_I32, WARPFOLD_SUM, &none, 0, MPI_COMM_WORLD) == 1, "no elements");
  check(strstr(warpfold_error(), who) && strstr(warpfold_error(), "null"), "the reason");
  check(warpfold_reduce(&one, 1, WARPFOLD_F64, WARPFOLD_XOR, &none, 0, MPI_COMM_WORLD) == 1, "xor of f64");
  check(warpfold_reduce(&one, 1, WARPFOLD_I32, WARPFOLD_SUM, &none, size, MPI_COMM_WORLD) == 1, "no such root");
  check(warpfold_reduce(&one, 1, WARPFOLD_I32, WARPFOLD_SUM, &none, -1, MPI_COMM_WORLD) == 1, "no such root");
  warpfold_type type = rank == last ? WARPFOLD_U32 : WARPFOLD_I32;
  int status = warpfold_allreduce(&one, 1, type, WARPFOLD_SUM, &none, MPI_COMM_WORLD);
  check(status == (size > 1) && none == (size > 1 ? -1 : 1), "different types");
}

int main(int argc, char **argv) {
  int one = 1, total;
  check(warpfold_allreduce_fortran(&one, 1, WARPFOLD_I32, WARPFOLD_SUM, &total, 0) == 1, "before MPI_Init");
  check(strstr(warpfold_error(), "MPI_Init") != NULL, "the reason");
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int division = 0; division < DIVISIONS; division++) reduced(&cases[i], division);
  merged();
  failing();

  /* Another communicator, while messages of the program wait to be received. */
  int ball = rank, caught = -1;
  MPI_Request request;
  MPI_Irecv(&caught, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
  check(warpfold_allreduce(&one, 1, WARPFOLD_I32, WARPFOLD_SUM, &total, half) == 0, "half");
  check(total == (size + 1 - rank % 2) / 2, "each second process");
  MPI_Send(&ball, 1, MPI_INT, (rank + 1) % size, 5, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  check(caught == (rank + size - 1) % size, "the program's message");
  MPI_Comm_free(&half);

  double start = MPI_Wtime();
  for (int i = 0; i < 20; i++) warpfold_allreduce(&one, 1, WARPFOLD_I32, WARPFOLD_SUM, &total, MPI_COMM_WORLD);
  double each = (MPI_Wtime() - start) / 20;
  MPI_Finalize();
  if (rank == 0) fprintf(stderr, "%.0f us for a sum of %d integers\n", each * 1e6, total);
  return 0;
}
