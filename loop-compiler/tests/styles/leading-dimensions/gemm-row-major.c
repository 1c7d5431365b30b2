// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// C = alpha * A * B + beta * C, row-major, with the operand B given as it is or transposed.
#include <stdlib.h>

enum Trans { NoTrans, Trans };

int sgemm_rm(enum Trans tb, int M, int N, int K, float alpha, const float *A, int lda,
             const float *B, int ldb, float beta, float *C, int ldc) {
  if (M <= 0 || N <= 0) return 0;
  if (lda < K || ldc < N) return -1;
  if (ldb < (tb == NoTrans ? N : K)) return -1;

  for (int i = 0; i < M; i++) { // truth: parallel
    float *c = C + (size_t)i * ldc;
    if (beta == 0.0f) {
      for (int j = 0; j < N; j++) c[j] = 0.0f; // truth: parallel
    } else if (beta != 1.0f) {
      for (int j = 0; j < N; j++) c[j] *= beta; // truth: parallel
    }
    if (tb == NoTrans) {
      for (int k = 0; k < K; k++) { // truth: parallel
        const float a = alpha * A[(size_t)i * lda + k];
        const float *b = B + (size_t)k * ldb;
        if (a == 0.0f) continue;
        for (int j = 0; j < N; j++) c[j] += a * b[j]; // truth: parallel
      }
    } else {
      for (int j = 0; j < N; j++) { // truth: parallel
        float sum = 0.0f;
        for (int k = 0; k < K; k++) // truth: parallel
          sum += A[(size_t)i * lda + k] * B[(size_t)j * ldb + k];
        c[j] += alpha * sum;
      }
    }
  }
  return 0;
}
