// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Matrices as structs: product, transposed product, outer sums and a power iteration.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Matrix {
    int rows, cols;
    double *data;
} Matrix;

int Matrix_Multiply(const Matrix *a, const Matrix *b, Matrix *out)
{
    if (a == NULL || b == NULL || out == NULL) {
        return -1;
    }
    if (a->cols != b->rows || out->rows != a->rows || out->cols != b->cols) {
        fprintf(stderr, "Matrix_Multiply: sizes do not match\n");
        return -1;
    }
    for (int i = 0; i < a->rows; i++) { // truth: parallel
        for (int j = 0; j < b->cols; j++) { // truth: parallel
            double sum = 0.0;
            for (int k = 0; k < a->cols; k++) { // truth: parallel
                sum += a->data[i * a->cols + k] * b->data[k * b->cols + j];
            }
            out->data[i * out->cols + j] = sum;
        }
    }
    return 0;
}

double Matrix_PowerIteration(const Matrix *m, double *x, double *y, double tol, int limit)
{
    double lambda = 0.0, last;
    int it = 0;
    do { // truth: sequential
        double norm = 0.0;
        last = lambda;
        for (int i = 0; i < m->rows; i++) { // truth: parallel
            y[i] = 0.0;
            for (int j = 0; j < m->cols; j++) { // truth: parallel
                y[i] += m->data[i * m->cols + j] * x[j];
            }
            norm += y[i] * y[i];
        }
        lambda = sqrt(norm);
        if (lambda == 0.0) {
            return 0.0;
        }
        for (int i = 0; i < m->rows; i++) { // truth: parallel
            x[i] = y[i] / lambda;
        }
    } while (fabs(lambda - last) > tol && ++it < limit);
    return lambda;
}
