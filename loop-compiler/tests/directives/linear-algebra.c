// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Dense and sparse kernels, with directives as they should be.
#include <math.h>

void scale(int n, double a, double *x)
{
#pragma omp parallel for // right
    for (int i = 0; i < n; i++)
        x[i] *= a;
}

void axpy(int n, double a, const double *restrict x, double *restrict y)
{
    int i;
#pragma omp parallel for schedule(static) // right
    for (i = 0; i < n; i++)
        y[i] += a * x[i];
}

double dot(int n, const double *x, const double *y)
{
    double sum = 0;
#pragma omp parallel for reduction(+: sum) // right
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

double norm(int n, const float *x)
{
    double sum = 0;
    int i;
#pragma omp parallel for default(none) shared(x, n) private(i) reduction(+ : sum) // right
    for (i = 0; i < n; i++) {
        double value = x[i];
        sum += value * value;
    }
    return sqrt(sum);
}

void matrix_vector(int n, int m, double a[n][m], const double *restrict x, double *restrict y)
{
    int i, j;
    double sum;
#pragma omp parallel for private(j, sum) // right
    for (i = 0; i < n; i++) {
        sum = 0;
        for (j = 0; j < m; j++)
            sum += a[i][j] * x[j];
        y[i] = sum;
    }
}

void matrix_product(int n, double a[n][n], double b[n][n], double c[restrict n][n])
{
    int i, j, k;
#pragma omp parallel for private(i, j, k) shared(a, b, c) // right
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            c[i][j] = 0;
            for (k = 0; k < n; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
}

void matrix_product_flat(int n, const double *restrict a, const double *restrict b, double *restrict c)
{
#pragma omp parallel for collapse(2) // right
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
}

void transpose(int n, int m, double a[n][m], double b[restrict m][n])
{
#pragma omp parallel for collapse(2) schedule(dynamic, 16) // right
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[j][i] = a[i][j];
}

void rank_one(int n, int m, double a[restrict n][m], const double *x, const double *y)
{
    int j;
#pragma omp parallel for private(j) // right
    for (int i = 0; i < n; i++)
        for (j = 0; j < m; j++)
            a[i][j] += x[i] * y[j];
}

void eliminate(int n, double a[restrict n][n])
{
    for (int k = 0; k < n; k++) {
#pragma omp parallel for // right
        for (int i = k + 1; i < n; i++) {
            double factor = a[i][k] / a[k][k];
            for (int j = k; j < n; j++)
                a[i][j] -= factor * a[k][j];
        }
    }
}

double frobenius(int n, int m, double a[n][m])
{
    double sum = 0;
    int i, j;
#pragma omp parallel for private(j) reduction(+: sum) // right
    for (i = 0; i < n; i++)
        for (j = 0; j < m; j++)
            sum += a[i][j] * a[i][j];
    return sqrt(sum);
}

double trace(int n, double a[n][n])
{
    double sum = 0;
#pragma omp parallel for simd reduction(+: sum) // right
    for (int i = 0; i < n; i++)
        sum += a[i][i];
    return sum;
}

double largest_row_sum(int n, int m, double a[n][m])
{
    double largest = 0, row;
    int j;
#pragma omp parallel for private(row, j) reduction(max: largest) // right
    for (int i = 0; i < n; i++) {
        row = 0;
        for (j = 0; j < m; j++)
            row += fabs(a[i][j]);
        if (row > largest)
            largest = row;
    }
    return largest;
}

void sparse_rows(int rows, const int *start, const int *column, const double *value, const double *restrict x,
                 double *restrict y)
{
    int i, k;
    double sum;
#pragma omp parallel for private(sum, k) schedule(guided) // right
    for (i = 0; i < rows; i++) {
        sum = 0;
        for (k = start[i]; k < start[i + 1]; k++)
            sum += value[k] * x[column[k]];
        y[i] = sum;
    }
}

void upper_triangle(int n, double a[restrict n][n])
{
#pragma omp parallel for schedule(dynamic) // right
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++)
            a[i][j] = i == j;
}

void mirror(int n, double a[restrict n][n])
{
#pragma omp parallel for // right
    for (int i = 1; i < n; i++)
        for (int j = 0; j < i; j++)
            a[i][j] = a[j][i];
}

void column_means(int n, int m, double a[n][m], double *restrict mean)
{
    int i, j;
#pragma omp parallel for private(i) // right
    for (j = 0; j < m; j++) {
        mean[j] = 0;
        for (i = 0; i < n; i++)
            mean[j] += a[i][j];
        mean[j] /= n;
    }
}

void jacobi(int n, int steps, double a[restrict n][n], double b[restrict n][n])
{
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for // right
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
#pragma omp parallel for // right
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i][j] = b[i][j];
    }
}

double residual(int n, double a[n][n], double b[n][n])
{
    double most = 0, difference;
    int i, j;
#pragma omp parallel private(difference, j)
    {
#pragma omp for reduction(max: most) // right
        for (i = 0; i < n; i++)
            for (j = 0; j < n; j++) {
                difference = fabs(a[i][j] - b[i][j]);
                if (difference > most)
                    most = difference;
            }
    }
    return most;
}

void red_black(int n, int colour, double a[restrict n])
{
#pragma omp parallel for // right
    for (int i = 1 + colour; i < n - 1; i += 2)
        a[i] = 0.5 * (a[i - 1] + a[i + 1]);
}
