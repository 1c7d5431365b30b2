// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A small benchmark driver: warm-up until the time is stable, doubling of the problem size, callback under test.
#include <math.h>
#include <stdio.h>
#include <time.h>

typedef void (*bench_fn)(float *x, const float *y, int n);

static void saxpy(float *x, const float *y, int n)
{
    for (int i = 0; i < n; ++i) // truth: parallel
        x[i] = 0.75f * x[i] + y[i];
}

static void squash(float *x, const float *y, int n)
{
    for (int i = 0; i < n; ++i) // truth: parallel
        x[i] = tanhf(x[i]) * y[i];
}

static double run_once(bench_fn f, float *x, const float *y, int n)
{
    const clock_t t = clock();
    f(x, y, n);
    return (double)(clock() - t) / CLOCKS_PER_SEC;
}

double bench(int which, float *x, const float *y, int max)
{
    static const bench_fn table[] = { saxpy, squash };
    bench_fn f = table[which != 0];
    double last = -1.0, t = 0.0;

    for (int i = 0; i < max; ++i) // truth: parallel
        x[i] = 1.0f / (float)(i + 1);
    for (int k = 0; k < 50; ++k) { // truth: sequential
        t = run_once(f, x, y, max);
        if (last >= 0.0 && fabs(t - last) < 0.05 * t)
            break;
        last = t;
    }
    for (int n = 1024; n <= max; n *= 2) { // truth: sequential
        const double s = run_once(f, x, y, n);
        printf("%10d %12.6f\n", n, s);
    }
    double sum = 0.0;
    for (int i = 0; i < max; ++i) // truth: parallel
        sum += x[i];
    return sum;
}
