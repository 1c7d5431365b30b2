// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Every kind of clause, as it should be.
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

int count_even(int n, const int *a)
{
    int count = 0;
#pragma omp parallel for reduction(+: count) // right
    for (int i = 0; i < n; i++)
        if (a[i] % 2 == 0)
            count++;
    return count;
}

int smallest(int n, const int *a)
{
    int least = INT_MAX;
#pragma omp parallel for reduction(min: least) // right
    for (int i = 0; i < n; i++)
        least = a[i] < least ? a[i] : least;
    return least;
}

int largest(int n, const int *a)
{
    int most = INT_MIN;
#pragma omp parallel for reduction(max: most) // right
    for (int i = 0; i < n; i++)
        if (most < a[i])
            most = a[i];
    return most;
}

double range(int n, const double *a)
{
    double low = a[0], high = a[0];
#pragma omp parallel for reduction(min: low) reduction(max: high) // right
    for (int i = 1; i < n; i++) {
        low = fmin(low, a[i]);
        high = fmax(high, a[i]);
    }
    return high - low;
}

unsigned all_bits(int n, const unsigned *a)
{
    unsigned bits = 0;
#pragma omp parallel for reduction(|: bits) // right
    for (int i = 0; i < n; i++)
        bits |= a[i];
    return bits;
}

unsigned common_bits(int n, const unsigned *a)
{
    unsigned bits = ~0u;
#pragma omp parallel for reduction(&: bits) // right
    for (int i = 0; i < n; i++)
        bits &= a[i];
    return bits;
}

unsigned parity(int n, const unsigned *a)
{
    unsigned bits = 0;
#pragma omp parallel for reduction(^: bits) // right
    for (int i = 0; i < n; i++)
        bits ^= a[i];
    return bits;
}

int all_positive(int n, const double *a)
{
    int all = 1;
#pragma omp parallel for reduction(&&: all) // right
    for (int i = 0; i < n; i++)
        all = all && a[i] > 0;
    return all;
}

int any_negative(int n, const double *a)
{
    int any = 0;
#pragma omp parallel for reduction(||: any) // right
    for (int i = 0; i < n; i++)
        any = any || a[i] < 0;
    return any;
}

double product(int n, const double *a)
{
    double all = 1;
#pragma omp parallel for reduction(*: all) // right
    for (int i = 0; i < n; i++)
        all *= a[i];
    return all;
}

double remaining(int n, double from, const double *a)
{
    double rest = from;
#pragma omp parallel for reduction(-: rest) // right
    for (int i = 0; i < n; i++)
        rest -= a[i];
    return rest;
}

void moments(int n, const double *a, double *mean, double *square)
{
    double first = 0, second = 0, value;
#pragma omp parallel for private(value) reduction(+: first, second) // right
    for (int i = 0; i < n; i++) {
        value = a[i];
        first += value;
        second += value * value;
    }
    *mean = first / n;
    *square = second / n;
}

int last_positive(int n, const int *a, int *restrict b)
{
    int value = 0;
#pragma omp parallel for lastprivate(value) // right
    for (int i = 0; i < n; i++) {
        value = a[i] * a[i];
        b[i] = value + 1;
    }
    return value;
}

void offsets(int n, int offset, int *restrict a)
{
#pragma omp parallel for firstprivate(offset) // right
    for (int i = 0; i < n; i++)
        a[i] = i + offset;
}

void clamped(int n, const double *a, double *restrict b)
{
    double low = 0.25, high = 0.75, value;
#pragma omp parallel for firstprivate(low, high) private(value) // right
    for (int i = 0; i < n; i++) {
        value = a[i];
        if (value < low)
            value = low;
        if (value > high)
            value = high;
        b[i] = value;
    }
}

void swap_halves(int n, double *a)
{
    double t;
#pragma omp parallel for private(t) // right
    for (int i = 0; i < n; i++) {
        t = a[i];
        a[i] = a[i + n];
        a[i + n] = t;
    }
}

void histogram(int n, const unsigned char *restrict a, int *restrict h)
{
#pragma omp parallel for // right
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        h[a[i]]++;
    }
}

double atomic_sum(int n, const double *a)
{
    double sum = 0;
#pragma omp parallel for // right
    for (int i = 0; i < n; i++) {
        double value = a[i] * a[i];
#pragma omp atomic update
        sum += value;
    }
    return sum;
}

