// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Cholesky factors of a symmetric positive definite matrix: left-looking by rows and right-looking by columns.
#include <math.h>
#include <stdio.h>

/* Row-major, lower triangle. Returns 0, or the order of the minor that is not positive. */
int chol_left(int n, double *A, int ld, int verbose)
{
    for (int j = 0; j < n; j++) { // truth: sequential
        double d = A[j * ld + j];
        for (int k = 0; k < j; k++) // truth: parallel
            d -= A[j * ld + k] * A[j * ld + k];
        if (d <= 0.0) {
            if (verbose)
                fprintf(stderr, "chol_left: minor %d\n", j + 1);
            return j + 1;
        }
        d = sqrt(d);
        A[j * ld + j] = d;
        for (int i = j + 1; i < n; i++) { // truth: parallel
            double s = A[i * ld + j];
            for (int k = 0; k < j; k++) // truth: parallel
                s -= A[i * ld + k] * A[j * ld + k];
            A[i * ld + j] = s / d;
        }
    }
    return 0;
}

int chol_right(int n, double *A, int ld)
{
    for (int k = 0; k < n; k++) { // truth: sequential
        if (!(A[k * ld + k] > 0.0)) return k + 1;
        A[k * ld + k] = sqrt(A[k * ld + k]);
        for (int i = k + 1; i < n; i++) // truth: parallel
            A[i * ld + k] /= A[k * ld + k];
        for (int j = k + 1; j < n; j++) // truth: parallel
            for (int i = j; i < n; i++) // truth: parallel
                A[i * ld + j] -= A[i * ld + k] * A[j * ld + k];
    }
    return 0;
}
