// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Harness for a matrix product: operands from a formula of the index, several trials, comparison with a reference.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define N 192

static float A[N][N], B[N][N], C[N][N], R[N][N];

static void kernel(void)
{
    for (int i = 0; i < N; i++) // truth: parallel
        for (int j = 0; j < N; j++) { // truth: parallel
            float s = 0.0f;
            for (int k = 0; k < N; k++) s += A[i][k] * B[k][j]; // truth: parallel
            C[i][j] = s;
        }
}

static void fill(float m[N][N], unsigned seed)
{
    for (unsigned k = 0; k < N * N; k++) // truth: parallel
        m[k / N][k % N] = (float)((k * 1664525u + seed) >> 20) / 4096.0f;
}

int matmul_trials(int trials)
{
    fill(A, 1u);
    fill(B, 77u);
    kernel();
    memcpy(R, C, sizeof R);
    for (int t = 0; t < trials; t++) { // truth: sequential
        clock_t start = clock();
        kernel();
        printf("trial %d: %ld ticks\n", t, (long)(clock() - start));
    }
    float worst = 0.0f;
    for (int i = 0; i < N; i++) // truth: parallel
        for (int j = 0; j < N; j++) // truth: parallel
            worst = fmaxf(worst, fabsf(C[i][j] - R[i][j]));
    return worst > 1e-5f;
}
