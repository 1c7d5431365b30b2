// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Rate of arithmetic of a quadrature for pi, with a second form that carries the abscissa along.
#include <math.h>
#include <stdio.h>
#include <time.h>

#ifndef ROUNDS
#define ROUNDS 5
#endif

static double midpoint(long n)
{
    const double h = 1.0 / n;
    double s = 0.0;
    long i;
    for (i = 0; i < n; i++) { // truth: parallel
        const double x = (i + 0.5) * h;
        s += 4.0 / (1.0 + x * x);
    }
    return s * h;
}

static double leibniz(long n)
{
    double s = 0.0, sign = 1.0;
    for (long i = 0; i < n; i++) { // truth: parallel
        s += sign / (2.0 * i + 1.0);
        sign = -sign;
    }
    return 4.0 * s;
}

/* Archimedes: the side of the polygon with twice the corners from the side before. */
static double archimedes(int doublings)
{
    double side2 = 1.0, corners = 6.0;
    for (int k = 0; k < doublings; k++) { // truth: sequential
        side2 = side2 / (2.0 + sqrt(4.0 - side2));
        corners *= 2.0;
    }
    return 0.5 * corners * sqrt(side2);
}

int pi_bench(long n)
{
    double worst = 0.0;
    for (int r = 0; r < ROUNDS; r++) { // truth: sequential
        const clock_t t = clock();
        const double p = midpoint(n), q = leibniz(n), a = archimedes(20);
        printf("%.12f %.12f %.12f %ld\n", p, q, a, (long)(clock() - t));
        worst = fmax(worst, fabs(p - q));
    }
    return worst < 1e-3 ? 0 : 1;
}
