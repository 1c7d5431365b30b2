// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Directives that are wrong: carried dependences, clauses that are missing, and clauses that say something else.
#include <math.h>

void prefix(int n, double *a)
{
#pragma omp parallel for // wrong
    for (int i = 1; i < n; i++)
        a[i] += a[i - 1];
}

void shift_down(int n, double *a)
{
#pragma omp parallel for // wrong
    for (int i = 0; i < n - 1; i++)
        a[i] = a[i + 1];
}

void two_back(int n, double *a)
{
#pragma omp parallel for schedule(static, 2) // wrong
    for (int i = 2; i < n; i++)
        a[i] = a[i - 2] + 1;
}

void fibonacci(int n, long *f)
{
    f[0] = f[1] = 1;
#pragma omp parallel for // wrong
    for (int i = 2; i < n; i++)
        f[i] = f[i - 1] + f[i - 2];
}

void seidel(int n, double a[restrict n][n])
{
#pragma omp parallel for // wrong
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            a[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
}

void columns(int n, double a[restrict n][n])
{
#pragma omp parallel for collapse(2) // wrong
    for (int i = 1; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] += a[i - 1][j];
}

void steps_outside(int n, int steps, double a[restrict n], double b[restrict n])
{
#pragma omp parallel for // wrong
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = a[i - 1] + a[i + 1];
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
}

void reverse_all(int n, double *a)
{
#pragma omp parallel for // wrong
    for (int i = 0; i < n; i++)
        a[i] = a[n - 1 - i];
}

void one_cell(int n, const double *restrict a, double *restrict b)
{
#pragma omp parallel for // wrong
    for (int i = 0; i < n; i++)
        b[0] = a[i];
}

void halves(int n, double *a)
{
#pragma omp parallel for // wrong
    for (int i = 1; i < n; i++)
        a[i] = a[i / 2] + 1;
}

void product_cells(int n, const double *x, const double *y, double *restrict c)
{
#pragma omp parallel for collapse(2) // wrong
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            c[i + j] += x[i] * y[j];
}

void columns_of_sums(int n, int m, double a[n][m], double *restrict sum)
{
#pragma omp parallel for // wrong
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            sum[j] += a[i][j];
}

double sum_shared(int n, const double *a)
{
    double sum = 0;
#pragma omp parallel for shared(sum) // wrong
    for (int i = 0; i < n; i++)
        sum += a[i];
    return sum;
}

double sum_private(int n, const double *a)
{
    double sum = 0;
#pragma omp parallel for private(sum) // wrong
    for (int i = 0; i < n; i++)
        sum += a[i];
    return sum;
}

double sum_first(int n, const double *a)
{
    double sum = 0;
#pragma omp parallel for firstprivate(sum) // wrong
    for (int i = 0; i < n; i++)
        sum += a[i];
    return sum;
}

double sum_last(int n, const double *a)
{
    double sum = 0;
#pragma omp parallel for firstprivate(sum) lastprivate(sum) // wrong
    for (int i = 0; i < n; i++)
        sum += a[i];
    return sum;
}

long product_as_sum(int n, const long *a)
{
    long all = 1;
#pragma omp parallel for reduction(+: all) // wrong
    for (int i = 0; i < n; i++)
        all *= a[i];
    return all;
}

int least_as_greatest(int n, const int *a)
{
    int least = a[0];
#pragma omp parallel for reduction(max: least) // wrong
    for (int i = 1; i < n; i++)
        if (a[i] < least)
            least = a[i];
    return least;
}

unsigned or_as_and(int n, const unsigned *a)
{
    unsigned bits = 0;
#pragma omp parallel for reduction(&: bits) // wrong
    for (int i = 0; i < n; i++)
        bits |= a[i];
    return bits;
}

void running_sum(int n, const double *restrict a, double *restrict b)
{
    double sum = 0;
#pragma omp parallel for reduction(+: sum) // wrong
    for (int i = 0; i < n; i++) {
        sum += a[i];
        b[i] = sum;
    }
}

double horner(int n, double x, const double *c)
{
    double sum = 0;
#pragma omp parallel for reduction(+: sum) // wrong
    for (int i = 0; i < n; i++)
        sum = sum * x + c[i];
    return sum;
}

int last_private(int n, const int *a)
{
    int last = 0;
#pragma omp parallel for private(last) // wrong
    for (int i = 0; i < n; i++)
        last = a[i];
    return last;
}

int last_positive(int n, const int *a)
{
    int last = -1;
#pragma omp parallel for lastprivate(last) // wrong
    for (int i = 0; i < n; i++)
        if (a[i] > 0)
            last = i;
    return last;
}

void unset(int n, double factor, double *restrict a)
{
#pragma omp parallel for private(factor) // wrong
    for (int i = 0; i < n; i++)
        a[i] *= factor;
}

void previous(int n, const double *restrict a, double *restrict b)
{
    double last = 0;
#pragma omp parallel for firstprivate(last) // wrong
    for (int i = 0; i < n; i++) {
        b[i] = a[i] - last;
        last = a[i];
    }
}

void packed(int n, const int *restrict a, int *restrict b)
{
    int k = 0;
#pragma omp parallel for // wrong
    for (int i = 0; i < n; i++)
        if (a[i] > 0)
            b[k++] = a[i];
}

int packed_count(int n, const int *restrict a, int *restrict b)
{
    int k = 0;
#pragma omp parallel for reduction(+: k) // wrong
    for (int i = 0; i < n; i++)
        if (a[i] > 0)
            b[k++] = a[i];
    return k;
}

void counter(int n, double *restrict a)
{
    int k = 0;
#pragma omp parallel for private(k) // wrong
    for (int i = 0; i < n; i++)
        a[k++] = i;
}

void iterator_shared(int n, int m, double a[restrict n][m])
{
    int i, j;
#pragma omp parallel for // wrong
    for (i = 0; i < n; i++)
        for (j = 0; j < m; j++)
            a[i][j] = i + j;
}

void iterator_of_region(int n, int m, double a[restrict n][m])
{
    int i, j;
#pragma omp parallel
    {
#pragma omp for // wrong
        for (i = 0; i < n; i++)
            for (j = 0; j < m; j++)
                a[i][j] = i * j;
    }
}

void temporary(int n, double *restrict a)
{
    double t;
#pragma omp parallel for // wrong
    for (int i = 0; i < n; i++) {
        t = a[i];
        a[i] = t * t + t;
    }
}

void temporary_of_two(int n, double *restrict a, double *restrict b)
{
    double t, u;
#pragma omp parallel for private(t) // wrong
    for (int i = 0; i < n; i++) {
        t = a[i];
        u = b[i];
        a[i] = u;
        b[i] = t;
    }
}

void buffer_shared(int n, double a[restrict n][4])
{
    double t[4];
#pragma omp parallel for // wrong
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < 4; j++)
            t[j] = a[i][3 - j];
        for (int j = 0; j < 4; j++)
            a[i][j] = t[j];
    }
}