double critical_sum(int n, const double *a)
{
    double sum = 0;
#pragma omp parallel for // right
    for (int i = 0; i < n; i++) {
#pragma omp critical(summing)
        sum += a[i];
    }
    return sum;
}

int fixed_histogram(int n, const int *a)
{
    int h[8] = {0};
#pragma omp parallel for reduction(+: h) // right
    for (int i = 0; i < n; i++)
        h[a[i] & 7]++;
    return h[0] * h[7];
}

void rows_with_buffer(int n, double a[restrict n][4])
{
    double t[4];
#pragma omp parallel for private(t) // right
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < 4; j++)
            t[j] = a[i][3 - j];
        for (int j = 0; j < 4; j++)
            a[i][j] = t[j];
    }
}

static double square(double x) { return x * x; }

static double weighted(const double *w, double x, int at) { return w[at] * square(x); }

double energy(int n, const double *w, const double *x)
{
    double sum = 0;
#pragma omp parallel for reduction(+: sum) if(n > 1000) num_threads(4) // right
    for (int i = 0; i < n; i++)
        sum += weighted(w, x[i], i);
    return sum;
}

double two_uses(int n, const double *a, double *restrict b)
{
    double t, sum = 0;
#pragma omp parallel for private(t) // right
    for (int i = 0; i < n; i++) {
        t = a[i] + 1;
        b[i] = t;
    }
#pragma omp parallel for private(t) reduction(+: sum) // right
    for (int i = 0; i < n; i++) {
        t = b[i] - 1;
        sum += t * t;
    }
    return sum;
}

void downwards(int n, double *restrict a)
{
    int i;
#pragma omp parallel for // right
    for (i = n - 1; i >= 0; i--)
        a[i] = 2 * i;
}

void every_third(int n, double *restrict a)
{
#pragma omp parallel for // right
    for (int i = 0; i < n; i += 3)
        a[i] += a[i + 1] + a[i + 2];
}

void own_variables(int n, const double *a, double *restrict b)
{
#pragma omp parallel
    {
        double t, u;
#pragma omp for nowait // right
        for (int i = 0; i < n; i++) {
            t = a[i];
            u = t * t;
            b[i] = u + t;
        }
    }
}

void lanes(int n, const float *restrict a, float *restrict b)
{
#pragma omp simd // right
    for (int i = 0; i < n; i++)
        b[i] = a[i] * 2;
}

float lane_sum(int n, const float *a)
{
    float sum = 0;
#pragma omp simd reduction(+: sum) // right
    for (int i = 0; i < n; i++)
        sum += a[i];
    return sum;
}

double on_device(int n, const double *a)
{
    double sum = 0;
#pragma omp target teams distribute parallel for map(to: a[0:n]) map(tofrom: sum) reduction(+: sum) // right
    for (int i = 0; i < n; i++)
        sum += a[i];
    return sum;
}

void map_on_device(int n, double *restrict a)
{
#pragma omp target teams loop map(tofrom: a[0:n]) // right
    for (int i = 0; i < n; i++)
        a[i] += 1;
}

void tasks(int n, double *restrict a)
{
#pragma omp parallel
#pragma omp single
#pragma omp taskloop // right
    for (int i = 0; i < n; i++)
        a[i] = sqrt(a[i]);
}

void guarded(int n, const int *mask, double *restrict a)
{
    double t;
#pragma omp parallel for private(t) // right
    for (int i = 0; i < n; i++)
        if (mask[i]) {
            t = a[i];
            a[i] = t * t;
        }
}

void between(int n, int m, double a[restrict n][m], const double *restrict x)
{
    for (int i = 0; i < n; i++) {
        double t;
#pragma omp parallel for private(t) // right
        for (int j = 0; j < m; j++) {
            t = x[j] + i;
            a[i][j] = t;
        }
    }
}

void asserted(int n, const int *restrict b, double *restrict a)
{
    double t;
#pragma omp parallel for private(t) // right
    for (int i = 0; i < n; i++) {
        assert(b[i] >= 0);
        t = b[i];
        a[i] = t;
    }
}

int with_label(int n, const double *restrict a, double *restrict b)
{
    double t;
    if (n < 0)
        goto end;
#pragma omp parallel for private(t) // right
    for (int i = 0; i < n; i++) {
        t = a[i];
        b[i] = t * t;
    }
end:
    return n;
}
