// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// What threads have of their own, and what only seems to be: pointers, structures, variables of the file.
#include <stdlib.h>

int of_file, counted;
#pragma omp threadprivate(counted)
struct pair { double x, y; };
static struct pair point;

static void uses_file(int i, int *a)
{
    of_file = i;
    a[i] = of_file;
}

void private_of_file(int n, int *a)
{
#pragma omp parallel for private(of_file) // wrong
    for (int i = 0; i < n; i++)
        uses_file(i, a);
}

void private_here(int n, int *restrict a)
{
#pragma omp parallel for private(of_file) // wrong
    for (int i = 0; i < n; i++) {
        of_file = i;
        a[i] = of_file;
    }
}

void own_counter(int n, int *restrict a)
{
#pragma omp parallel for // right
    for (int i = 0; i < n; i++) {
        counted = a[i];
        a[i] = counted * 2;
    }
}

void buffer_of_all(int n, double *restrict a)
{
    double *t = malloc(4 * sizeof *t);
#pragma omp parallel for firstprivate(t) // wrong
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < 4; j++)
            t[j] = a[4 * i + j];
        for (int j = 0; j < 4; j++)
            a[4 * i + j] = t[3 - j];
    }
    free(t);
}

void buffer_of_thread(int n, double *restrict a)
{
#pragma omp parallel
    {
        double *t = malloc(4 * sizeof *t);
#pragma omp for // right
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < 4; j++)
                t[j] = a[4 * i + j];
            for (int j = 0; j < 4; j++)
                a[4 * i + j] = t[3 - j];
        }
        free(t);
    }
}

void static_of_region(int n, double *restrict a)
{
#pragma omp parallel
    {
        static double t;
#pragma omp for // wrong
        for (int i = 0; i < n; i++) {
            t = a[i];
            a[i] = t * t;
        }
    }
}

void structure(int n, double *restrict a)
{
    struct pair q;
#pragma omp parallel for private(q) // right
    for (int i = 0; i < n; i++) {
        q.x = a[i];
        q.y = q.x * 2;
        a[i] = q.x + q.y;
    }
}

void shared_structure(int n, double *restrict a)
{
#pragma omp parallel for // wrong
    for (int i = 0; i < n; i++) {
        point.x = a[i];
        point.y = point.x * 2;
        a[i] = point.x + point.y;
    }
}

void section(int n, int m, const int *restrict a, int *restrict h)
{
#pragma omp parallel for reduction(+: h[:m]) // right
    for (int i = 0; i < n; i++)
        h[a[i]]++;
}

int sum_of_thread(int n, const int *a)
{
    int all = 0;
#pragma omp parallel
    {
        int own = 0;
#pragma omp for nowait // right
        for (int i = 0; i < n; i++)
            own += a[i];
#pragma omp atomic
        all += own;
    }
    return all;
}

void last_of_nothing(int n, const int *a, int *restrict b)
{
    int last = 0;
#pragma omp parallel for lastprivate(conditional: last) // right
    for (int i = 0; i < n; i++)
        if (a[i] > 0)
            last = i;
    b[0] = last;
}