void histogram(int n, const unsigned char *restrict a, int *restrict h)
{
#pragma omp parallel for // wrong
    for (int i = 0; i < n; i++)
        h[a[i]]++;
}

int two_reductions(int n, const int *a)
{
    int sum = 0, most = a[0];
#pragma omp parallel for reduction(+: sum) // wrong
    for (int i = 0; i < n; i++) {
        sum += a[i];
        if (a[i] > most)
            most = a[i];
    }
    return sum + most;
}

int position(int n, const double *a)
{
    int at = 0;
    double most = a[0];
#pragma omp parallel for reduction(max: most) // wrong
    for (int i = 1; i < n; i++)
        if (a[i] > most) {
            most = a[i];
            at = i;
        }
    return at;
}

int found(int n, int x, const int *a)
{
    int at = -1;
#pragma omp parallel for // wrong
    for (int i = 0; i < n; i++)
        if (a[i] == x) {
            at = i;
            break;
        }
    return at;
}

double device_sum(int n, const double *a)
{
    double sum = 0;
#pragma omp target teams distribute parallel for map(to: a[0:n]) // wrong
    for (int i = 0; i < n; i++)
        sum += a[i];
    return sum;
}

double device_mapped(int n, const double *a)
{
    double sum = 0;
#pragma omp target teams distribute parallel for map(to: a[0:n]) map(tofrom: sum) // wrong
    for (int i = 0; i < n; i++)
        sum += a[i];
    return sum;
}

int iterator_after(int n, double *restrict a)
{
    int i;
#pragma omp parallel for // wrong
    for (i = 0; i < n; i++)
        a[i] = i;
    return i;
}

void walking(int n, double *restrict a)
{
    double *p = a;
#pragma omp parallel for // wrong
    for (int i = 0; i < n; i++)
        *p++ = i;
}

void elimination_outside(int n, double a[restrict n][n])
{
#pragma omp parallel for // wrong
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n; j++)
                a[i][j] -= a[i][k] * a[k][j];
}

void substitution(int n, double l[n][n], double *restrict x)
{
#pragma omp parallel for // wrong
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            x[i] -= l[i][j] * x[j];
}

void bubble(int n, int *a)
{
    int t;
#pragma omp parallel for private(t) // wrong
    for (int i = 0; i < n - 1; i++)
        if (a[i] > a[i + 1]) {
            t = a[i];
            a[i] = a[i + 1];
            a[i + 1] = t;
        }
}

void partial_atomic(int n, const int *restrict a, int *restrict h)
{
    int total = 0;
#pragma omp parallel for // wrong
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        h[a[i] & 15]++;
        total += a[i];
    }
    h[16] = total;
}

int alternating(int n, const int *a)
{
    int sign = 1, sum = 0;
#pragma omp parallel for firstprivate(sign) reduction(+: sum) // wrong
    for (int i = 0; i < n; i++) {
        sum += sign * a[i];
        sign = -sign;
    }
    return sum;
}

double recurrence(int n, double x0)
{
    double x = x0;
#pragma omp parallel for lastprivate(x) // wrong
    for (int i = 0; i < n; i++)
        x = 3.5 * x * (1 - x);
    return x;
}
