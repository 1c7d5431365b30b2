// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// What every nest includes: sizes, array declarations in the style of PPCG's and Pluto's inputs, deterministic inputs,
// and outputs printed bit for bit.
#ifndef NEST_H
#define NEST_H

#include <float.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What most nests use of the C library. Its headers are most of a nest's syntax tree, and tests read hundreds of nests
// several times; those that use more include them.
int printf(const char *restrict, ...);
double copysign(double, double), exp(double), fabs(double), floor(double), fma(double, double, double),
    fmax(double, double), fmin(double, double), log(double), sqrt(double);
float fmaxf(float, float);

// Sizes: any value from 3 on, each on its own. They differ so that exchanged extents show.
#ifndef N
#define N 20
#endif
#ifndef M
#define M 16
#endif
#ifndef K
#define K 12
#endif
#ifndef L
#define L 10
#endif
#ifndef TSTEPS
#define TSTEPS 6
#endif

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif

// Fixed sizes by default, variable-length arrays with -DVARIABLE.
#ifdef VARIABLE
#define POLYBENCH_C99_SELECT(fixed, variable) variable
#else
#define POLYBENCH_C99_SELECT(fixed, variable) fixed
#endif
#ifdef POLYBENCH_USE_RESTRICT
#define POLYBENCH_RESTRICT restrict
#else
#define POLYBENCH_RESTRICT
#endif
#define POLYBENCH_LOOP_BOUND(fixed, variable) POLYBENCH_C99_SELECT(fixed, variable)
#define POLYBENCH_1D(var, d1, v1) var[POLYBENCH_RESTRICT POLYBENCH_C99_SELECT(d1, v1)]
#define POLYBENCH_2D(var, d1, d2, v1, v2) POLYBENCH_1D(var, d1, v1)[POLYBENCH_C99_SELECT(d2, v2)]
#define POLYBENCH_3D(var, d1, d2, d3, v1, v2, v3) POLYBENCH_2D(var, d1, d2, v1, v2)[POLYBENCH_C99_SELECT(d3, v3)]
#define POLYBENCH_ARRAY(var) var
#define POLYBENCH_1D_ARRAY_DECL(var, type, d1, v1) static _Alignas(64) type var[d1]
#define POLYBENCH_2D_ARRAY_DECL(var, type, d1, d2, v1, v2) static _Alignas(64) type var[d1][d2]
#define POLYBENCH_3D_ARRAY_DECL(var, type, d1, d2, d3, v1, v2, v3) static _Alignas(64) type var[d1][d2][d3]
#define _PB_N POLYBENCH_LOOP_BOUND(N, n)
#define _PB_M POLYBENCH_LOOP_BOUND(M, m)
#define _PB_K POLYBENCH_LOOP_BOUND(K, k_size)
#define _PB_L POLYBENCH_LOOP_BOUND(L, l_size)
#define _PB_TSTEPS POLYBENCH_LOOP_BOUND(TSTEPS, tsteps)
#define SCALAR_VAL(x) ((DATA_TYPE)(x))

// The next of a sequence of pseudo-random numbers, the same in every run.
static inline uint32_t nest_random(void) {
  static uint64_t state = 0x2545f4914f6cdd1dULL;
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (uint32_t)(state >> 33);
}

static inline void nest_fill_f64(double *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    p[i] = (double)nest_random() / 1073741824.0 - 1.0;
}

static inline void nest_fill_f32(float *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    p[i] = (float)(nest_random() >> 8) / 4194304.0f - 1.0f;
}

static inline void nest_fill_int(int *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    p[i] = (int)(nest_random() % 41) - 20;
}

static inline void nest_fill_index(int *p, size_t n, int bound) {
  for (size_t i = 0; i < n; i++)
    p[i] = (int)(nest_random() % (uint32_t)bound);
}

// Fill any array or scalar: floats from [-1, 1), integers from [-20, 20], positive floats from [1, 3), indices from
// [0, bound).
#define FILL(A)                                                                                                        \
  _Generic((DATA_TYPE)0, double: nest_fill_f64, float: nest_fill_f32, int: nest_fill_int)((void *)&(A),                \
                                                                                          sizeof(A) / (sizeof(DATA_TYPE)))
#define FILL_F64(A) nest_fill_f64((double *)&(A), sizeof(A) / (sizeof(double)))
#define FILL_F32(A) nest_fill_f32((float *)&(A), sizeof(A) / (sizeof(float)))
#define FILL_INT(A) nest_fill_int((int *)&(A), sizeof(A) / (sizeof(int)))
#define FILL_INDEX(A, bound) nest_fill_index((int *)&(A), sizeof(A) / (sizeof(int)), bound)
#define FILL_POSITIVE(A)                                                                                               \
  do {                                                                                                                 \
    DATA_TYPE *nest_p = (DATA_TYPE *)&(A);                                                                             \
    FILL(A);                                                                                                           \
    for (size_t nest_i = 0; nest_i < sizeof(A) / (sizeof(DATA_TYPE)); nest_i++)                                          \
      nest_p[nest_i] += 2;                                                                                             \
  } while (0)

static inline uint64_t nest_hash(const void *p, size_t bytes) {
  uint64_t hash = 0xcbf29ce484222325ULL;
  for (size_t i = 0; i < bytes; i++)
    hash = (hash ^ ((const unsigned char *)p)[i]) * 0x100000001b3ULL;
  return hash;
}

// Print a name, the FNV-1a hash of the bytes and the first values.
#define NEST_SHOW(suffix, type, format)                                                                                \
  static inline void show_##suffix(const char *name, const type *p, size_t n) {                                        \
    printf("%s %016llx", name, (unsigned long long)nest_hash(p, n * sizeof *p));                                       \
    for (size_t i = 0; i < n && i < 6; i++)                                                                            \
      printf(" " format, p[i]);                                                                                        \
    printf("\n");                                                                                                      \
  }
NEST_SHOW(f64, double, "%a")
NEST_SHOW(f32, float, "%a")
NEST_SHOW(int, int, "%d")
NEST_SHOW(uint, unsigned, "%u")
NEST_SHOW(char, signed char, "%d")

// Print any array or scalar.
#define SHOW(A)                                                                                                        \
  _Generic((DATA_TYPE)0, double: show_f64, float: show_f32, int: show_int)(#A, (const void *)&(A),                     \
                                                                           sizeof(A) / (sizeof(DATA_TYPE)))
#define SHOW_F64(A) show_f64(#A, (const double *)&(A), sizeof(A) / (sizeof(double)))
#define SHOW_F32(A) show_f32(#A, (const float *)&(A), sizeof(A) / (sizeof(float)))
#define SHOW_INT(A) show_int(#A, (const int *)&(A), sizeof(A) / (sizeof(int)))
#define SHOW_UINT(A) show_uint(#A, (const unsigned *)&(A), sizeof(A) / (sizeof(unsigned)))
#define SHOW_CHAR(A) show_char(#A, (const signed char *)&(A), sizeof(A))

#endif
