// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Sorting methods under a timer: insertion, odd-even transposition, selection; order checked after each.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void insertion(int *a, int n, int *tmp)
{
    (void)tmp;
    for (int i = 1; i < n; i++) { // truth: sequential
        int v = a[i], j = i;
        while (j > 0 && a[j - 1] > v) { // truth: sequential
            a[j] = a[j - 1];
            j--;
        }
        a[j] = v;
    }
}

static void odd_even(int *a, int n, int *tmp)
{
    (void)tmp;
    for (int phase = 0; phase < n; phase++) // truth: sequential
        for (int i = phase & 1; i + 1 < n; i += 2) // truth: parallel
            if (a[i] > a[i + 1]) {
                int t = a[i];
                a[i] = a[i + 1];
                a[i + 1] = t;
            }
}

static void selection(int *a, int n, int *tmp)
{
    memcpy(tmp, a, (size_t)n * sizeof *a);
    for (int i = 0; i + 1 < n; i++) { // truth: sequential
        int least = i;
        for (int j = i + 1; j < n; j++) // truth: parallel
            if (tmp[j] < tmp[least])
                least = j;
        a[i] = tmp[least];
        tmp[least] = tmp[i];
    }
    if (n > 0)
        a[n - 1] = tmp[n - 1];
}

static int ordered(const int *a, int n)
{
    for (int i = 1; i < n; i++) // truth: parallel
        if (a[i - 1] > a[i])
            return 0;
    return 1;
}

int sort_bench(const int *input, int *work, int *tmp, int n)
{
    static void (*const method[])(int *, int, int *) = { insertion, odd_even, selection };
    int failed = 0;
    for (int m = 0; m < 3; m++) { // truth: sequential
        memcpy(work, input, (size_t)n * sizeof *work);
        clock_t t = clock();
        method[m](work, n, tmp);
        printf("method %d: %ld\n", m, (long)(clock() - t));
        failed += !ordered(work, n);
    }
    return failed;
}
